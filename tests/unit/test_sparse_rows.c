/* SPDX-License-Identifier: MIT
 * Prepared rows of sparse data: background and elements together are the filled row, to the
 * bit, by every preparation that allows it. */
#include "support.h"

#include "data/sparse_rows.h"
#include "failing_alloc.h"
#include "sparse_case.h"

#include <string.h>

enum { ROWS = 40, DIM = 53, EVERY = 7 };

static sparse_case made;

static int make(void **state)
{
    (void)state;
    sparse_case_make(&made, ROWS, DIM, EVERY, 3);
    return 0;
}

static int clear(void **state)
{
    (void)state;
    sparse_case_clear(&made);
    return 0;
}

/* The same columns, or none in both. */
static void assert_columns(const double *a, const double *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a)
        assert_memory_equal(a, b, DIM * sizeof *a);
}

/* What was learned of sparse rows is what was learned of the filled ones. */
static void assert_fit(const im_preprocess *a, const im_preprocess *b)
{
    assert_columns(a->mean, b->mean);
    assert_columns(a->inv_deviation, b->inv_deviation);
    assert_columns(a->center_mean, b->center_mean);
    assert_memory_equal(&a->factor, &b->factor, sizeof a->factor);
}

static void compare(const imsat_options *options)
{
    imsat_error err;
    im_preprocess pre, of_dense;
    im_sparse_rows rows;
    float filled[DIM], row[DIM], value[DIM];
    double work[DIM];
    assert_ok(im_preprocess_fit(&pre, made.sparse, options, NULL, &err), &err);
    assert_ok(im_preprocess_fit(&of_dense, made.dense, options, NULL, &err), &err);
    assert_fit(&pre, &of_dense);
    assert_true(im_sparse_rows_fit(made.sparse, &pre));
    assert_ok(im_sparse_rows_new(&rows, made.sparse, &pre, &err), &err);
    assert_int_equal(rows.longest, im_data_longest(made.sparse));
    for (size_t i = 0; i < ROWS; i++) {
        const im_csr_row raw = im_sparse_rows_raw(&rows, i);
        im_preprocess_read(filled, made.dense, i, &of_dense, work);
        im_sparse_rows_prepared(value, &rows, i);
        for (size_t j = 0; j < DIM; j++)
            row[j] = rows.background ? rows.background[j] : 0;
        for (size_t e = 0; e < raw.count; e++)
            row[raw.column[e]] = value[e];
        for (size_t j = 0; j < DIM; j++)
            row[j] += 0.0F, filled[j] += 0.0F; /* the sign of 0 aside */
        assert_memory_equal(row, filled, sizeof row);
    }
    im_sparse_rows_clear(&rows);
    im_preprocess_clear(&of_dense);
    im_preprocess_clear(&pre);
}

/* All that may be combined. */
static void elements_and_background_are_the_filled_row(void **state)
{
    (void)state;
    for (int form = 0; form < 32; form++) {
        imsat_options options;
        imsat_options_init(&options, "imsat-rpt", IMSAT_PRESET_DEFAULT);
        options.scale = form & 1 ? -0.37 : 1;
        options.shift = form & 2 ? 0.81 : 0;
        options.standardize = form & 4 ? 1 : 0;
        options.unit_norm = form & 8 ? 1 : 0;
        options.center = form & 16 ? 1 : 0;
        if (!(options.unit_norm && (options.standardize || options.shift > 0)))
            compare(&options);
    }
}

static void what_does_not_fit(void **state)
{
    (void)state;
    im_preprocess pre = {.dim = DIM, .scale = 1, .unit_norm = true, .factor = 1};
    assert_true(im_sparse_rows_fit(made.sparse, &pre));
    assert_false(im_sparse_rows_fit(made.dense, &pre));
    pre.shift = 1;
    assert_false(im_sparse_rows_fit(made.sparse, &pre));
    pre.shift = 0;
    pre.standardize = true;
    assert_false(im_sparse_rows_fit(made.sparse, &pre));
    pre.unit_norm = false;
    assert_true(im_sparse_rows_fit(made.sparse, &pre));
}

static imsat_status attempt(void *context, imsat_error *err)
{
    im_sparse_rows rows = {0};
    const imsat_status st = im_sparse_rows_new(&rows, made.sparse, context, err);
    im_sparse_rows_clear(&rows);
    return st;
}

static void memory_may_fail(void **state)
{
    (void)state;
    im_preprocess pre = {.dim = DIM, .scale = 1, .shift = 2, .factor = 1};
    assert_int_equal(fail_each(attempt, &pre), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_and_background_are_the_filled_row),
        cmocka_unit_test(what_does_not_fit),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, make, clear);
}
