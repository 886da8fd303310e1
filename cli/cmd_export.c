/* SPDX-License-Identifier: MIT
 * imsat export CODES... --to PROGRAM -o OUT : codes for other programs, and how to load them.
 */
#include "cli.h"

static int check_line(const cli_command *command, const cli_args *args)
{
    if (args->to < 0)
        return cli_usage(command,
                         "the program, --to faiss, postgres or sqlite, must be given");
    if (!args->output)
        return cli_usage(command, "the file to write, -o OUT, must be given");
    if (args->table && args->to == IMSAT_EXPORT_FAISS)
        return cli_usage(command, "--table is for databases; a file of FAISS has no table");
    return CLI_OK;
}

/* A path between single quotes, as psql and Python read it. */
static void print_quoted(FILE *out, const char *path, const char *quote)
{
    fputc('\'', out);
    for (; *path; path++)
        if (*path == '\'')
            fputs(quote, out);
        else
            fputc(*path, out);
    fputc('\'', out);
}

static void print_hint(FILE *out, const cli_args *args, const imsat_codes *codes)
{
    const char *table = args->table ? args->table : IMSAT_EXPORT_TABLE;
    fprintf(out, "To load them:\n");
    if (args->to == IMSAT_EXPORT_FAISS) {
        fprintf(out, "  index = faiss.read_index_binary(");
        print_quoted(out, args->output, "\\'");
        fprintf(out, ")\n");
    } else if (args->to == IMSAT_EXPORT_POSTGRES) {
        fprintf(
            out,
            "  CREATE TABLE \"%s\" (id bigint PRIMARY KEY, code bit(%zu));\n  \\copy \"%s\" "
            "FROM ",
            table, codes->bits, table);
        print_quoted(out, args->output, "''");
        fprintf(out,
                "\nand to search, with a code in place of B'...':\n"
                "  SELECT id, bit_count(code # B'...') AS distance FROM \"%s\"\n"
                "  ORDER BY distance, id LIMIT 10;\n",
                table);
    } else {
        fprintf(out, "  sqlite3 DATABASE < ");
        print_quoted(out, args->output, "'\\''");
        fprintf(out, "\ndocs/formats.md has a query for distances.\n");
    }
}

/* How many there are, and how to load them, unless they are on their way already. */
static void report(const cli_command *command, const cli_args *args, const imsat_codes *codes)
{
    const size_t bytes = imsat_code_bytes(codes->bits);
    const int stream = cli_is_stream(args->output);
    if (args->to == IMSAT_EXPORT_FAISS && codes->bits % 8)
        cli_say(command,
                "FAISS has whole bytes: its codes have %zu bits, the last %zu of them 0, "
                "which changes no distance",
                8 * bytes, 8 * bytes - codes->bits);
    fprintf(args->report, "%zu codes of %zu bits.%s", codes->rows, codes->bits,
            stream ? "\n" : " ");
    if (!stream)
        print_hint(args->report, args, codes);
}

/* Write them, with a line of progress on a terminal; a signal stops it. */
static imsat_status export_codes(cli_args *args, const imsat_codes *codes,
                                 const imsat_export_options *options, imsat_error *err)
{
    cli_progress progress;
    cli_progress_start(&progress, &args->options, 0);
    progress.quiet = 1; /* nothing elsewhere */
    cli_signals_catch();
    const imsat_status st =
        imsat_codes_export_watched(args->output, codes, options, args->options.progress,
                                   args->options.progress_user, err);
    cli_progress_finish(&progress, st == IMSAT_OK);
    return st;
}

int cli_export(const cli_command *command, cli_args *args)
{
    imsat_export_options options = {.order = args->codes.order, .table = args->table};
    imsat_codes codes = {0};
    int64_t *ids = NULL;
    imsat_error err;
    const int code = check_line(command, args);
    if (code != CLI_OK)
        return code;

    options.format = (imsat_export_format)args->to;
    imsat_status st =
        imsat_codes_read(&codes, args->files.items, args->files.count, &args->codes, &err);
    if (st == IMSAT_OK)
        st = cli_ids_read(&ids, args->ids, codes.rows, &err);
    options.ids = ids;
    if (st == IMSAT_OK)
        st = export_codes(args, &codes, &options, &err);
    if (st == IMSAT_OK)
        report(command, args, &codes);
    imsat_free(ids);
    imsat_codes_clear(&codes);
    if (st == IMSAT_ESTOPPED && cli_signal_caught()) {
        cli_say(command, "stopped by %s%s", cli_signal_name(), cli_stopped_output(args));
        return 128 + cli_signal_caught();
    }
    if (st == IMSAT_EINVAL)
        return cli_usage(command, "%s", err.message);
    return st == IMSAT_OK ? CLI_OK : cli_failed(command, &err);
}
