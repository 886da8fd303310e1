/* SPDX-License-Identifier: MIT
 * Rows that stand for all: the nearest of them has every row's label, and they are few. tsan:
 * any_number_of_threads. */
#include "linear/condense.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "stopping.h"
#include "support.h"

#include <math.h>

enum { N = 501, D = 4, K = 3 };

static int32_t labels[N];

/* Slices of one cloud along its first column, so that borders are long. */
static void make(mixture *m, int threads)
{
    mixture_make(m, N, D, 1);
    for (size_t i = 0; i < N; i++)
        labels[i] = m->x[i * D] < -0.3F ? 2 : m->x[i * D] < 0.5F ? 0 : 1;
    mixture_fit(m, threads);
}

static void the_nearest_has_the_label(void **state)
{
    (void)state;
    mixture m;
    im_condense kept;
    make(&m, 2);
    assert_ok(im_condense_find(&kept, &m.frame, labels, K, m.pool, NULL, NULL), NULL);
    assert_true(kept.count >= K && kept.count < N / 2);
    for (size_t i = 0; i < N; i++) {
        size_t nearest = kept.rows[0];
        for (size_t s = 1; s < kept.count; s++)
            if (mixture_distance(&m, i, kept.rows[s]) < mixture_distance(&m, i, nearest))
                nearest = kept.rows[s];
        assert_int_equal(labels[nearest], labels[i]);
    }
    for (size_t s = 1; s < kept.count; s++)
        assert_true(labels[kept.rows[s - 1]] < labels[kept.rows[s]] ||
                    (labels[kept.rows[s - 1]] == labels[kept.rows[s]] &&
                     kept.rows[s - 1] < kept.rows[s]));
    im_condense_clear(&kept);
    mixture_clear(&m);
}

/* Clusters that are far apart need one row each. */
static void far_clusters_need_a_row_each(void **state)
{
    (void)state;
    mixture m;
    im_condense kept;
    mixture_make(&m, N, D, 1);
    for (size_t i = 0; i < N; i++) {
        labels[i] = (int32_t)(i % K);
        m.x[i * D] += (float)(100 * (i % K));
    }
    mixture_fit(&m, 1);
    assert_ok(im_condense_find(&kept, &m.frame, labels, K, m.pool, NULL, NULL), NULL);
    assert_int_equal(kept.count, K);
    im_condense_clear(&kept);
    mixture_clear(&m);
}

/* Copies of a row with several labels: no rule can tell them apart, and it ends. */
static void copies_of_another_label_end(void **state)
{
    (void)state;
    mixture m;
    im_condense kept;
    mixture_make(&m, N, D, 1);
    for (size_t i = 0; i < N; i++) {
        labels[i] = (int32_t)(i % K);
        for (size_t j = 0; j < D; j++)
            m.x[i * D + j] = (float)(i % 7);
    }
    mixture_fit(&m, 1);
    assert_ok(im_condense_find(&kept, &m.frame, labels, K, m.pool, NULL, NULL), NULL);
    assert_true(kept.count <= N);
    im_condense_clear(&kept);
    mixture_clear(&m);
}

static void any_number_of_threads(void **state)
{
    (void)state;
    mixture one, three;
    im_condense a, b;
    make(&one, 1);
    make(&three, 3);
    assert_ok(im_condense_find(&a, &one.frame, labels, K, one.pool, NULL, NULL), NULL);
    assert_ok(im_condense_find(&b, &three.frame, labels, K, three.pool, NULL, NULL), NULL);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.rows, b.rows, a.count * sizeof *a.rows);
    im_condense_clear(&a);
    im_condense_clear(&b);
    mixture_clear(&one);
    mixture_clear(&three);
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    mixture m;
    imsat_error err;
    im_condense kept = {0};
    make(&m, 2);
    assert_stopped(im_condense_find(&kept, &m.frame, labels, K, m.pool, &stopping, &err));
    assert_null(kept.rows);
    mixture_clear(&m);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    const mixture *m = context;
    im_condense kept = {0};
    const imsat_status st = im_condense_find(&kept, &m->frame, labels, K, m->pool, NULL, err);
    im_condense_clear(&kept);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    make(&m, 1);
    assert_true(fail_each(try_once, &m) >= 5);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_has_the_label),
        cmocka_unit_test(far_clusters_need_a_row_each),
        cmocka_unit_test(copies_of_another_label_end),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
