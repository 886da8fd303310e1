/* SPDX-License-Identifier: MIT
 * Random hyperplanes: a bit differs as often as the angle between two rows says. */
#include "blobs.h"
#include "failing_alloc.h"
#include "support.h"

#include "imsat/search.h"

#include <math.h>
#include <string.h>

enum { BITS = 1024, BYTES = BITS / 8 };

static double bits_of_difference(const uint8_t *a, const uint8_t *b)
{
    int count = 0;
    for (size_t i = 0; i < BYTES; i++)
        for (int bit = 0; bit < 8; bit++)
            count += (a[i] ^ b[i]) >> bit & 1;
    return count;
}

/* The angle between two rows, seen from the mean. */
static double angle(const float *x, const double *mean, size_t a, size_t b)
{
    double aa = 0, bb = 0, ab = 0;
    for (size_t j = 0; j < BLOB_DIM; j++) {
        const double u = x[a * BLOB_DIM + j] - mean[j], v = x[b * BLOB_DIM + j] - mean[j];
        aa += u * u;
        bb += v * v;
        ab += u * v;
    }
    return acos(ab / sqrt(aa * bb));
}

/* Of 1,024 bits the share that differs has a deviation of at most 1/64; wherever the data
 * lies. */
static void bits_differ_as_the_angle_says(void **state)
{
    (void)state;
    static uint8_t codes[BLOB_ROWS * BYTES];
    static float x[BLOB_ROWS * BLOB_DIM];
    imsat_data *data = blobs_open(), *moved = NULL;
    imsat_error err;
    for (int far = 0; far < 2; far++) {
        imsat_model *model = NULL;
        imsat_options opt = blobs_hash_options("lsh");
        double mean[BLOB_DIM] = {0};
        opt.bits = BITS;
        opt.center = 0;
        assert_ok(imsat_data_read(data, 0, BLOB_ROWS, x, &err), &err);
        for (size_t i = 0; i < BLOB_ROWS * BLOB_DIM; i++) {
            x[i] += far ? 3000 : 0;
            mean[i % BLOB_DIM] += x[i] / BLOB_ROWS;
        }
        assert_ok(imsat_data_view(&moved, x, BLOB_ROWS, BLOB_DIM, BLOB_DIM, &err), &err);
        assert_ok(imsat_hash(&model, moved, &opt, NULL, &err), &err);
        assert_ok(imsat_encode(model, moved, codes, NULL, 2, &err), &err);
        for (size_t i = 0; i < BLOB_ROWS; i++) {
            const size_t other = (i * 7 + 1) % BLOB_ROWS;
            const double share =
                bits_of_difference(codes + i * BYTES, codes + other * BYTES) / BITS;
            assert_near(share, angle(x, mean, i, other) / acos(-1), 5.0 / 64);
        }
        imsat_model_free(model);
        imsat_data_free(moved);
    }
    imsat_data_free(data);
}

/* Seeds draw other planes. */
static void runs_differ(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_error err;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    imsat_options opt = blobs_hash_options("lsh");
    opt.runs = 2;
    assert_ok(imsat_hash(&model, data, &opt, &result, &err), &err);
    assert_int_equal(result->best, 0);
    assert_true(result->agreement > 0.2 && result->agreement < 1);
    imsat_result_free(result);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void the_same_file(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options opt = blobs_hash_options("lsh");
    blobs_same_file(data, &opt);
    imsat_data_free(data);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options opt = blobs_hash_options("lsh");
    assert_true(blobs_fail_each(data, &opt) > 10);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_differ_as_the_angle_says),
        cmocka_unit_test(runs_differ),
        cmocka_unit_test(the_same_file),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
