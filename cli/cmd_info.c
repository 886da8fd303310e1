/* SPDX-License-Identifier: MIT
 *
 * imsat info FILE: what a file holds. Models and indexes are safetensors files (eight bytes of
 * a length, then '{') whose header states a format of ours; everything else is read as data,
 * and if it can be packed codes, too, that is said as well.
 */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_A_TIME = 256, HEAD = 1 << 16 };

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

/* ---- data ------------------------------------------------------------------------- */

typedef struct summary {
    double min, max, mean;
    size_t classes;  /* distinct labels */
    size_t bits;     /* of a row, if the rows may be packed codes; else 0 */
    double bits_set; /* share of them that are 1 */
} summary;

/* The rows as packed codes, if they can be that. */
static void summarize_codes(summary *out, const char *path)
{
    imsat_codes codes = {0};
    double set = 0;
    if (imsat_codes_read(&codes, &path, 1, NULL, NULL) != IMSAT_OK)
        return;
    const size_t bytes = codes.rows * imsat_code_bytes(codes.bits);
    for (size_t i = 0; i < bytes; i++)
        set += __builtin_popcount(codes.bytes[i]);
    out->bits = codes.bits;
    out->bits_set = set / (8 * (double)bytes);
    imsat_codes_clear(&codes);
}

static imsat_status summarize(summary *out, const imsat_data *data, imsat_error *err)
{
    const size_t n = imsat_data_rows(data), dim = imsat_data_dim(data);
    float *rows = calloc(dim, ROWS_AT_A_TIME * sizeof *rows);
    imsat_status st = IMSAT_OK;
    double sum = 0;
    *out = (summary){.min = INFINITY,
                     .max = -INFINITY,
                     .classes = cli_count_classes(imsat_data_labels(data), n, NULL)};
    if (!rows) {
        cli_refuse(err, "no memory for %d rows", ROWS_AT_A_TIME);
        return IMSAT_ENOMEM;
    }
    for (size_t first = 0; first < n && st == IMSAT_OK; first += ROWS_AT_A_TIME) {
        const size_t count = n - first < ROWS_AT_A_TIME ? n - first : ROWS_AT_A_TIME;
        st = imsat_data_read(data, first, count, rows, err);
        for (size_t i = 0; i < count * dim && st == IMSAT_OK; i++) {
            const double x = (double)rows[i];
            out->min = x < out->min ? x : out->min;
            out->max = x > out->max ? x : out->max;
            sum += x;
        }
    }
    out->mean = sum / ((double)n * (double)dim);
    free(rows);
    return st;
}

static void print_data(const imsat_data *data, const summary *sum)
{
    const imsat_image image = imsat_data_image(data);
    printf("data: %zu x %zu\n", imsat_data_rows(data), imsat_data_dim(data));
    printf("%-10s %s\n", "format", imsat_data_describe(data, 0));
    if (image.height)
        printf("%-10s %zu x %zu x %zu\n", "images", image.height, image.width, image.channels);
    printf("%-10s %g to %g, mean %g\n", "values", sum->min, sum->max, sum->mean);
    if (imsat_data_labels(data))
        printf("%-10s %zu classes\n", "labels", sum->classes);
    if (sum->bits)
        printf("%-10s %zu bits a row if the rows are packed codes, %.1f %% of them 1\n",
               "codes", sum->bits, 100 * sum->bits_set);
}

static cli_json *data_json(const imsat_data *data, const summary *sum)
{
    const imsat_image image = imsat_data_image(data);
    cli_json *object = cli_json_new();
    cli_json_text(object, "kind", "data");
    cli_json_count(object, "n", imsat_data_rows(data));
    cli_json_count(object, "dim", imsat_data_dim(data));
    cli_json_text(object, "format", imsat_data_describe(data, 0));
    if (image.height) {
        const size_t sides[3] = {image.height, image.width, image.channels};
        cli_json_counts(object, "image", sides, 3);
    }
    cli_json_number(object, "min", sum->min);
    cli_json_number(object, "max", sum->max);
    cli_json_number(object, "mean", sum->mean);
    if (imsat_data_labels(data))
        cli_json_count(object, "classes", sum->classes);
    if (sum->bits) {
        cli_json_count(object, "bits", sum->bits);
        cli_json_number(object, "bits_set", sum->bits_set);
    }
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

static int info_data(const cli_command *command, const cli_args *args, const char *path)
{
    imsat_data *data = NULL;
    summary sum = {0};
    imsat_error err;
    int code = CLI_OK;
    cli_args silent = *args; /* what texts became is in the report */
    silent.quiet = 1;
    imsat_status st = cli_data_open(command, &silent, &data, &err);
    if (st == IMSAT_OK)
        cli_notes(command, args, data);
    if (st == IMSAT_OK)
        st = summarize(&sum, data, &err);
    if (st == IMSAT_OK && !cli_is_stream(path))
        summarize_codes(&sum, path);
    if (st != IMSAT_OK)
        code = cli_failed(command, &err);
    else if (args->json)
        code = cli_json_finish(command, args, data_json(data, &sum));
    else
        print_data(data, &sum);
    imsat_data_free(data);
    return code;
}

int cli_info(const cli_command *command, cli_args *args)
{
    const char *path = args->files.items[0];
    switch (kind_of(path)) {
    case KIND_MODEL: return info_model(command, args, path);
    case KIND_INDEX: return info_index(command, args, path);
    default: return info_data(command, args, path);
    }
}
