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

static const char *experiment_entry(size_t i, char text[CLI_LISTING_ROOM])
{
    const char *name = cli_experiment_choice(i);
    if (name)
        snprintf(text, CLI_LISTING_ROOM, "%s", imsat_experiment_summary((imsat_experiment)i));
    return name;
}

const cli_listing cli_experiments_listing = {"Experiments", experiment_entry};

/* Training goes on until a signal comes. */
static int on_progress(void *user, const imsat_progress *progress)
{
    (void)user;
    (void)progress;
    return cli_signal_caught() != 0;
}

static void on_cell(void *user, const imsat_cell_state *state)
{
    const cli_args *args = user;
    if (args->quiet)
        return;
    if (state->done)
        fprintf(stderr, "done\n");
    else
        fprintf(stderr, "%zu of %zu: %s ... ", state->number + 1, state->cells, state->name);
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
    snprintf(standard, sizeof standard, "reproduce-%s", args->files.items[0]);
    const imsat_reproduce_options options = {
        .folder = args->results ? args->results : standard,
        .data = args->folder,
        .datasets = args->datasets,
        .methods = args->methods,
        .trials = args->trials,
        .epochs = args->epochs,
        .threads = args->options.threads == IMSAT_AUTO ? 0 : (int)args->options.threads,
        .progress = on_progress,
        .tell = on_cell,
        .tell_user = args};
    cli_signals_catch();
    const imsat_status st = imsat_reproduce((imsat_experiment)experiment, &options, &err);
    if (st == IMSAT_ESTOPPED && cli_signal_caught())
        return stopped(command);
    if (st == IMSAT_EINVAL)
        return cli_usage(command, "%s", err.message);
    if (st != IMSAT_OK)
        return cli_failed(command, &err);
    return print_file(command, args, options.folder);
}
