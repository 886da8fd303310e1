/* SPDX-License-Identifier: MIT
 *
 * Learn hash codes of the rows of a CSV file, search the nearest codes of every row, and say
 * how many of those have the row's label. The labels are used for nothing else.
 *
 *     example_03_hash_and_search DATA.csv LABEL_COLUMN [EPOCHS]
 *
 * introduces: imsat_options_init_hash, imsat_hash, imsat_encode, imsat_index_new, imsat_search
 */
#include <imsat/imsat.h>
#include <imsat/search.h>

#include <stdio.h>
#include <stdlib.h>

enum { BITS = 16, NEAREST = 11 }; /* a row finds itself, and ten others */

/* From data to a code for every row; codes->bytes is freed with free(). */
static imsat_status learn(imsat_codes *codes, const imsat_data *data, size_t epochs,
                          imsat_error *err)
{
    imsat_model *model = NULL;
    imsat_options options;
    imsat_options_init_hash(&options, "imsat-vat", IMSAT_PRESET_DEFAULT);
    options.bits = codes->bits = BITS;
    options.epochs = epochs;
    codes->rows = imsat_data_rows(data);
    codes->bytes = calloc(codes->rows, imsat_code_bytes(BITS));
    if (!codes->bytes) {
        snprintf(err->message, sizeof err->message, "no memory for %zu codes", codes->rows);
        return IMSAT_ENOMEM;
    }
    imsat_status st = imsat_hash(&model, data, &options, NULL, err);
    if (st == IMSAT_OK)
        st = imsat_encode(model, data, codes->bytes, NULL, 0, err);
    imsat_model_free(model);
    return st;
}

/* The nearest codes of every code. */
static imsat_status search(imsat_hits *hits, const imsat_codes *codes, imsat_error *err)
{
    imsat_index *index = NULL;
    imsat_search_options options;
    imsat_search_options_init(&options);
    options.count = NEAREST;
    imsat_status st = imsat_index_new(&index, codes, NULL, err);
    if (st == IMSAT_OK)
        st = imsat_search(hits, index, codes, &options, err);
    imsat_index_free(index);
    return st;
}

/* Which share of what was found, other than the row itself, has the row's label? */
static double share_alike(const imsat_hits *hits, const int32_t *labels)
{
    size_t alike = 0, found = 0;
    for (size_t q = 0; q < hits->queries; q++)
        for (size_t i = hits->start[q]; i < hits->start[q + 1]; i++) {
            const size_t id = (size_t)hits->ids[i];
            found += id != q;
            alike += id != q && labels[id] == labels[q];
        }
    return found ? (double)alike / (double)found : 0;
}

int main(int argc, char **argv)
{
    imsat_error err;
    imsat_data *data = NULL;
    imsat_codes codes = {0};
    imsat_hits hits = {0};
    if (argc < 3) {
        fprintf(stderr, "usage: %s DATA.csv LABEL_COLUMN [EPOCHS]\n", argv[0]);
        return 2;
    }
    const char *path = argv[1];
    const imsat_data_options reading = {.label_column = argv[2]};
    const size_t epochs = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;

    imsat_status st = imsat_data_open(&data, &path, 1, &reading, &err);
    if (st == IMSAT_OK)
        st = learn(&codes, data, epochs, &err);
    if (st == IMSAT_OK)
        st = search(&hits, &codes, &err);
    if (st == IMSAT_OK)
        printf("%zu codes of %d bits; of the nearest of each, %.1f %% have its label\n",
               codes.rows, BITS, 100 * share_alike(&hits, imsat_data_labels(data)));
    else
        fprintf(stderr, "%s\n", err.message);

    imsat_hits_clear(&hits);
    free(codes.bytes);
    imsat_data_free(data);
    return st == IMSAT_OK ? 0 : 1;
}
