/* SPDX-License-Identifier: MIT
 * --join FILE of `cluster` and `predict`: which names it may have. */
#include "cli.h"

#include <string.h>

int cli_join_check(const cli_command *command, const cli_args *args)
{
    const imsat_output_format *format = NULL;
    imsat_error err;
    if (!args->join)
        return CLI_OK;
    for (size_t i = 0; i < args->files.count; i++)
        if (cli_is_stream(args->files.items[i]))
            return cli_usage(command,
                             "--join reads its input twice, and %s can be read only "
                             "once",
                             args->files.items[i]);
    if (imsat_output_format_find(&format, args->join, cli_rows_format(args), &err) != IMSAT_OK)
        return cli_usage(command, "--join %s; --format says it for any name", err.message);
    const int plain = !args->format && format == imsat_output_format_at(0);
    const size_t length = strlen(args->join);
    if (format->text ||
        (plain && (length < 4 || strcmp(args->join + length - 4, ".npy") != 0)))
        return CLI_OK;
    return cli_usage(command,
                     "--join %s: rows with results beside them are .csv, .tsv or "
                     ".jsonl, not %s",
                     args->join, format->name);
}
