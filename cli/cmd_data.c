/* SPDX-License-Identifier: MIT
 * imsat data fetch NAME [--to DIR] : the files of a data set of the paper, downloaded. */
#include "cli.h"

#include "imsat/sets.h"

#include <inttypes.h>
#include <string.h>

/* What is told of the downloads, one file after the other. */
typedef struct teller {
    const cli_command *command;
    cli_args *args;
    cli_progress progress; /* of this file */
    char path[1024];       /* of this file; "": none yet */
    unsigned failures;     /* of it that were told */
} teller;

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Another file begins. */
static void turn_to(teller *t, const imsat_fetch_state *state)
{
    snprintf(t->path, sizeof t->path, "%s", state->path);
    t->failures = 0;
    cli_progress_start(&t->progress, &t->args->options, t->args->quiet);
    t->progress.quiet = 1; /* nothing but the line on a terminal */
}

static void tell_trouble(teller *t, const imsat_fetch_state *state)
{
    cli_progress_finish(&t->progress, 0);
    if (!t->args->quiet)
        cli_say(t->command, "%s: %s; trying %s", state->url, state->trouble,
                state->failures ? "again" : "elsewhere");
    t->failures = state->failures;
}

static void tell_whole(teller *t, const imsat_fetch_state *state)
{
    cli_progress_finish(&t->progress, 1);
    printf("%s: %" PRIu64 " bytes%s, sha256 ", state->path, state->bytes,
           state->kept == state->bytes ? ", was there" : "");
    if (state->compared)
        printf("as published\n");
    else
        printf("%s, which was not compared: none is known\n", state->sha256);
    fflush(stdout);
}

static int on_state(void *user, const imsat_fetch_state *state)
{
    teller *t = user;
    if (strcmp(t->path, state->path) != 0)
        turn_to(t, state);
    if (state->sha256) {
        tell_whole(t, state);
        return cli_signal_caught() != 0;
    }
    if (state->trouble && (!state->failures || state->failures > t->failures))
        tell_trouble(t, state);
    const imsat_progress now = {
        .stage = last_part(state->path),
        .fraction = state->total ? (double)state->bytes / (double)state->total : 0,
        .runs = 1};
    return t->args->options.progress(t->args->options.progress_user, &now);
}

static const char *set_entry(size_t i, char text[CLI_LISTING_ROOM])
{
    const char *name = imsat_sets_name(i);
    if (name)
        snprintf(text, CLI_LISTING_ROOM, "%s", imsat_sets_summary(name));
    return name;
}

const cli_listing cli_sets_listing = {"Data sets", set_entry};

/* No set was named: which ones there are. */
static int list_sets(const cli_command *command)
{
    char list[256] = "";
    for (size_t i = 0; imsat_sets_name(i); i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", imsat_sets_name(i));
    }
    return cli_usage(command, "no data set given; there are: %s", list);
}

int cli_sets_check(const cli_command *command, const cli_args *args)
{
    imsat_error err;
    if (args->files.count == 0)
        return list_sets(command);
    if (cli_find_choice(imsat_sets_name, args->files.items[0], "data set", &err) < 0)
        return cli_usage(command, "%s: %s", args->files.items[0], err.message);
    return CLI_OK;
}

int cli_data_fetch(const cli_command *command, cli_args *args)
{
    const int code = cli_sets_check(command, args);
    if (code != CLI_OK)
        return code;
    const char *name = args->files.items[0];
    teller t = {.command = command, .args = args};
    const imsat_fetch_options options = {
        .progress = on_state, .progress_user = &t, .mirror = args->mirror};
    imsat_error err;
    cli_signals_catch();
    const imsat_status st =
        imsat_sets_fetch(name, args->folder ? args->folder : name, &options, &err);
    if (*t.path)
        cli_progress_finish(&t.progress, 0);
    if (st == IMSAT_ESTOPPED && cli_signal_caught()) {
        cli_say(command, "stopped by %s; the same command goes on from there",
                cli_signal_name());
        return 128 + cli_signal_caught();
    }
    if (st == IMSAT_EINVAL)
        return cli_usage(command, "%s", err.message);
    return st == IMSAT_OK ? CLI_OK : cli_failed(command, &err);
}
