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
static void print_quoted(const char *path, const char *quote)
{
    putchar('\'');
    for (; *path; path++)
        if (*path == '\'')
            fputs(quote, stdout);
        else
            putchar(*path);
    putchar('\'');
}

static void print_hint(const cli_args *args, const imsat_codes *codes)
{
    const char *table = args->table ? args->table : IMSAT_EXPORT_TABLE;
    printf("%zu codes of %zu bits. To load them:\n", codes->rows, codes->bits);
    if (args->to == IMSAT_EXPORT_FAISS) {
        printf("  index = faiss.read_index_binary(");
        print_quoted(args->output, "\\'");
        printf(")\n");
    } else if (args->to == IMSAT_EXPORT_POSTGRES) {
        printf(
            "  CREATE TABLE \"%s\" (id bigint PRIMARY KEY, code bit(%zu));\n  \\copy \"%s\" "
            "FROM ",
            table, codes->bits, table);
        print_quoted(args->output, "''");
        printf("\nand to search, with a code in place of B'...':\n"
               "  SELECT id, bit_count(code # B'...') AS distance FROM \"%s\"\n"
               "  ORDER BY distance, id LIMIT 10;\n",
               table);
    } else {
        printf("  sqlite3 DATABASE < ");
        print_quoted(args->output, "'\\''");
        printf("\ndocs/formats.md has a query for distances.\n");
    }
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
    imsat_status st = imsat_writable(args->output, &err);
    if (st == IMSAT_OK)
        st =
            imsat_codes_read(&codes, args->files.items, args->files.count, &args->codes, &err);
    if (st == IMSAT_OK)
        st = cli_ids_read(&ids, args->ids, codes.rows, &err);
    options.ids = ids;
    if (st == IMSAT_OK)
        st = imsat_codes_export(args->output, &codes, &options, &err);
    if (st == IMSAT_OK) {
        if (options.format == IMSAT_EXPORT_FAISS && codes.bits % 8)
            cli_say(command,
                    "FAISS has whole bytes: its codes have %zu bits, the last %zu of them 0, "
                    "which changes no distance",
                    8 * imsat_code_bytes(codes.bits),
                    8 * imsat_code_bytes(codes.bits) - codes.bits);
        print_hint(args, &codes);
    }
    imsat_free(ids);
    imsat_codes_clear(&codes);
    if (st == IMSAT_EINVAL)
        return cli_usage(command, "%s", err.message);
    return st == IMSAT_OK ? CLI_OK : cli_failed(command, &err);
}
