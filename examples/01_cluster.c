/* SPDX-License-Identifier: MIT
 *
 * The shortest useful program: cluster the rows of a file and print a label for each.
 *
 *     example_01_cluster DATA [K]        K is 10 if it is not given
 *
 * introduces: imsat_data_open, imsat_options_init, imsat_cluster, imsat_predict
 */
#include <imsat/imsat.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    imsat_error err;
    imsat_data *data = NULL;
    imsat_model *model = NULL;
    int32_t *labels = NULL;
    imsat_options options;

    if (argc < 2) {
        fprintf(stderr, "usage: %s DATA [K]\n", argv[0]);
        return 2;
    }
    const char *path = argv[1];
    imsat_options_init(&options, "imsat-vat", IMSAT_PRESET_DEFAULT);
    options.k = argc > 2 ? strtoul(argv[2], NULL, 10) : 10;

    imsat_status st = imsat_data_open(&data, &path, 1, NULL, &err);
    if (st == IMSAT_OK)
        st = imsat_cluster(&model, data, &options, NULL, &err);
    if (st == IMSAT_OK && !(labels = malloc(imsat_data_rows(data) * sizeof *labels))) {
        st = IMSAT_ENOMEM;
        snprintf(err.message, sizeof err.message, "no memory for the labels");
    }
    if (st == IMSAT_OK)
        st = imsat_predict(model, data, labels, NULL, 0, &err);
    for (size_t i = 0; st == IMSAT_OK && i < imsat_data_rows(data); i++)
        printf("%d\n", (int)labels[i]);
    if (st != IMSAT_OK)
        fprintf(stderr, "%s\n", err.message);

    free(labels);
    imsat_model_free(model);
    imsat_data_free(data);
    return st == IMSAT_OK ? 0 : 1;
}
