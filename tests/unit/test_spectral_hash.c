/* SPDX-License-Identifier: MIT
 * Spectral hashing on a rectangle, whose waves are known. */
#include "blobs.h"
#include "failing_alloc.h"
#include "support.h"

#include "imsat/search.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A grid of points, at 30 degrees, far from 0. */
enum { ACROSS = 41, UP = 17, ROWS = ACROSS * UP, BITS = 8 };
static const double WIDTH = 5, HEIGHT = 1.7;
static float x[ROWS * 2];

static imsat_data *open_rectangle(void)
{
    imsat_error err;
    imsat_data *data = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        const double a = WIDTH * (double)(i % ACROSS) / (ACROSS - 1);
        const double b = HEIGHT * (double)(i / ACROSS) / (UP - 1);
        x[2 * i] = (float)(20 + sqrt(0.75) * a - 0.5 * b);
        x[2 * i + 1] = (float)(-7 + 0.5 * a + sqrt(0.75) * b);
    }
    assert_ok(imsat_data_view(&data, x, ROWS, 2, 2, &err), &err);
    return data;
}

static imsat_options options_of(size_t bits)
{
    imsat_options opt = blobs_hash_options("spectral-hash");
    opt.bits = bits;
    return opt;
}

/* Waves in the order of m / side: across 1/5, 2/5, up 1/1.7, across 3/5, 4/5, 5/5, up 2/1.7
 * (1.176), across 6/5. A wave may begin at either end: m odd changes its sign then. */
static void the_waves_of_a_rectangle(void **state)
{
    (void)state;
    static const struct {
        bool up;
        int half_waves;
    } expected[BITS] = {{false, 1}, {false, 2}, {true, 1}, {false, 3},
                        {false, 4}, {false, 5}, {true, 2}, {false, 6}};
    static float proba[ROWS * BITS];
    uint8_t codes[ROWS];
    const double pi = acos(-1);
    imsat_error err;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    imsat_data *data = open_rectangle();
    imsat_options opt = options_of(BITS);
    opt.center = 0;
    double objective = 0;
    assert_ok(imsat_hash(&model, data, &opt, &result, &err), &err);
    assert_ok(imsat_encode(model, data, codes, proba, 2, &err), &err);
    for (size_t b = 0; b < BITS; b++) {
        const int m = expected[b].half_waves;
        double sign = 0;
        objective += pow(pi * m / (expected[b].up ? HEIGHT : WIDTH), 2);
        for (size_t i = 0; i < ROWS; i++) {
            const double t = expected[b].up ? (double)(i / ACROSS) / (UP - 1)
                                            : (double)(i % ACROSS) / (ACROSS - 1);
            const double wave = cos(pi * m * t);
            const double p = (double)proba[i * BITS + b];
            if (i == 0)
                sign = p > 0.5 ? 1 : -1;
            assert_near(p, 1 / (1 + exp(-sign * wave)), 1e-4);
            if (fabs(wave) > 1e-3)
                assert_int_equal(codes[i] >> (7 - b) & 1, sign * wave > 0);
        }
        assert_true(m % 2 == 1 || sign > 0);
    }
    assert_near(imsat_result_run(result, 0)->objective, objective, 1e-4 * objective);
    imsat_result_free(result);
    imsat_model_free(model);
    imsat_data_free(data);
}

/* More bits than columns; a side without extent has no wave. */
static void a_line_has_waves_along_it(void **state)
{
    (void)state;
    uint8_t codes[2 * ROWS];
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = open_rectangle();
    const imsat_options opt = options_of(11);
    for (size_t i = 0; i < ROWS; i++) {
        x[2 * i] = (float)i;
        x[2 * i + 1] = 3;
    }
    assert_ok(imsat_hash(&model, data, &opt, NULL, &err), &err);
    assert_ok(imsat_encode(model, data, codes, NULL, 1, &err), &err);
    for (size_t b = 0; b < 11; b++) {
        size_t changes = 0;
        for (size_t i = 1; i < ROWS; i++)
            changes += (codes[2 * i + b / 8] >> (7 - b % 8) & 1) !=
                       (codes[2 * i - 2 + b / 8] >> (7 - b % 8) & 1);
        assert_int_equal(changes, b + 1);
    }
    imsat_model_free(model);
    imsat_data_free(data);
}

static void rows_that_are_all_the_same_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = open_rectangle();
    imsat_options opt = options_of(3);
    opt.center = 0;
    for (size_t i = 0; i < ROWS * 2; i++)
        x[i] = 4;
    assert_refused(imsat_hash(&model, data, &opt, NULL, &err), &err, IMSAT_EINVAL,
                   "all 697 rows are the same");
    imsat_data_free(data);
}

/* What is saved is what predicts. */
static void a_file_has_the_waves(void **state)
{
    (void)state;
    uint8_t one[2 * BLOB_ROWS], two[2 * BLOB_ROWS];
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = blobs_open();
    const imsat_options opt = options_of(BLOB_BITS);
    assert_ok(imsat_hash(&model, data, &opt, NULL, &err), &err);
    assert_ok(imsat_encode(model, data, one, NULL, 1, &err), &err);
    assert_ok(imsat_model_save(model, in_folder("model"), &err), &err);
    imsat_model_free(model);
    assert_ok(imsat_model_load(&model, in_folder("model"), &err), &err);
    assert_ok(imsat_encode(model, data, two, NULL, 3, &err), &err);
    assert_memory_equal(one, two, sizeof one);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void the_same_file(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    const imsat_options opt = options_of(BLOB_BITS);
    blobs_same_file(data, &opt);
    imsat_data_free(data);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options opt = options_of(BLOB_BITS);
    assert_true(blobs_fail_each(data, &opt) > 15);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_waves_of_a_rectangle),
        cmocka_unit_test(a_line_has_waves_along_it),
        cmocka_unit_test(rows_that_are_all_the_same_are_refused),
        cmocka_unit_test(a_file_has_the_waves),
        cmocka_unit_test(the_same_file),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
