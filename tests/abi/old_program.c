/* SPDX-License-Identifier: MIT
 *
 * A program of yesterday: compiled against imsat_0_1.h, a header that is kept as it was, and
 * run with the library of today. When imsat_options or the library's own structs grow, it must
 * go on as before: train, read the results, set options by name, predict.
 *
 * The header is not brought up to date with include/imsat/imsat.h. A change that breaks this
 * program breaks programs that people have, and needs a new major version of the library.
 */
#include "imsat_0_1.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 120, DIM = 3, K = 3 };

#define CHECK(condition)                                                                      \
    do {                                                                                      \
        if (!(condition)) {                                                                   \
            fprintf(stderr, "old_program:%d: %s does not hold; %s\n", __LINE__, #condition,   \
                    err.message);                                                             \
            return 1;                                                                         \
        }                                                                                     \
    } while (0)

/* Three far blobs, without a random number. */
static void fill(float *x)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < DIM; j++)
            x[i * DIM + j] = (float)(i * (j + 7) % 13) / 13 + (i % K == j ? 9.0F : 0.0F);
}

static int count_calls(void *user, const imsat_progress *progress)
{
    *(size_t *)user += progress->epoch_done && progress->term != NULL;
    return 0;
}

static int check(const imsat_data *data, const imsat_model *model, const imsat_result *result)
{
    imsat_error err = {""};
    int32_t labels[ROWS];
    CHECK(result->runs == 2 && result->rows == ROWS && result->best < 2);
    CHECK(imsat_result_run(result, 1)->seed == 6 && !imsat_result_run(result, 2));
    CHECK(imsat_result_run(result, 0)->epochs == 7);
    CHECK(imsat_result_run(result, 0)->term[IMSAT_TERM_COND_ENTROPY] > 0);
    CHECK(result->used->k == K && result->used->hidden[0] == 20);
    CHECK(imsat_predict(model, data, labels, NULL, 1, &err) == IMSAT_OK);
    CHECK(memcmp(labels, result->labels + result->best * ROWS, sizeof labels) == 0);
    return 0;
}

int main(void)
{
    static float x[ROWS * DIM];
    imsat_error err = {""};
    imsat_data *data = NULL;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    struct {
        imsat_options options;
        unsigned char behind[512]; /* what the library must not touch */
    } mine;
    size_t epochs = 0;
    fill(x);
    memset(&mine, 0xa5, sizeof mine);
    imsat_options_init(&mine.options, "imsat-vat", IMSAT_PRESET_DEFAULT);
    mine.options.k = K;
    mine.options.runs = 2;
    mine.options.seed = 5;
    mine.options.epochs = 7;
    mine.options.progress = count_calls;
    mine.options.progress_user = &epochs;
    CHECK(imsat_options_set(&mine.options, "hidden", "20", &err) == IMSAT_OK);
    CHECK(imsat_data_view(&data, x, ROWS, DIM, DIM, &err) == IMSAT_OK);
    CHECK(imsat_cluster(&model, data, &mine.options, &result, &err) == IMSAT_OK);
    CHECK(epochs == 14);
    CHECK(imsat_options_size() > sizeof mine.options); /* or this test shows nothing */
    for (size_t i = 0; i < sizeof mine.behind; i++)
        CHECK(mine.behind[i] == 0xa5);
    const int failed = check(data, model, result);
    printf("options of %zu bytes, the library's have %zu\n", sizeof mine.options,
           imsat_options_size());
    imsat_result_free(result);
    imsat_model_free(model);
    imsat_data_free(data);
    return failed;
}
