/* SPDX-License-Identifier: MIT
 *
 * imsat index CODES... -o INDEX : make an index, or change one.
 *
 * A change reads the old file, makes a new index in memory, and puts it in the old one's place
 * by a rename: whoever opens INDEX meanwhile, and whatever stops the program, finds the old
 * one or the new one.
 */
#include "cli.h"

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

/* Take changed in place of index. */
static void replace(imsat_index **index, imsat_index *changed)
{
    imsat_index_free(*index);
    *index = changed;
}

static imsat_status delete_codes(imsat_index **index, const cli_args *args, imsat_error *err)
{
    imsat_index *changed = NULL;
    int64_t *ids = NULL;
    size_t count = 0;
    imsat_status st = imsat_ids_read(&ids, &count, args->delete_ids, err);
    if (st == IMSAT_OK)
        st = imsat_index_delete(&changed, *index, ids, count, err);
    if (st == IMSAT_OK)
        replace(index, changed);
    imsat_free(ids);
    return st;
}

/* Add the codes of the line to *index, or make it of them if it is NULL. */
static imsat_status add_codes(imsat_index **index, const cli_args *args, imsat_error *err)
{
    imsat_codes_options options = args->codes;
    imsat_index *changed = NULL;
    imsat_codes codes = {0};
    int64_t *ids = NULL;
    if (*index && !options.bits)
        options.bits = imsat_index_bits(*index);
    imsat_status st =
        imsat_codes_read(&codes, args->files.items, args->files.count, &options, err);
    if (st == IMSAT_OK)
        st = cli_ids_read(&ids, args->ids, codes.rows, err);
    if (st == IMSAT_OK)
        st = *index ? imsat_index_append(&changed, *index, &codes, ids, err)
                    : imsat_index_new(&changed, &codes, ids, err);
    if (st == IMSAT_OK)
        replace(index, changed);
    imsat_free(ids);
    imsat_codes_clear(&codes);
    return st;
}

int cli_index(const cli_command *command, cli_args *args)
{
    imsat_index *index = NULL;
    imsat_error err;
    const int code = check_line(command, args);
    if (code != CLI_OK)
        return code;

    cli_signals_catch(); /* so that none leaves a temporary file: it is heeded before saving */
    imsat_status st = IMSAT_OK;
    if (args->append || args->delete_ids)
        st = imsat_index_open(&index, args->output, &err);
    if (st == IMSAT_OK && args->delete_ids)
        st = delete_codes(&index, args, &err);
    if (st == IMSAT_OK && args->files.count)
        st = add_codes(&index, args, &err);
    if (st == IMSAT_OK && cli_signal_caught()) {
        cli_say(command, "stopped by %s; nothing was written", cli_signal_name());
        imsat_index_free(index);
        return 128 + cli_signal_caught();
    }
    if (st == IMSAT_OK)
        st = imsat_index_save(index, args->output, &err);
    if (st == IMSAT_OK)
        fprintf(args->report, "%s: %zu codes of %zu bits\n", args->output,
                imsat_index_rows(index), imsat_index_bits(index));
    imsat_index_free(index);
    return st == IMSAT_OK ? CLI_OK : cli_failed(command, &err);
}
