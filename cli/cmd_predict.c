/* SPDX-License-Identifier: MIT
 * imsat predict MODEL DATA... : labels or probabilities, to a .npy file or as text. */
#include "cli.h"

#include <stdlib.h>

/* One label a line. */
static void print_labels(const int32_t *labels, size_t n)
{
    for (size_t i = 0; i < n && !ferror(stdout); i++)
        printf("%d\n", (int)labels[i]);
}

/* CSV with 9 digits, enough to read back the same floats. */
static void print_proba(const float *proba, size_t n, size_t k)
{
    for (size_t i = 0; i < n && !ferror(stdout); i++)
        for (size_t j = 0; j < k; j++)
            printf("%.9g%c", (double)proba[i * k + j], j + 1 < k ? ',' : '\n');
}

static imsat_status predict(const cli_args *args, const imsat_model *model,
                            const imsat_data *data, int32_t *labels, float *proba,
                            imsat_error *err)
{
    const size_t n = imsat_data_rows(data), k = imsat_model_clusters(model);
    imsat_status st = imsat_predict(model, data, labels, proba, args->options.threads, err);
    if (st != IMSAT_OK)
        return st;
    if (args->output)
        return labels ? imsat_npy_write_int32(args->output, labels, n, err)
                      : imsat_npy_write_float(args->output, proba, n, k, err);
    if (labels)
        print_labels(labels, n);
    else
        print_proba(proba, n, k);
    return IMSAT_OK;
}

int cli_predict(const cli_command *command, cli_args *args)
{
    imsat_model *model = NULL;
    imsat_data *data = NULL;
    int32_t *labels = NULL;
    float *proba = NULL;
    imsat_error err;
    int code = CLI_FAILED;

    imsat_status st = args->output ? imsat_writable(args->output, &err) : IMSAT_OK;
    if (st == IMSAT_OK)
        st = imsat_model_load(&model, args->files.items[0], &err);
    if (st == IMSAT_OK)
        st = imsat_data_open(&data, args->files.items + 1, args->files.count - 1, &args->data,
                             &err);
    if (st != IMSAT_OK) {
        cli_failed(command, &err);
        goto cleanup;
    }
    if (args->proba)
        proba = calloc(imsat_data_rows(data), imsat_model_clusters(model) * sizeof *proba);
    else
        labels = calloc(imsat_data_rows(data), sizeof *labels);
    if (!labels && !proba) {
        cli_say(command, "no memory for the result of %zu rows", imsat_data_rows(data));
        goto cleanup;
    }
    st = predict(args, model, data, labels, proba, &err);
    code = st == IMSAT_OK ? CLI_OK : cli_failed(command, &err);

cleanup:
    free(proba);
    free(labels);
    imsat_data_free(data);
    imsat_model_free(model);
    return code;
}
