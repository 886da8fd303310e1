/* SPDX-License-Identifier: MIT
 * Prepared and scaled rows, in order and out of it. tsan: all. */
#include "linear/frame.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "sparse_case.h"
#include "stopping.h"
#include "support.h"

#include <math.h>

enum { N = 2311, D = 7 };

/* Scaling keeps the shape: distances are those of the rows, times the factor. */
static void scaling_keeps_distances(void **state)
{
    (void)state;
    mixture m;
    mixture_make(&m, N, D, 3);
    for (size_t i = 0; i < N * D; i++)
        m.x[i] = m.x[i] * 1e20F + 3e20F;
    mixture_fit(&m, 2);
    im_real a[D], b[D];
    float raw[D];
    double scratch[D], largest = 0;
    for (size_t i = 0; i + 1 < N; i++) {
        double sq = 0;
        im_frame_scaled(a, &m.frame, i, raw, scratch);
        im_frame_scaled(b, &m.frame, i + 1, raw, scratch);
        for (size_t j = 0; j < D; j++) {
            sq += ((double)a[j] - b[j]) * ((double)a[j] - b[j]);
            largest = fmax(largest, fabs((double)a[j]));
        }
        const double expected = m.frame.factor * mixture_distance(&m, i, i + 1);
        assert_near(sqrt(sq), expected, 1e-6);
    }
    assert_true(largest > 0.4 && largest <= 1);
    mixture_clear(&m);
}

static void an_order_moves_rows(void **state)
{
    (void)state;
    mixture m;
    float raw[D];
    double scratch[D];
    mixture_make(&m, N, D, 2);
    m.pre.scale = 2;
    mixture_fit(&m, 1);
    m.frame.order = im_alloc(N, sizeof *m.frame.order);
    assert_non_null(m.frame.order);
    for (size_t i = 0; i < N; i++)
        m.frame.order[i] = (uint32_t)(N - 1 - i);
    im_frame_prepared(raw, &m.frame, 4, scratch);
    assert_int_equal(im_frame_row(&m.frame, 4), N - 5);
    for (size_t j = 0; j < D; j++)
        assert_near(raw[j], 2 * m.x[(N - 5) * D + j], 0);
    mixture_clear(&m);
}

static void norms_are_those_of_the_rows(void **state)
{
    (void)state;
    mixture m;
    static float one[N], three[N];
    im_real row[D];
    float raw[D];
    double scratch[D];
    im_pool *pool = NULL;
    mixture_make(&m, N, D, 5);
    mixture_fit(&m, 3);
    assert_int_equal(im_pool_new(&pool, 1, NULL), IMSAT_OK);
    assert_int_equal(im_frame_sq_norms(three, &m.frame, m.pool, NULL, NULL), IMSAT_OK);
    assert_int_equal(im_frame_sq_norms(one, &m.frame, pool, NULL, NULL), IMSAT_OK);
    assert_memory_equal(one, three, sizeof one);
    for (size_t i = 0; i < N; i++) {
        double sq = 0;
        im_frame_scaled(row, &m.frame, i, raw, scratch);
        for (size_t j = 0; j < D; j++)
            sq += (double)row[j] * row[j];
        assert_near(one[i], sq, 1e-6);
    }
    im_pool_free(pool);
    mixture_clear(&m);
}

/* Of sparse rows, with zeros that stay zeros and with zeros that do not: norms are those of
 * the filled rows to the bit, and the largest coordinate is near 1. */
static void norms_of_sparse_rows(void **state)
{
    (void)state;
    enum { ROWS = 1130, DIM = 37 };
    sparse_case made;
    static float norms[ROWS];
    im_pool *pool = NULL;
    sparse_case_make(&made, ROWS, DIM, 9, 3);
    assert_int_equal(im_pool_new(&pool, 2, NULL), IMSAT_OK);
    for (int shifted = 0; shifted < 2; shifted++) {
        const im_preprocess pre = {.dim = DIM, .scale = 3, .shift = shifted ? -2.5 : 0};
        im_frame frame;
        im_real row[DIM];
        float raw[DIM];
        double scratch[DIM], largest = 0;
        assert_int_equal(im_frame_fit(&frame, made.sparse, &pre, pool, NULL, NULL), IMSAT_OK);
        assert_true(im_frame_is_sparse(&frame));
        assert_int_equal(im_frame_sq_norms(norms, &frame, pool, NULL, NULL), IMSAT_OK);
        for (size_t i = 0; i < ROWS; i++) {
            double sq = 0;
            im_frame_scaled(row, &frame, i, raw, scratch);
            for (size_t j = 0; j < DIM; j++) {
                sq += (double)row[j] * row[j];
                largest = fmax(largest, fabs((double)row[j]));
            }
            assert_true(norms[i] == (float)sq);
        }
        assert_true(largest >= 0.5 && largest < 1);
        im_frame_clear(&frame);
    }
    im_pool_free(pool);
    sparse_case_clear(&made);
}

static void equal_rows_have_no_extent(void **state)
{
    (void)state;
    mixture m;
    im_real row[D];
    float raw[D];
    double scratch[D];
    mixture_make(&m, 32, D, 1); /* their mean has no rounding error */
    for (size_t i = 0; i < 32 * D; i++)
        m.x[i] = 0.25F;
    mixture_fit(&m, 2);
    im_frame_scaled(row, &m.frame, 31, raw, scratch);
    for (size_t j = 0; j < D; j++)
        assert_near(row[j], 0, 0);
    mixture_clear(&m);
}

static void a_copy_changes_nothing(void **state)
{
    (void)state;
    mixture m;
    enum { ROW = 2000, BYTES = N * D * sizeof(im_real) };
    im_real before[D], after[D];
    float raw[D];
    double scratch[D];
    mixture_make(&m, N, D, 2);
    mixture_fit(&m, 3);
    im_frame_scaled(before, &m.frame, ROW, raw, scratch);
    assert_int_equal(im_frame_keep(&m.frame, BYTES - 1, m.pool, NULL, NULL), IMSAT_OK);
    assert_null(m.frame.kept);
    assert_int_equal(im_frame_keep(&m.frame, BYTES, m.pool, NULL, NULL), IMSAT_OK);
    assert_non_null(m.frame.kept);
    im_frame_scaled(after, &m.frame, ROW, raw, scratch);
    assert_memory_equal(before, after, sizeof before);
    mixture_clear(&m);
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    mixture m;
    imsat_error err;
    im_frame frame = {0};
    float sq_norm[41];
    mixture_make(&m, 41, D, 2);
    mixture_fit(&m, 2);
    assert_stopped(im_frame_fit(&frame, &m.data, &m.pre, m.pool, &stopping, &err));
    assert_null(frame.data);
    assert_stopped(im_frame_keep(&m.frame, SIZE_MAX, m.pool, &stopping, &err));
    assert_null(m.frame.kept);
    assert_stopped(im_frame_sq_norms(sq_norm, &m.frame, m.pool, &stopping, &err));
    mixture_clear(&m);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const mixture *m = context;
    im_frame frame = {0};
    float sq_norm[41];
    imsat_status st = im_frame_fit(&frame, &m->data, &m->pre, m->pool, NULL, err);
    if (st == IMSAT_OK)
        st = im_frame_keep(&frame, SIZE_MAX, m->pool, NULL, err);
    if (st == IMSAT_OK)
        st = im_frame_sq_norms(sq_norm, &frame, m->pool, NULL, err);
    im_frame_clear(&frame);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    mixture_make(&m, 41, D, 1);
    mixture_fit(&m, 2);
    assert_int_equal(fail_each(attempt, &m), 14);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaling_keeps_distances),
        cmocka_unit_test(an_order_moves_rows),
        cmocka_unit_test(norms_are_those_of_the_rows),
        cmocka_unit_test(norms_of_sparse_rows),
        cmocka_unit_test(equal_rows_have_no_extent),
        cmocka_unit_test(a_copy_changes_nothing),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
