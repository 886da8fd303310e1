/* SPDX-License-Identifier: MIT
 * Distances in double to candidates and to all rows. tsan: all. */
#include "neighbors/settle.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "linear/keep.h"
#include "mixture.h"
#include "neighbors/radius.h"
#include "stopping.h"
#include "support.h"

#include <math.h>

enum { N = 613, D = 11, T = 4 };

static void a_scan_is_the_definition(void **state)
{
    (void)state;
    mixture m;
    enum { COUNT = 37 };
    uint32_t places[COUNT];
    double sigma[COUNT];
    static double expected[N];
    mixture_make(&m, N, D, 3);
    mixture_fit(&m, 3);
    for (size_t i = 0; i < COUNT; i++)
        places[i] = (uint32_t)(N - 1 - 16 * i);
    assert_int_equal(im_settle_scan(sigma, &m.frame, places, COUNT, T, m.pool, NULL, NULL),
                     IMSAT_OK);
    assert_int_equal(im_radius_ref(expected, &m.data, &m.pre, T, NULL), IMSAT_OK);
    for (size_t i = 0; i < COUNT; i++)
        assert_near(sigma[i], expected[places[i]], 1e-12 * expected[places[i]]);
    mixture_clear(&m);
}

/* More rows than are scanned before the next, and more others than a task takes. */
static void a_scan_is_cut(void **state)
{
    (void)state;
    mixture m;
    enum { MANY = 1103, WIDE = 4096, LONG = 4201 };
    static uint32_t places[MANY];
    static double sigma[MANY], expected[MANY];
    mixture_make(&m, MANY, D, 3);
    mixture_fit(&m, 2);
    for (size_t i = 0; i < MANY; i++)
        places[i] = (uint32_t)i;
    assert_int_equal(im_settle_scan(sigma, &m.frame, places, MANY, T, m.pool, NULL, NULL),
                     IMSAT_OK);
    assert_int_equal(im_radius_ref(expected, &m.data, &m.pre, T, NULL), IMSAT_OK);
    for (size_t i = 0; i < MANY; i++)
        assert_near(sigma[i], expected[i], 1e-12 * expected[i]);
    mixture_clear(&m);

    mixture_make(&m, LONG, WIDE, 3);
    mixture_fit(&m, 2);
    places[0] = LONG - 2;
    assert_int_equal(im_settle_scan(sigma, &m.frame, places, 1, T, m.pool, NULL, NULL),
                     IMSAT_OK);
    size_t closer = 0, same = 0;
    for (size_t i = 0; i < LONG; i++) {
        const double distance = i == LONG - 2 ? INFINITY : mixture_distance(&m, i, LONG - 2);
        same += fabs(distance - sigma[0]) < 1e-12 * distance;
        closer += distance < sigma[0] * (1 - 1e-12);
    }
    assert_true(same == 1 && closer == T - 1);
    mixture_clear(&m);
}

/* Row i has rows i + 1, i + 2, ... as candidates, and the last ones too few. */
static void the_kth_candidate_counts(void **state)
{
    (void)state;
    mixture m;
    enum { CAPACITY = 6 };
    static uint64_t keys[N][CAPACITY];
    static double sigma[N];
    mixture_make(&m, N, D, 3);
    mixture_fit(&m, 2);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < CAPACITY; k++)
            keys[i][k] = i + k + 1 < N ? im_keep_pair(1, (uint32_t)(i + k + 1))
                                       : im_keep_pair(INFINITY, UINT32_MAX);
    const im_lists lists = {.count = N, .keys = keys[0], .capacity = CAPACITY};
    assert_int_equal(im_settle_lists(sigma, &m.frame, &lists, T, m.pool, NULL, NULL),
                     IMSAT_OK);
    for (size_t i = 0; i < N; i++) {
        size_t closer = 0, same = 0;
        for (size_t k = 1; k <= CAPACITY && i + k < N; k++) {
            const double distance = mixture_distance(&m, i, i + k);
            same += fabs(distance - sigma[i]) < 1e-12 * distance;
            closer += distance < sigma[i] * (1 - 1e-12);
        }
        assert_true(i + T < N ? same == 1 && closer == T - 1 : isinf(sigma[i]));
    }
    mixture_clear(&m);
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    mixture m;
    imsat_error err;
    double sigma;
    const uint32_t place = 3;
    const uint64_t keys[T] = {im_keep_pair(1, 0), im_keep_pair(1, 1), im_keep_pair(1, 2),
                              im_keep_pair(1, 4)};
    const im_lists lists = {.places = &place, .count = 1, .keys = keys, .capacity = T};
    mixture_make(&m, 41, D, 1);
    mixture_fit(&m, 2);
    assert_stopped(im_settle_scan(&sigma, &m.frame, &place, 1, T, m.pool, &stopping, &err));
    assert_stopped(im_settle_lists(&sigma, &m.frame, &lists, T, m.pool, &stopping, &err));
    mixture_clear(&m);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const mixture *m = context;
    const uint32_t place = 3;
    double sigma;
    return im_settle_scan(&sigma, &m->frame, &place, 1, T, m->pool, NULL, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    mixture_make(&m, 41, D, 1);
    mixture_fit(&m, 2);
    assert_int_equal(fail_each(attempt, &m), 3);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scan_is_the_definition),  cmocka_unit_test(a_scan_is_cut),
        cmocka_unit_test(the_kth_candidate_counts),  cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
