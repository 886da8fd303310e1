/* SPDX-License-Identifier: MIT
 *
 * Tell the method what should not matter: clusters of 8x8 digits that stay the same when a
 * digit moves by a pixel and its ink gets a little darker or lighter.
 *
 *     example_02_own_augmentation [DATA [LABEL_COLUMN [EPOCHS]]]
 *
 * The defaults are data/digits.csv.gz, column 64 and 30 epochs. Prints how well the
 * clusters match the labels, which training never sees.
 *
 * introduces: the method "own" with imsat_augment_fn, imsat_result, imsat_evaluate_clusters
 */
#include <imsat/imsat.h>

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 8, CLUSTERS = 10 };

/* The next number of a sequence that starts at *state (SplitMix64). Everything random comes
 * from the seed of the call, so a run can be repeated. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* One image moved by (down, right) pixels and its values multiplied by ink. */
static void move_image(float *out, const float *in, int down, int right, float ink)
{
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const int from_y = y - down, from_x = x - right;
            const int inside = from_y >= 0 && from_y < SIDE && from_x >= 0 && from_x < SIDE;
            out[y * SIDE + x] = inside ? ink * in[from_y * SIDE + from_x] : 0;
        }
    }
}

/* T(x) of a batch: each image by -1, 0 or 1 pixel each way, each ink by 0.9 to 1.1. */
static int augment(void *user, float *out, const float *in, const size_t *rows, size_t n,
                   size_t dim, uint64_t seed)
{
    (void)user;
    (void)rows;
    if (dim != SIDE * SIDE)
        return -1; /* not our images: stop the run */
    for (size_t i = 0; i < n; i++) {
        const uint64_t random = next_random(&seed);
        const int down = (int)(random % 3) - 1, right = (int)(random / 3 % 3) - 1;
        const float ink = 0.9f + 0.2f * (float)(random >> 40) / (float)(1 << 24);
        move_image(out + i * dim, in + i * dim, down, right, ink);
    }
    return 0;
}

/* Print the score of the kept run, if the data has labels. */
static imsat_status print_score(const imsat_data *data, const imsat_result *result,
                                imsat_error *err)
{
    const int32_t *truth = imsat_data_labels(data);
    imsat_cluster_score score;
    if (!truth)
        return IMSAT_OK;
    const imsat_status st =
        imsat_evaluate_clusters(&score, result->labels + result->best * result->rows, truth,
                                imsat_data_rows(data), err);
    if (st == IMSAT_OK)
        printf("ACC %.4f\n", score.acc);
    return st;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "data/digits.csv.gz";
    const imsat_data_options columns = {.label_column = argc > 2 ? argv[2] : "64"};
    imsat_error err;
    imsat_data *data = NULL;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    imsat_options options;

    imsat_options_init(&options, "own", IMSAT_PRESET_DEFAULT);
    options.k = CLUSTERS;
    options.augment = augment;
    options.epochs = argc > 3 ? strtoul(argv[3], NULL, 10) : 30;

    imsat_status st = imsat_data_open(&data, &path, 1, &columns, &err);
    if (st == IMSAT_OK)
        st = imsat_cluster(&model, data, &options, &result, &err);
    if (st == IMSAT_OK) {
        printf("objective %.4f\n", imsat_result_run(result, result->best)->objective);
        st = print_score(data, result, &err);
    }
    if (st != IMSAT_OK)
        fprintf(stderr, "%s\n", err.message);

    imsat_result_free(result);
    imsat_model_free(model);
    imsat_data_free(data);
    return st == IMSAT_OK ? 0 : 1;
}
