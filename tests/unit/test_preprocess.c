/* SPDX-License-Identifier: MIT
 * Preprocessing against sums done by hand, in long double. */
#include "data/preprocess.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "stopping.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 7, D = 11 };

/* Values without a pattern; column 3 is constant and not a sum of powers of two. */
static void fill(float x[N * D])
{
    uint32_t state = 12345;
    for (size_t i = 0; i < N * D; i++) {
        state = state * 1664525U + 1013904223U;
        x[i] = i % D == 3 ? 0.1f : (float)(state >> 8) / 1e6f - 4;
    }
}

static imsat_options plain_options(void)
{
    imsat_options options;
    memset(&options, 0, sizeof options);
    options.scale = 1;
    return options;
}

/* Fit to x and prepare it into y. */
static im_preprocess prepare_all(float *y, const float *x, size_t n, size_t dim,
                                 const imsat_options *options)
{
    imsat_data *data = NULL;
    im_preprocess pre = {0};
    double scratch[64];
    assert_int_equal(imsat_data_view(&data, x, n, dim, dim, NULL), IMSAT_OK);
    assert_int_equal(im_preprocess_fit(&pre, data, options, NULL, NULL), IMSAT_OK);
    for (size_t i = 0; i < n; i++)
        im_preprocess_row(y + i * dim, x + i * dim, &pre, scratch);
    imsat_data_free(data);
    return pre;
}

static void nothing_to_do_gives_the_same_bits(void **state)
{
    (void)state;
    float x[N * D], y[N * D];
    fill(x);
    x[0] = -0.0f;
    const imsat_options options = plain_options();
    im_preprocess pre = prepare_all(y, x, N, D, &options);
    assert_memory_equal(x, y, sizeof x);
    assert_null(pre.mean);
    assert_null(pre.center_mean);
    im_preprocess_clear(&pre);
}

static void scale_and_shift(void **state)
{
    (void)state;
    float x[N * D], y[N * D];
    fill(x);
    imsat_options options = plain_options();
    options.scale = 1.0 / 128, options.shift = -1;
    im_preprocess pre = prepare_all(y, x, N, D, &options);
    for (size_t i = 0; i < N * D; i++)
        assert_true(y[i] == (float)((double)x[i] / 128 - 1));
    im_preprocess_clear(&pre);
}

static void standardize_gives_mean_0_deviation_1(void **state)
{
    (void)state;
    float x[N * D], y[N * D];
    fill(x);
    imsat_options options = plain_options();
    options.standardize = 1, options.scale = 3, options.shift = 100;
    im_preprocess pre = prepare_all(y, x, N, D, &options);
    for (size_t j = 0; j < D; j++) {
        long double sum = 0, square = 0;
        for (size_t i = 0; i < N; i++)
            sum += y[i * D + j], square += (long double)y[i * D + j] * y[i * D + j];
        assert_near((double)(sum / N), 0, 1e-7);
        assert_near((double)(square / N), j == 3 ? 0 : 1, j == 3 ? 0 : 1e-6);
        long double mean = 0;
        for (size_t i = 0; i < N; i++)
            mean += (3.0L * x[i * D + j] + 100) / N;
        assert_near(pre.mean[j], (double)mean, 1e-12);
    }
    assert_true(pre.inv_deviation[3] == 0 && y[3] == 0);
    im_preprocess_clear(&pre);
}

static void unit_norm_gives_rows_of_length_1(void **state)
{
    (void)state;
    float x[N * D], y[N * D];
    fill(x);
    memset(x + 2 * D, 0, D * sizeof *x);
    imsat_options options = plain_options();
    options.unit_norm = 1;
    im_preprocess pre = prepare_all(y, x, N, D, &options);
    for (size_t i = 0; i < N; i++) {
        double square = 0, dot = 0, length = 0;
        for (size_t j = 0; j < D; j++) {
            square += (double)y[i * D + j] * (double)y[i * D + j];
            dot += (double)x[i * D + j] * (double)y[i * D + j];
            length += (double)x[i * D + j] * (double)x[i * D + j];
        }
        assert_near(square, i == 2 ? 0 : 1, i == 2 ? 0 : 1e-6);
        assert_near(dot, sqrt(length), 1e-5);
    }
    im_preprocess_clear(&pre);
}

static void center_has_one_factor(void **state)
{
    (void)state;
    float x[N * D], y[N * D];
    fill(x);
    imsat_options options = plain_options();
    options.center = 1;
    im_preprocess pre = prepare_all(y, x, N, D, &options);
    long double square = 0;
    for (size_t j = 0; j < D; j++) {
        long double mean = 0;
        for (size_t i = 0; i < N; i++)
            mean += (long double)x[i * D + j] / N;
        assert_near(pre.center_mean[j], (double)mean, 1e-14);
        for (size_t i = 0; i < N; i++)
            square += (x[i * D + j] - mean) * (x[i * D + j] - mean);
    }
    assert_near(pre.factor, (double)(1 / sqrtl(square / (N * D))), 1e-14);
    for (size_t i = 0; i < N * D; i++)
        assert_true(y[i] == (float)(((double)x[i] - pre.center_mean[i % D]) * pre.factor));
    im_preprocess_clear(&pre);
}

/* x -> 4 x + 8 is exact here: what comes out of center must not show it. */
static void center_forgets_an_exact_scale_and_shift(void **state)
{
    (void)state;
    float x[N * D], moved[N * D], y[N * D], z[N * D];
    for (size_t i = 0; i < N * D; i++)
        x[i] = (float)(i * i % 251);
    for (size_t i = 0; i < N * D; i++)
        moved[i] = 4 * x[i] + 8;
    imsat_options options = plain_options();
    options.center = 1;
    im_preprocess a = prepare_all(y, x, N, D, &options);
    im_preprocess b = prepare_all(z, moved, N, D, &options);
    assert_memory_equal(y, z, sizeof y);
    im_preprocess_clear(&a);
    im_preprocess_clear(&b);
}

/* All steps: each must see what the one before left. */
static void steps_follow_each_other(void **state)
{
    (void)state;
    float x[N * D], y[N * D], step[N * D], next[N * D];
    fill(x);
    imsat_options options = plain_options();
    options.scale = 2, options.shift = 1;
    options.standardize = options.unit_norm = options.center = 1;
    im_preprocess pre = prepare_all(y, x, N, D, &options);
    im_preprocess_clear(&pre);
    imsat_options one[4];
    for (size_t s = 0; s < 4; s++)
        one[s] = plain_options();
    one[0].scale = 2, one[0].shift = 1;
    one[1].standardize = 1, one[2].unit_norm = 1, one[3].center = 1;
    memcpy(step, x, sizeof step);
    for (size_t s = 0; s < 4; s++) {
        pre = prepare_all(next, step, N, D, &one[s]);
        im_preprocess_clear(&pre);
        memcpy(step, next, sizeof step);
    }
    for (size_t i = 0; i < N * D; i++)
        assert_near((double)y[i], (double)step[i], 2e-6);
}

static void constant_data(void **state)
{
    (void)state;
    float x[N * D], y[N * D];
    for (size_t i = 0; i < N * D; i++)
        x[i] = 0.1f + (float)(i % D);
    imsat_options options = plain_options();
    options.center = 1;
    im_preprocess pre = prepare_all(y, x, N, D, &options);
    assert_true(pre.factor == 1);
    for (size_t i = 0; i < N * D; i++)
        assert_true(y[i] == 0);
    im_preprocess_clear(&pre);
}

/* Rows of times in milliseconds and of small numbers, a second and an eighth apart. */
enum { TIMES = 40 };
static const double NOW = 1700000000000.0;

static double time_at(size_t i, size_t j)
{
    return j == 0 ? NOW + 1000 * (double)i : 0.125 * (double)(i % 9);
}

/* The file of these rows in one of the types that float rounds; integers hold 8 times the
 * second column. */
static const char *times_file(const char *type)
{
    double wide[2 * TIMES];
    int64_t whole[2 * TIMES];
    char header[96];
    for (size_t i = 0; i < 2 * TIMES; i++) {
        wide[i] = time_at(i / 2, i % 2);
        whole[i] = (int64_t)(wide[i] * (i % 2 ? 8 : 1));
    }
    snprintf(header, sizeof header,
             "{'descr': '%s', 'fortran_order': False, 'shape': (%d, 2)}", type, TIMES);
    const void *x = strcmp(type, "<f8") == 0 ? (const void *)wide : (const void *)whole;
    return file_npy("times.npy", header, x, sizeof wide);
}

/* As float, these times are one number, 131072 ms from the next. */
static void times_are_centered_before_they_are_rounded(void **state)
{
    (void)state;
    static const char *const types[] = {"<f8", "<i8", "<u8"};
    for (size_t t = 0; t < 3; t++)
        for (int standardize = 0; standardize < 2; standardize++) {
            imsat_data *data = open_with(times_file(types[t]), NULL);
            imsat_options options = plain_options();
            im_preprocess pre = {0};
            float rows[TIMES][2];
            double scratch[2];
            options.standardize = standardize;
            options.center = !standardize;
            assert_int_equal(im_preprocess_fit(&pre, data, &options, NULL, NULL), IMSAT_OK);
            for (size_t i = 0; i < TIMES; i++)
                im_preprocess_read(rows[i], data, i, &pre, scratch);
            const double mean = NOW + 1000 * (TIMES - 1) / 2.0;
            const double factor = standardize ? pre.inv_deviation[0] : pre.factor;
            for (size_t i = 0; i < TIMES; i++)
                assert_near((double)rows[i][0], (time_at(i, 0) - mean) * factor, 1e-6);
            im_preprocess_clear(&pre);
            imsat_data_free(data);
        }
}

/* Of types that float holds, a row of the data and the same floats are the same bits. */
static void a_row_of_the_data_is_that_of_its_floats(void **state)
{
    (void)state;
    float x[N * D], y[N * D], row[D];
    double scratch[D];
    imsat_data *data = NULL;
    imsat_options options = plain_options();
    options.center = options.standardize = options.unit_norm = 1, options.shift = 3;
    fill(x);
    im_preprocess pre = prepare_all(y, x, N, D, &options);
    assert_int_equal(imsat_data_view(&data, x, N, D, D, NULL), IMSAT_OK);
    for (size_t i = 0; i < N; i++) {
        im_preprocess_read(row, data, i, &pre, scratch);
        assert_memory_equal(row, y + i * D, sizeof row);
    }
    imsat_data_free(data);
    im_preprocess_clear(&pre);
}

/* 2^60 + 2^36 + 1 is above the middle between two floats; as double it is the middle, which
 * goes to the even one below. */
static void without_steps_an_element_is_rounded_once(void **state)
{
    (void)state;
    const int64_t x[1] = {(INT64_C(1) << 60) + (INT64_C(1) << 36) + 1};
    imsat_options options = plain_options();
    im_preprocess pre = {0};
    float row[1];
    double scratch[1];
    imsat_data *data = open_with(
        file_npy("a.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 1)}", x,
                 sizeof x),
        NULL);
    assert_int_equal(im_preprocess_fit(&pre, data, &options, NULL, NULL), IMSAT_OK);
    im_preprocess_read(row, data, 0, &pre, scratch);
    assert_true(row[0] == (float)x[0] && row[0] != (float)(double)x[0]);
    im_preprocess_clear(&pre);
    imsat_data_free(data);
}

static void in_place_is_the_same(void **state)
{
    (void)state;
    float x[N * D], y[N * D];
    double scratch[D];
    fill(x);
    imsat_options options = plain_options();
    options.center = options.unit_norm = 1;
    im_preprocess pre = prepare_all(y, x, N, D, &options);
    for (size_t i = 0; i < N; i++)
        im_preprocess_row(x + i * D, x + i * D, &pre, scratch);
    assert_memory_equal(x, y, sizeof x);
    im_preprocess_clear(&pre);
}

static void bad_scales_are_refused(void **state)
{
    (void)state;
    const float x[4] = {1, 2, 3e38f, 4};
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    im_preprocess pre = {.dim = 99};
    imsat_options options = plain_options();
    assert_int_equal(imsat_data_view(&data, x, 2, 2, 2, NULL), IMSAT_OK);
    options.scale = 2;
    assert_int_equal(im_preprocess_fit(&pre, data, &options, NULL, &err), IMSAT_EINVAL);
    assert_non_null(strstr(err.message, "row 1, column 0"));
    options.scale = (double)NAN;
    assert_int_equal(im_preprocess_fit(&pre, data, &options, NULL, &err), IMSAT_EINVAL);
    assert_int_equal(pre.dim, 99);
    options.scale = 2, options.center = 1; /* comes back into range */
    assert_int_equal(im_preprocess_fit(&pre, data, &options, NULL, &err), IMSAT_OK);
    im_preprocess_clear(&pre);
    imsat_data_free(data);
}

/* Steps that square would make inf, NaN or 0 of what is finite. */
static void scales_that_overflow_are_refused(void **state)
{
    (void)state;
    const float x[6] = {1, -2, 3, 40, 5, 6};
    imsat_data *data = NULL;
    assert_int_equal(imsat_data_view(&data, x, 3, 2, 2, NULL), IMSAT_OK);
    for (int step = 0; step < 4; step++)
        for (int overflows = 0; overflows < 2; overflows++) {
            imsat_error err = {{0}};
            im_preprocess pre = {.dim = 99};
            imsat_options options = plain_options();
            options.scale = step == 0 ? (overflows ? 1e38 : 1e36) : overflows ? 1e200 : 1e100;
            options.standardize = step == 1, options.unit_norm = step == 2;
            options.center = step == 3;
            const imsat_status st = im_preprocess_fit(&pre, data, &options, NULL, &err);
            if (!overflows) {
                assert_ok(st, &err);
                im_preprocess_clear(&pre);
                continue;
            }
            assert_refused(st, &err, IMSAT_EINVAL, "row 1, column 1 (both from 0) is 40");
            assert_int_equal(pre.dim, 99);
        }
    imsat_options options = plain_options();
    imsat_error err = {{0}};
    im_preprocess pre = {0};
    options.shift = -1e300, options.center = 1;
    assert_refused(im_preprocess_fit(&pre, data, &options, NULL, &err), &err, IMSAT_EINVAL,
                   "becomes -1e+300, beyond what can be squared");
    imsat_data_free(data);
}

static void the_largest_value_is_found(void **state)
{
    (void)state;
    float x[N * D], y[N * D];
    imsat_options options = plain_options();
    imsat_data *data = NULL;
    im_peak peak = {0};
    fill(x);
    x[4 * D + 6] = -1000;
    options.center = options.standardize = 1;
    im_preprocess pre = prepare_all(y, x, N, D, &options);
    assert_int_equal(imsat_data_view(&data, x, N, D, D, NULL), IMSAT_OK);
    assert_int_equal(im_preprocess_peak(&peak, data, &pre, NULL), IMSAT_OK);
    assert_true(peak.row == 4 && peak.column == 6 && peak.value == -1000);
    assert_true((float)peak.prepared == y[4 * D + 6]);
    im_preprocess_clear(&pre);
    imsat_data_free(data);
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    float x[N * D];
    imsat_data *data = NULL;
    imsat_error err;
    fill(x);
    assert_int_equal(imsat_data_view(&data, x, N, D, D, NULL), IMSAT_OK);
    for (int center = 0; center < 2; center++) {
        im_preprocess pre = {.dim = 99};
        imsat_options options = plain_options();
        options.center = center, options.standardize = !center;
        assert_stopped(im_preprocess_fit(&pre, data, &options, &stopping, &err));
        assert_int_equal(pre.dim, 99);
    }
    imsat_data_free(data);
}

/* Sums are taken about the first row, and are good even if no other is like it. */
static void a_first_row_that_is_far_from_all(void **state)
{
    (void)state;
    enum { ROWS = 5000 };
    static float x[ROWS * 2];
    static float y[ROWS * 2];
    long double mean[2] = {0}, square[2] = {0};
    for (size_t i = 0; i < ROWS; i++) {
        x[2 * i] = i == 0 ? 1e9f : 100 + (float)(i % 13) * 1e-3f;
        x[2 * i + 1] = i == 0 ? -3e5f : (float)(i % 7);
    }
    for (size_t i = 0; i < (size_t)ROWS * 2; i++)
        mean[i % 2] += (long double)x[i] / ROWS;
    for (size_t i = 0; i < (size_t)ROWS * 2; i++)
        square[i % 2] += (x[i] - mean[i % 2]) * (x[i] - mean[i % 2]) / ROWS;
    imsat_options options = plain_options();
    options.standardize = 1;
    im_preprocess pre = prepare_all(y, x, ROWS, 2, &options);
    for (size_t j = 0; j < 2; j++) {
        const double deviation = (double)sqrtl(square[j]);
        assert_near((double)(pre.mean[j] - mean[j]) / deviation, 0, 1e-11);
        assert_near(pre.inv_deviation[j] * deviation, 1, 1e-11);
    }
    im_preprocess_clear(&pre);
}

static imsat_status fit_once(void *context, imsat_error *err)
{
    im_preprocess pre = {.dim = 99};
    imsat_options options = plain_options();
    options.standardize = options.center = 1, options.scale = 1e120; /* needs the peak */
    const imsat_status st = im_preprocess_fit(&pre, context, &options, NULL, err);
    if (st == IMSAT_OK)
        im_preprocess_clear(&pre);
    else
        assert_int_equal(pre.dim, 99);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    float x[N * D];
    imsat_data *data = NULL;
    fill(x);
    assert_int_equal(imsat_data_view(&data, x, N, D, D, NULL), IMSAT_OK);
    assert_int_equal(fail_each(fit_once, data), 12);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_do_gives_the_same_bits),
        cmocka_unit_test(scale_and_shift),
        cmocka_unit_test(standardize_gives_mean_0_deviation_1),
        cmocka_unit_test(unit_norm_gives_rows_of_length_1),
        cmocka_unit_test(center_has_one_factor),
        cmocka_unit_test(center_forgets_an_exact_scale_and_shift),
        cmocka_unit_test(steps_follow_each_other),
        cmocka_unit_test(constant_data),
        cmocka_unit_test(times_are_centered_before_they_are_rounded),
        cmocka_unit_test(a_row_of_the_data_is_that_of_its_floats),
        cmocka_unit_test(without_steps_an_element_is_rounded_once),
        cmocka_unit_test(in_place_is_the_same),
        cmocka_unit_test(bad_scales_are_refused),
        cmocka_unit_test(scales_that_overflow_are_refused),
        cmocka_unit_test(the_largest_value_is_found),
        cmocka_unit_test(a_first_row_that_is_far_from_all),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
