/* SPDX-License-Identifier: MIT
 *
 * imsat info FILE: what a file holds. Models and indexes are safetensors files (eight bytes of
 * a length, then '{') whose header states a format of ours; everything else is data
 * (info_data.c).
 */
#include "cli.h"

#include <errno.h>
#include <string.h>

enum { HEAD = 1 << 16 };

typedef enum file_kind { KIND_DATA, KIND_MODEL, KIND_INDEX } file_kind;

/* The first bytes of a file, as many as there are; 0 also if it cannot be read. */
static size_t read_head(char head[HEAD], const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t got = 0;
    int again = file != NULL;
    while (again) {
        clearerr(file);
        got += fread(head + got, 1, HEAD - got, file);
        again = ferror(file) && errno == EINTR; /* a signal is no reason to stop */
    }
    if (file)
        fclose(file);
    return got;
}

static file_kind kind_of(const char *path)
{
    static char head[HEAD + 1];
    if (cli_is_stream(path))
        return KIND_DATA; /* what is read of it here would be gone */
    const size_t got = read_head(head, path);
    /* Headers are below 16 MB: the high bytes of the length are 0, and no text is. */
    if (got < 9 || head[8] != '{' || memcmp(head + 3, "\0\0\0\0\0", 5) != 0)
        return KIND_DATA;
    if (strstr(head + 8, "\"format\":\"imsat-index-"))
        return KIND_INDEX;
    return strstr(head + 8, "\"format\":\"imsat-") ? KIND_MODEL : KIND_DATA;
}

/* ---- models ---------------------------------------------------------------------- */

static void print_model(const imsat_model *model)
{
    const char *name, *value;
    if (imsat_model_task(model) == IMSAT_TASK_HASH)
        printf("model: %zu columns to codes of %zu bits, in %zu bytes\n",
               imsat_model_dim(model), imsat_model_bits(model),
               imsat_code_bytes(imsat_model_bits(model)));
    else
        printf("model: %zu columns to %zu clusters\n", imsat_model_dim(model),
               imsat_model_clusters(model));
    for (size_t i = 0; imsat_model_metadata(model, i, &name, &value) == IMSAT_OK; i++)
        printf("%-24s %s\n", name, value);
    cli_columns_print(model);
}

static cli_json *model_json(const imsat_model *model)
{
    const char *name, *value;
    cli_json *object = cli_json_new(), *metadata = cli_json_new();
    cli_json_text(object, "kind", "model");
    cli_json_count(object, "dim", imsat_model_dim(model));
    cli_json_text(object, "task", imsat_task_name(imsat_model_task(model)));
    if (imsat_model_task(model) == IMSAT_TASK_HASH)
        cli_json_count(object, "bits", imsat_model_bits(model));
    else
        cli_json_count(object, "k", imsat_model_clusters(model));
    for (size_t i = 0; imsat_model_metadata(model, i, &name, &value) == IMSAT_OK; i++)
        cli_json_text(metadata, name, value);
    cli_json_member(object, "metadata", metadata);
    cli_columns_json(object, model);
    return object;
}

/* ---- indexes ---------------------------------------------------------------------- */

static void print_index(const imsat_index *index)
{
    const size_t journal = imsat_index_journal_rows(index);
    printf("index: %zu codes of %zu bits\n", imsat_index_rows(index), imsat_index_bits(index));
    printf("%-10s %zu\n", "tables", imsat_index_tables(index));
    if (journal)
        printf("%-10s %zu codes behind a base of %zu, appended and not merged yet\n",
               "journal", journal, imsat_index_rows(index) - journal);
}

static cli_json *index_json(const imsat_index *index)
{
    cli_json *object = cli_json_new();
    cli_json_text(object, "kind", "index");
    cli_json_count(object, "n", imsat_index_rows(index));
    cli_json_count(object, "bits", imsat_index_bits(index));
    cli_json_count(object, "tables", imsat_index_tables(index));
    cli_json_count(object, "journal", imsat_index_journal_rows(index));
    return object;
}

/* ---- the command -------------------------------------------------------------------- */

static int info_model(const cli_command *command, const cli_args *args, const char *path)
{
    imsat_model *model = NULL;
    imsat_error err;
    int code = CLI_OK;
    if (imsat_model_load(&model, path, &err) != IMSAT_OK)
        return cli_failed(command, &err);
    if (args->json)
        code = cli_json_finish(command, args, model_json(model));
    else
        print_model(model);
    imsat_model_free(model);
    return code;
}

static int info_index(const cli_command *command, const cli_args *args, const char *path)
{
    imsat_index *index = NULL;
    imsat_error err;
    int code = CLI_OK;
    if (imsat_index_open(&index, path, &err) != IMSAT_OK)
        return cli_failed(command, &err);
    if (args->json)
        code = cli_json_finish(command, args, index_json(index));
    else
        print_index(index);
    imsat_index_free(index);
    return code;
}

int cli_info(const cli_command *command, cli_args *args)
{
    const char *path = args->files.items[0];
    switch (kind_of(path)) {
    case KIND_MODEL: return info_model(command, args, path);
    case KIND_INDEX: return info_index(command, args, path);
    default: return cli_info_data(command, args, path);
    }
}
