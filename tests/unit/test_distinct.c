/* SPDX-License-Identifier: MIT
 * Values that are merged by rounding are told, and what only looks like it is not. */
#include "data/distinct.h"

#include "data_files.h"
#include "failing_alloc.h"

#include <stdio.h>
#include <string.h>

enum { N = 150, D = 3 };

/* The note on rows x, kept as float64 or, of a view, as float32. */
static void note_of(char text[IM_DISTINCT_ROOM], const double *x, bool wide,
                    const imsat_options *options)
{
    imsat_error err;
    imsat_data *data = NULL;
    im_preprocess pre;
    static float narrow[N * D];
    if (wide) {
        char header[96];
        snprintf(header, sizeof header,
                 "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d)}", N, D);
        data = open_with(file_npy("x.npy", header, x, N * D * sizeof *x), NULL);
    } else {
        for (size_t i = 0; i < N * D; i++)
            narrow[i] = (float)x[i];
        assert_ok(imsat_data_view(&data, narrow, N, D, D, &err), &err);
    }
    assert_ok(im_preprocess_fit(&pre, data, options, NULL, &err), &err);
    assert_ok(im_distinct_note(text, data, &pre, &err), &err);
    im_preprocess_clear(&pre);
    imsat_data_free(data);
}

static imsat_options plain(void)
{
    imsat_options options;
    memset(&options, 0, sizeof options);
    options.scale = 1;
    return options;
}

/* Eighths without a pattern, which float holds; then a test spoils a column. */
static void fill(double x[N * D])
{
    uint32_t state = 99;
    for (size_t i = 0; i < N * D; i++) {
        state = state * 1664525U + 1013904223U;
        x[i] = 0.125 * (double)(state >> 22);
    }
}

static void times_are_told_unless_they_are_centered(void **state)
{
    (void)state;
    char text[IM_DISTINCT_ROOM];
    static double x[N * D];
    fill(x);
    for (size_t i = 0; i < N; i++)
        x[i * D + 1] = 1700000000000.0 + 1000 * (double)i; /* two floats */
    imsat_options options = plain();
    note_of(text, x, true, &options);
    assert_non_null(strstr(text, "column 1 (from 0) has 150 different values in 150 rows, of "
                                 "which 2 are left when they are rounded to float; --center "
                                 "or --standardize keeps them apart"));
    options.center = 1;
    note_of(text, x, true, &options);
    assert_string_equal(text, "");
    options = plain();
    options.standardize = 1;
    note_of(text, x, true, &options);
    assert_string_equal(text, "");
}

static size_t count_different(const double *x, size_t column)
{
    size_t different = 0;
    for (size_t i = 0; i < N; i++) {
        bool seen = false;
        for (size_t j = 0; j < i; j++)
            seen = seen || x[i * D + column] == x[j * D + column];
        different += !seen;
    }
    return different;
}

static void a_huge_value_hides_the_others(void **state)
{
    (void)state;
    char text[IM_DISTINCT_ROOM], expected[100];
    static double x[N * D];
    for (int wide = 0; wide < 2; wide++)
        for (int standardize = 0; standardize < 2; standardize++) {
            imsat_options options = plain();
            options.standardize = standardize, options.center = !standardize;
            fill(x);
            x[77 * D + 2] = -1e30;
            note_of(text, x, wide, &options);
            snprintf(expected, sizeof expected,
                     "column 2 (from 0) has %zu different values in 150 rows, of which 2 are "
                     "left",
                     count_different(x, 2));
            assert_non_null(strstr(text, expected));
            assert_non_null(strstr(text,
                                   "they are lost beside -1e+30 in row 77 (from 0): mend "
                                   "or leave out that row"));
        }
}

/* Ordinary data of either type, few values, constant columns, and sums that differ in their
 * last bits alone. */
static void what_is_no_loss_is_not_told(void **state)
{
    (void)state;
    char text[IM_DISTINCT_ROOM];
    static double x[N * D];
    for (int kind = 0; kind < 4; kind++)
        for (int wide = 0; wide < 2; wide++)
            for (int step = 0; step < 4; step++) {
                imsat_options options = plain();
                options.center = step == 1, options.standardize = step == 2;
                options.unit_norm = step == 3;
                fill(x);
                for (size_t i = 0; i < N * D; i++) {
                    const double tenth = (double)(i % 7) * 0.1;
                    x[i] = kind == 0   ? x[i]
                           : kind == 1 ? x[i] * 1e-3 + 1.0 / 3
                           : kind == 2 ? 5
                           : i % 2     ? tenth + 0.2
                                       : (tenth + 0.1) + 0.1;
                }
                note_of(text, x, wide, &options);
                assert_string_equal(text, "");
            }
}

static void short_integers_are_not_looked_at(void **state)
{
    (void)state;
    char text[IM_DISTINCT_ROOM] = "x";
    imsat_error err;
    const uint8_t bytes[4] = {1, 2, 3, 4};
    const im_preprocess pre = {.dim = 1, .scale = 1};
    imsat_data *data = open_with(
        file_npy("u.npy", "{'descr': '|u1', 'fortran_order': False, 'shape': (4, 1)}", bytes,
                 sizeof bytes),
        NULL);
    failing_alloc_arm(0);
    assert_ok(im_distinct_note(text, data, &pre, &err), &err);
    assert_int_equal(failing_alloc_count(), 0);
    assert_string_equal(text, "");
    imsat_data_free(data);
}

static imsat_status note_once(void *context, imsat_error *err)
{
    char text[IM_DISTINCT_ROOM];
    const im_preprocess pre = {.dim = D, .scale = 1};
    return im_distinct_note(text, context, &pre, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = NULL;
    const float x[4 * D] = {1, 2, 3};
    assert_ok(imsat_data_view(&data, x, 4, D, D, &err), &err);
    assert_int_equal(fail_each(note_once, data), 5);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_told_unless_they_are_centered),
        cmocka_unit_test(a_huge_value_hides_the_others),
        cmocka_unit_test(what_is_no_loss_is_not_told),
        cmocka_unit_test(short_integers_are_not_looked_at),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
