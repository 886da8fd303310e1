/* SPDX-License-Identifier: MIT
 *
 * Token files of RCV1 and their topics, as one input: topics, a form feed, stories. Rows have
 * the length that they should have, labels are of the four topics, and the same files give the
 * same rows. */
#include "sets/recipe.h"

#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1024, SQUARE = 2000 /* of the length of a row */ };

static const char topics[] = "rcv1-v2.topics.qrels", tokens[] = "lyrl2004_tokens.dat";

static void begin(void)
{
    fuzz_seed_text(
        "ECAT 7 1\nGCAT 9 1\nM11 9 1\n\f.I 7\n.W\nrise rise profit\n\n.I 9\n.W\nelect\n");
    fuzz_seed_text(
        "MCAT 1 1\nCCAT 1 1\nCCAT 4000000000 1\n\f.I 1\n.W\nno\n.I 4000000000\nword word\n");
}

static void check_rows(const imsat_data *data)
{
    const size_t dim = imsat_data_dim(data);
    float *row = calloc(dim, sizeof *row);
    REQUIRE(row, "no memory");
    for (size_t i = 0; i < imsat_data_rows(data); i++) {
        double sum = 0;
        const int32_t label = imsat_data_labels(data)[i];
        REQUIRE(label >= 0 && label < 4, "label %d", (int)label);
        REQUIRE(imsat_data_read(data, i, 1, row, NULL) == IMSAT_OK, "row %zu", i);
        for (size_t j = 0; j < dim; j++)
            sum += (double)row[j] * (double)row[j];
        REQUIRE(fabs(sum - SQUARE) < 1e-3 * SQUARE, "row %zu: %g of %d", i, sum, SQUARE);
    }
    free(row);
}

static bool run(const uint8_t *input, size_t size)
{
    const char *const data_paths[] = {tokens}, *const label_paths[] = {topics};
    const im_recipe recipe = {
        .data = data_paths, .ndata = 1, .labels = label_paths, .nlabels = 1, .seed = 1};
    const uint8_t *feed = size ? memchr(input, '\f', size) : NULL;
    imsat_data *data = NULL, *again = NULL;
    imsat_error err = {{0}};
    if (!feed)
        return false;
    fuzz_file_put(topics, input, (size_t)(feed - input));
    fuzz_file_put(tokens, feed + 1, size - (size_t)(feed - input) - 1);
    const imsat_status st = im_recipe_rcv1(&data, &recipe, &err);
    if (st != IMSAT_OK) {
        fuzz_refused(st, &err, strstr(err.message, tokens) ? tokens : topics);
        return false;
    }
    check_rows(data);
    fuzz_succeeded(im_recipe_rcv1(&again, &recipe, &err), &err);
    REQUIRE(imsat_data_rows(again) == imsat_data_rows(data), "other rows");
    imsat_data_free(again);
    imsat_data_free(data);
    return true;
}

const fuzz_target fuzz_this = {"rcv1", MOST, begin, run, NULL};
