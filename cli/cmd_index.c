/* SPDX-License-Identifier: MIT
 *
 * imsat index CODES... -o INDEX : make an index, or change one.
 *
 * What is to be added or deleted is read first. Then the file is changed at once, by one call
 * of the library: whoever opens INDEX meanwhile, and whatever stops the program, finds the old
 * index or the new one.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <time.h>

enum { PAUSE = 5000000 /* nanoseconds between two tries to change a file that is busy */ };

typedef struct work {
    const cli_args *args;
    int changes; /* an index that is there: --append, --delete */
    imsat_codes codes;
    int64_t *ids, *delete_ids;
    size_t delete_count;
    imsat_index *index;     /* a new one */
    imsat_index_info after; /* what the file then holds */
} work;

static int check_line(const cli_command *command, const cli_args *args)
{
    const int change = args->append || args->delete_ids;
    if (!args->output)
        return cli_usage(command, "the index, -o INDEX, must be given");
    if (args->files.count == 0 && (args->append || !args->delete_ids))
        return cli_usage(command, "no file given: usage: imsat %s %s", command->name,
                         command->operands);
    if (change && cli_is_stream(args->output))
        return cli_usage(command, "-o %s: an index that is changed must be a file",
                         args->output);
    if (args->files.count && change && !args->append)
        return cli_usage(command, "--delete takes no CODES, unless --append adds them");
    if (args->ids && args->files.count == 0)
        return cli_usage(command, "--ids are of CODES, and there are none");
    return CLI_OK;
}

/* What is to be added has the bits of the index, unless the line says otherwise. */
static imsat_status read_codes(work *w, imsat_error *err)
{
    const cli_args *args = w->args;
    imsat_codes_options options = args->codes;
    imsat_status st = IMSAT_OK;
    if (w->changes && !options.bits) {
        imsat_index_info info;
        st = imsat_index_peek(&info, args->output, err);
        if (st == IMSAT_OK)
            options.bits = info.bits;
    }
    if (st == IMSAT_OK)
        st = imsat_codes_read(&w->codes, args->files.items, args->files.count, &options, err);
    if (st == IMSAT_OK)
        st = cli_ids_read(&w->ids, args->ids, w->codes.rows, err);
    return st;
}

static imsat_status prepare(work *w, imsat_error *err)
{
    const cli_args *args = w->args;
    imsat_status st = IMSAT_OK;
    if (args->delete_ids)
        st = imsat_ids_read(&w->delete_ids, &w->delete_count, args->delete_ids, err);
    if (st == IMSAT_OK && args->files.count)
        st = read_codes(w, err);
    if (st == IMSAT_OK && !w->changes)
        st = imsat_index_new(&w->index, &w->codes, w->ids, err);
    return st;
}

static imsat_status write_once(work *w, imsat_error *err)
{
    if (w->changes) {
        const imsat_index_change change = {.delete_ids = w->delete_ids,
                                           .delete_count = w->delete_count,
                                           .codes = w->args->files.count ? &w->codes : NULL,
                                           .ids = w->ids};
        return imsat_index_update(&w->after, w->args->output, &change, err);
    }
    w->after = (imsat_index_info){.rows = imsat_index_rows(w->index),
                                  .bits = imsat_index_bits(w->index)};
    return imsat_index_save(w->index, w->args->output, err);
}

/* With --wait, until nobody else changes the file. A signal ends it, before anything is
 * written. */
static imsat_status write_index(work *w, imsat_error *err)
{
    imsat_error why;
    while (!cli_signal_caught()) {
        const imsat_status st = write_once(w, &why);
        if (st != IMSAT_EBUSY)
            *err = why;
        else if (!w->args->wait)
            cli_refuse(err, "%.900s, or wait for it with --wait", why.message);
        if (st != IMSAT_EBUSY || !w->args->wait)
            return st;
        nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
    }
    return IMSAT_ESTOPPED;
}

int cli_index(const cli_command *command, cli_args *args)
{
    work w = {.args = args, .changes = args->append || args->delete_ids};
    imsat_error err;
    int code = check_line(command, args);
    if (code != CLI_OK)
        return code;
    imsat_status st = prepare(&w, &err);
    if (st == IMSAT_OK) {
        cli_signals_catch(); /* from here on, so that none leaves a temporary file */
        st = write_index(&w, &err);
    }
    if (st == IMSAT_OK) {
        fprintf(args->report, "%s: %zu codes of %zu bits\n", args->output, w.after.rows,
                w.after.bits);
    } else if (st == IMSAT_ESTOPPED) {
        cli_say(command, "stopped by %s; nothing was written", cli_signal_name());
        code = 128 + cli_signal_caught();
    } else {
        code = cli_failed(command, &err);
    }
    imsat_index_free(w.index);
    imsat_free(w.delete_ids);
    imsat_free(w.ids);
    imsat_codes_clear(&w.codes);
    return code;
}
