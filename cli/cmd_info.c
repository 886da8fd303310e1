/* SPDX-License-Identifier: MIT
 *
 * imsat info FILE: what a file holds. A model is known by the first bytes of a safetensors
 * file (eight of a length, then '{'); everything else is read as data.
 */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_A_TIME = 256 };

static int looks_like_model(const char *path)
{
    unsigned char head[9] = {0};
    FILE *file = fopen(path, "rb");
    const size_t got = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    /* Headers are below 16 MB: the high bytes of the length are 0, and no text is. */
    return got == sizeof head && head[8] == '{' && head[3] == 0 && head[4] == 0 &&
           head[5] == 0 && head[6] == 0 && head[7] == 0;
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
    return object;
}

/* ---- data ------------------------------------------------------------------------- */

typedef struct summary {
    double min, max, mean;
    size_t classes; /* distinct labels */
} summary;

static int by_value(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Distinct labels; 0 if there are none, or no memory to sort them. */
static size_t count_classes(const int32_t *labels, size_t n)
{
    int32_t *sorted = labels && n ? malloc(n * sizeof *sorted) : NULL;
    if (!sorted)
        return 0;
    memcpy(sorted, labels, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    size_t classes = 1;
    for (size_t i = 1; i < n; i++)
        classes += sorted[i] != sorted[i - 1];
    free(sorted);
    return classes;
}

static imsat_status summarize(summary *out, const imsat_data *data, imsat_error *err)
{
    const size_t n = imsat_data_rows(data), dim = imsat_data_dim(data);
    float *rows = calloc(dim, ROWS_AT_A_TIME * sizeof *rows);
    imsat_status st = IMSAT_OK;
    double sum = 0;
    *out = (summary){INFINITY, -INFINITY, 0, count_classes(imsat_data_labels(data), n)};
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
    return object;
}

/* ---- the command -------------------------------------------------------------------- */

int cli_info(const cli_command *command, cli_args *args)
{
    const char *path = args->files.items[0];
    imsat_model *model = NULL;
    imsat_data *data = NULL;
    summary sum = {0};
    imsat_error err;
    imsat_status st;
    int code = CLI_OK;

    const int is_model = looks_like_model(path);
    if (is_model)
        st = imsat_model_load(&model, path, &err);
    else
        st = imsat_data_open(&data, &path, 1, &args->data, &err);
    if (st == IMSAT_OK && data)
        st = summarize(&sum, data, &err);

    if (st != IMSAT_OK) {
        code = cli_failed(command, &err);
    } else if (args->json) {
        code = cli_json_finish(command, is_model ? model_json(model) : data_json(data, &sum));
    } else if (is_model) {
        print_model(model);
    } else {
        print_data(data, &sum);
    }
    imsat_data_free(data);
    imsat_model_free(model);
    return code;
}
