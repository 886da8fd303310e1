/* SPDX-License-Identifier: MIT
 * Sketches of rows: never farther apart than the rows, and the bound on what rounding adds.
 * tsan: the_threads_do_not_matter. */
#include "neighbors/sketch.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "stopping.h"
#include "support.h"

#include <math.h>

enum { N = 301, D = 200, WIDTH = 64, STRONG = 12 };

/* Rows that vary mostly in the first STRONG columns, far from the origin. */
static void make(mixture *m, float weak)
{
    mixture_make(m, N, D, 3);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            m->x[i * D + j] = m->x[i * D + j] * (j < STRONG ? 1 : weak) + 50;
    mixture_fit(m, 2);
}

static double sketch_distance(const im_sketch *s, size_t i, size_t j)
{
    double sq = 0;
    for (size_t k = 0; k < s->rows.d; k++)
        sq +=
            pow((double)s->rows.kept[i * s->rows.d + k] - s->rows.kept[j * s->rows.d + k], 2);
    return sqrt(sq);
}

/* The mean over all pairs of the sketches' distance over that of the rows. */
static double compare_pairs(const mixture *m, const im_sketch *s)
{
    double sum = 0;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < i; j++) {
            const double row = mixture_distance(m, i, j), sketch = sketch_distance(s, i, j);
            assert_true(sketch <= m->frame.factor * row * (1 + 1e-6));
            assert_true(sketch * sketch <= im_bound_sq(&s->bound, s->row_sq_norm[i], row));
            sum += sketch / (m->frame.factor * row);
        }
    }
    return sum / (N * (N - 1) / 2);
}

static void sketches_are_never_farther_apart(void **state)
{
    (void)state;
    const float weak[] = {0.3F, 0.05F, 0};
    const double least[] = {0.5, 0.95, 0.9999};
    for (size_t k = 0; k < 3; k++) {
        mixture m;
        im_sketch s;
        make(&m, weak[k]);
        assert_int_equal(im_sketch_new(&s, &m.frame, WIDTH, m.pool, NULL, NULL), IMSAT_OK);
        assert_true(s.made);
        assert_int_equal(s.rows.d, WIDTH);
        assert_true(compare_pairs(&m, &s) >= least[k]);
        im_sketch_clear(&s);
        mixture_clear(&m);
    }
}

static void data_that_varies_everywhere_has_none(void **state)
{
    (void)state;
    mixture m;
    im_sketch s;
    mixture_make(&m, N, D, N); /* as many centers as rows */
    mixture_fit(&m, 1);
    assert_int_equal(im_sketch_new(&s, &m.frame, WIDTH / 2, m.pool, NULL, NULL), IMSAT_OK);
    assert_false(s.made);
    assert_null(s.rows.kept);
    im_sketch_clear(&s);
    mixture_clear(&m);
}

static void equal_rows_have_equal_sketches(void **state)
{
    (void)state;
    mixture m;
    im_sketch s;
    make(&m, 0.1F);
    memset(m.x, 0, N * D * sizeof *m.x); /* nothing varies: no direction is found */
    im_frame_clear(&m.frame);
    assert_int_equal(im_frame_fit(&m.frame, &m.data, &m.pre, m.pool, NULL, NULL), IMSAT_OK);
    assert_int_equal(im_sketch_new(&s, &m.frame, WIDTH, m.pool, NULL, NULL), IMSAT_OK);
    for (size_t i = 0; i < N; i++)
        assert_true(sketch_distance(&s, i, 0) <= 0);
    im_sketch_clear(&s);
    mixture_clear(&m);
}

static void the_threads_do_not_matter(void **state)
{
    (void)state;
    mixture one, three;
    im_sketch a, b;
    make(&one, 0.2F);
    make(&three, 0.2F);
    im_pool_free(three.pool);
    assert_int_equal(im_pool_new(&three.pool, 3, NULL), IMSAT_OK);
    assert_int_equal(im_sketch_new(&a, &one.frame, WIDTH, one.pool, NULL, NULL), IMSAT_OK);
    assert_int_equal(im_sketch_new(&b, &three.frame, WIDTH, three.pool, NULL, NULL), IMSAT_OK);
    assert_memory_equal(a.rows.kept, b.rows.kept, N * WIDTH * sizeof *a.rows.kept);
    im_sketch_clear(&a);
    im_sketch_clear(&b);
    mixture_clear(&one);
    mixture_clear(&three);
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    mixture m;
    imsat_error err;
    im_sketch s = {0};
    make(&m, 0.2F);
    assert_stopped(im_sketch_new(&s, &m.frame, WIDTH, m.pool, &stopping, &err));
    assert_null(s.sq_norm);
    mixture_clear(&m);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    const mixture *m = context;
    im_sketch s = {0};
    const imsat_status st = im_sketch_new(&s, &m->frame, WIDTH, m->pool, NULL, err);
    im_sketch_clear(&s);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    make(&m, 0.2F);
    assert_true(fail_each(try_once, &m) >= 6);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sketches_are_never_farther_apart),
        cmocka_unit_test(data_that_varies_everywhere_has_none),
        cmocka_unit_test(equal_rows_have_equal_sketches),
        cmocka_unit_test(the_threads_do_not_matter),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
