/* SPDX-License-Identifier: MIT
 * imsat reproduce WHAT : an experiment of the paper, its table with ours beside it. */
#include "cli.h"

#include "imsat/reproduce.h"

#include <errno.h>
#include <string.h>

const char *cli_experiment_choice(size_t i)
{
    return i < IMSAT_EXPERIMENTS ? imsat_experiment_name((imsat_experiment)i) : NULL;
}

/* The first stands for no form. */
const char *cli_table_form_choice(size_t i)
{
    return i == 0 ? "none" : imsat_table_form_name((imsat_table_form)(i - 1));
}

static const char *experiment_entry(size_t i, char text[CLI_LISTING_ROOM])
{
    const char *name = cli_experiment_choice(i);
    if (name)
        snprintf(text, CLI_LISTING_ROOM, "%s", imsat_experiment_summary((imsat_experiment)i));
    return name;
}

const cli_listing cli_experiments_listing = {"Experiments", experiment_entry};

/* How far a reproduction is. */
typedef struct watch {
    cli_progress progress;      /* of the training of a cell */
    imsat_progress_fn training; /* what it is told by */
    void *training_user;
    int race, quiet;
    char lead[128];
    double started;
} watch;

static int on_progress(void *user, const imsat_progress *progress)
{
    const watch *w = user;
    return w->training(w->training_user, progress);
}

static void begin_cell(watch *w, const imsat_cell_state *state)
{
    imsat_options options = {.race = w->race};
    snprintf(w->lead, sizeof w->lead, "%zu of %zu: %s", state->number + 1, state->cells,
             state->name);
    cli_progress_start(&w->progress, &options, w->quiet);
    w->progress.lead = w->lead;
    w->progress.told = w->started = cli_seconds();
    w->training = options.progress;
    w->training_user = options.progress_user;
    if (!w->quiet && !w->progress.terminal)
        fprintf(stderr, "%s\n", w->lead);
}

static void on_cell(void *user, const imsat_cell_state *state)
{
    watch *w = user;
    if (!state->done) {
        begin_cell(w, state);
        return;
    }
    cli_progress_finish(&w->progress, 0);
    if (!w->quiet)
        fprintf(stderr, "%s: done, %.1f s\n", w->lead, cli_seconds() - w->started);
}

/* Print a file of the folder as the report. */
static int print_file(const cli_command *command, const cli_args *args, const char *folder)
{
    char path[4096], block[4096];
    size_t size;
    const char *name = args->json ? "table.json" : "table.txt";
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        cli_say(command, "%s: the name is too long to be read back", folder);
        return CLI_FAILED;
    }
    FILE *file = fopen(path, "rb");
    if (!file) {
        cli_say(command, "%s: %s", path, strerror(errno));
        return CLI_FAILED;
    }
    while ((size = fread(block, 1, sizeof block, file)) > 0)
        fwrite(block, 1, size, args->report);
    fclose(file);
    return CLI_OK;
}

static int stopped(const cli_command *command)
{
    cli_say(command, "stopped by %s; the same command goes on from there", cli_signal_name());
    return 128 + cli_signal_caught();
}

/* Print the table of what is there. */
static int print_table(const cli_command *command, const cli_args *args, int experiment,
                       const imsat_reproduce_options *options)
{
    char *text = NULL;
    imsat_error err;
    const imsat_status st =
        imsat_reproduce_table(&text, (imsat_experiment)experiment, options,
                              (imsat_table_form)(args->tables_form - 1), &err);
    if (st == IMSAT_EINVAL)
        return cli_usage(command, "%s", err.message);
    if (st != IMSAT_OK)
        return cli_failed(command, &err);
    fputs(text, args->report);
    imsat_free(text);
    return CLI_OK;
}

/* Make the cells that are missing, and print the table. */
static int make(const cli_command *command, const cli_args *args, int experiment,
                const imsat_reproduce_options *given)
{
    imsat_error err;
    watch w = {.race = args->racing, .quiet = args->quiet};
    imsat_reproduce_options options = *given;
    options.progress = on_progress;
    options.progress_user = &w;
    options.tell = on_cell;
    options.tell_user = &w;
    cli_signals_catch();
    const imsat_status st = imsat_reproduce((imsat_experiment)experiment, &options, &err);
    cli_progress_finish(&w.progress, 0);
    if (st == IMSAT_ESTOPPED && cli_signal_caught())
        return stopped(command);
    if (st == IMSAT_EINVAL)
        return cli_usage(command, "%s", err.message);
    return st == IMSAT_OK ? print_file(command, args, options.folder)
                          : cli_failed(command, &err);
}

int cli_reproduce(const cli_command *command, cli_args *args)
{
    char standard[64];
    imsat_error err;
    if (args->files.count == 0)
        return cli_usage(command,
                         "no experiment given; there are: clustering, hash16, hash32, "
                         "omniglot, sweep, toy");
    const int experiment =
        cli_find_choice(cli_experiment_choice, args->files.items[0], "experiment", &err);
    if (experiment < 0)
        return cli_usage(command, "%s: %s", args->files.items[0], err.message);
    if (args->racing != (args->race > 1))
        return cli_usage(command, "--race is a race of several seeds, and --runs N, of 2 or "
                                  "more, says how many: give both or none");
    snprintf(standard, sizeof standard, "reproduce-%s", args->files.items[0]);
    imsat_reproduce_options options = {
        .folder = args->results ? args->results : standard,
        .data = args->folder,
        .datasets = args->datasets,
        .methods = args->methods,
        .trials = args->trials,
        .epochs = args->epochs,
        .threads = args->options.threads == IMSAT_AUTO ? 0 : (int)args->options.threads,
        .race = args->race};
    return (args->tables_form ? print_table : make)(command, args, experiment, &options);
}
