/* SPDX-License-Identifier: MIT
 * The approximate radius beside the exact one.
 * tsan: threads_do_not_change_the_bits, progress_rises_and_can_stop. */
#include "neighbors/approx.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "neighbors/radius.h"
#include "support.h"

#include <math.h>

enum { N = 3011, SOME = 1009, D = 24, T = 10 };

static float *approx(const mixture *m, size_t t, int threads, imsat_radius_info *info)
{
    im_pool *pool = NULL;
    float *radius = im_alloc(m->n, sizeof *radius);
    assert_non_null(radius);
    assert_int_equal(im_pool_new(&pool, threads, NULL), IMSAT_OK);
    assert_int_equal(im_radius_find(radius, info, &m->data, &m->pre, t, IMSAT_RADIUS_APPROX,
                                    pool, NULL, NULL),
                     IMSAT_OK);
    im_pool_free(pool);
    return radius;
}

static float *exact(const mixture *m, size_t t)
{
    im_pool *pool = NULL;
    float *radius = im_alloc(m->n, sizeof *radius);
    assert_non_null(radius);
    assert_int_equal(im_pool_new(&pool, 2, NULL), IMSAT_OK);
    assert_int_equal(im_radius_exact(radius, &m->data, &m->pre, t, pool, NULL, NULL),
                     IMSAT_OK);
    im_pool_free(pool);
    return radius;
}

/* The mean relative error; checks that no radius is too small. */
static double error_of(const float *radius, const float *truth, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(radius[i] >= truth[i]);
        sum += radius[i] > truth[i] ? radius[i] / (double)truth[i] - 1 : 0;
    }
    return sum / (double)n;
}

static void mixtures_are_close_to_exact(void **state)
{
    (void)state;
    const size_t components[] = {1, 3, 20};
    for (size_t k = 0; k < 3; k++) {
        mixture m;
        imsat_radius_info info;
        mixture_make(&m, N, D, components[k]);
        float *radius = approx(&m, T, 2, &info), *truth = exact(&m, T);
        const double error = error_of(radius, truth, N);
        if (info.method == IMSAT_RADIUS_APPROX) {
            assert_true(error < 0.015);
            assert_int_equal(info.sample, 128);
            assert_near(info.error, error, 0.005);
        } else { /* one normal in 24 dimensions: nothing is near */
            assert_int_equal(components[k], 1);
            assert_memory_equal(radius, truth, N * sizeof *radius);
            assert_true(info.error == 0 && info.sample == 0);
        }
        im_free(radius);
        im_free(truth);
        mixture_clear(&m);
    }
}

static void threads_do_not_change_the_bits(void **state)
{
    (void)state;
    mixture m;
    imsat_radius_info info[3];
    mixture_make(&m, N, D, 7);
    float *one = approx(&m, T, 1, &info[0]), *two = approx(&m, T, 2, &info[1]);
    float *three = approx(&m, T, 3, &info[2]);
    assert_int_equal(info[0].method, IMSAT_RADIUS_APPROX);
    assert_memory_equal(one, two, N * sizeof *one);
    assert_memory_equal(one, three, N * sizeof *one);
    assert_memory_equal(&info[0].error, &info[1].error, sizeof info[0].error);
    assert_memory_equal(&info[0].error, &info[2].error, sizeof info[0].error);
    im_free(one);
    im_free(two);
    im_free(three);
    mixture_clear(&m);
}

static void duplicates_are_at_distance_zero(void **state)
{
    (void)state;
    mixture m;
    imsat_radius_info info;
    mixture_make(&m, N, D, 7);
    for (size_t i = 20; i < N; i++) /* rows 1, 3, .. 19 have 150 copies, the rest none */
        if (i % 2)
            memcpy(m.x + i * D, m.x + i % 20 * D, D * sizeof *m.x);
    float *radius = approx(&m, T, 2, &info), *truth = exact(&m, T);
    assert_true(error_of(radius, truth, N) < 0.015);
    for (size_t i = 21; i < N; i += 2)
        assert_true(radius[i] == 0);
    im_free(radius);
    im_free(truth);
    mixture_clear(&m);
}

static void equal_rows_have_radius_zero(void **state)
{
    (void)state;
    mixture m;
    imsat_radius_info info;
    mixture_make(&m, N, 3, 1);
    for (size_t i = 0; i < N * 3; i++)
        m.x[i] = 0.1F;
    float *radius = approx(&m, 9, 2, &info);
    assert_int_equal(info.method, IMSAT_RADIUS_APPROX);
    assert_true(info.error == 0);
    for (size_t i = 0; i < N; i++)
        assert_true(radius[i] == 0);
    im_free(radius);
    mixture_clear(&m);
}

/* A few rows on a line far away, each as far from the next as the others are wide. */
static void lonely_rows_are_close(void **state)
{
    (void)state;
    mixture m;
    imsat_radius_info info;
    mixture_make(&m, N, 2, 5);
    for (size_t i = 0; i < 60; i++)
        m.x[2 * i] += 100 + 40 * (float)i;
    float *radius = approx(&m, T, 2, &info), *truth = exact(&m, T);
    assert_int_equal(info.method, IMSAT_RADIUS_APPROX);
    assert_true(error_of(radius, truth, N) < 0.015);
    for (size_t i = 0; i < N; i++)
        assert_true(isfinite(radius[i]));
    im_free(radius);
    im_free(truth);
    mixture_clear(&m);
}

/* Coordinates of so different a size that products in float say nothing: the sample shows it,
 * and all pairs are compared. */
static void what_cannot_be_approximated_is_exact(void **state)
{
    (void)state;
    mixture m;
    imsat_radius_info info;
    mixture_make(&m, N, 2, 5);
    for (size_t i = 0; i < 60; i++)
        m.x[2 * i] += powf(1.5F, (float)i) * 100;
    float *radius = approx(&m, T, 2, &info), *truth = exact(&m, T);
    assert_int_equal(info.method, IMSAT_RADIUS_EXACT);
    assert_memory_equal(radius, truth, N * sizeof *radius);
    im_free(radius);
    im_free(truth);
    mixture_clear(&m);
}

/* Of such rows im_approx_radius() by itself says that it gives up, and leaves the results
 * alone. */
static void giving_up_writes_nothing(void **state)
{
    (void)state;
    mixture m;
    imsat_radius_info info = {.error = 9};
    bool taken = true;
    float *radius = im_alloc(N, sizeof *radius);
    assert_non_null(radius);
    radius[0] = -1;
    mixture_make(&m, N, 2, 5);
    for (size_t i = 0; i < 60; i++)
        m.x[2 * i] += powf(1.5F, (float)i) * 100;
    mixture_fit(&m, 2);
    assert_int_equal(
        im_approx_radius(radius, &info, &taken, &m.data, &m.pre, T, m.pool, NULL, NULL),
        IMSAT_OK);
    assert_false(taken);
    assert_true(radius[0] == -1 && info.error > 1);
    assert_true(im_approx_fits(N, T));
    assert_false(im_approx_fits(400, 7)); /* too few rows */
    assert_false(im_approx_fits(N, 90));  /* more than a cell holds */
    im_free(radius);
    mixture_clear(&m);
}

/* Few rows, or a t that no cell holds: exact. */
static void what_does_not_pay_is_exact(void **state)
{
    (void)state;
    const struct {
        size_t n, t;
    } shape[] = {{2, 1},   {3, 2},  {53, 10},     {53, 60},
                 {400, 7}, {N, 90}, {SOME, SOME}, {SOME, 2 * SOME}};
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
        mixture m;
        imsat_radius_info info = {.error = 9};
        mixture_make(&m, shape[k].n, 2, 2);
        float *radius = approx(&m, shape[k].t, 2, &info), *truth = exact(&m, shape[k].t);
        assert_memory_equal(radius, truth, m.n * sizeof *radius);
        assert_int_equal(info.method, IMSAT_RADIUS_EXACT);
        assert_true(info.error == 0);
        im_free(radius);
        im_free(truth);
        mixture_clear(&m);
    }
}

typedef struct watch {
    double last, stop_at;
    size_t calls;
} watch;

static int look(void *user, double fraction)
{
    watch *w = user;
    assert_true(fraction >= w->last && fraction <= 1 + 1e-12);
    w->last = fraction;
    w->calls++;
    return fraction >= w->stop_at;
}

static void progress_rises_and_can_stop(void **state)
{
    (void)state;
    const double stops[] = {0, 0.1, 0.15, 0.2, 0.5, 0.96, 2};
    mixture m;
    imsat_radius_info info = {0};
    imsat_error err;
    float *radius = im_alloc(N, sizeof *radius);
    assert_non_null(radius);
    mixture_make(&m, N, 5, 7);
    mixture_fit(&m, 2);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        watch w = {.stop_at = stops[i]};
        const im_stage stage = {"computing the radius", look, &w, 0, 1};
        radius[0] = -1;
        const imsat_status st = im_radius_find(radius, &info, &m.data, &m.pre, T,
                                               IMSAT_RADIUS_APPROX, m.pool, &stage, &err);
        assert_int_equal(st, stops[i] < 1 ? IMSAT_ESTOPPED : IMSAT_OK);
        assert_true(st == IMSAT_OK || (radius[0] == -1 && info.sample == 0));
        assert_true(st != IMSAT_OK || (w.last > 0.99 && w.calls > 20));
    }
    im_free(radius);
    mixture_clear(&m);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const mixture *m = context;
    static float radius[2403];
    imsat_radius_info info = {.error = 9};
    radius[0] = -1;
    const imsat_status st = im_radius_find(radius, &info, &m->data, &m->pre, 3,
                                           IMSAT_RADIUS_APPROX, m->pool, NULL, err);
    assert_true(st == IMSAT_OK ? radius[0] > 0 && info.error < 1
                               : radius[0] == -1 && info.error > 1);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    mixture_make(&m, 2403, 2, 1);
    mixture_fit(&m, 2);
    assert_true(fail_each(attempt, &m) >= 50);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixtures_are_close_to_exact),
        cmocka_unit_test(threads_do_not_change_the_bits),
        cmocka_unit_test(duplicates_are_at_distance_zero),
        cmocka_unit_test(equal_rows_have_radius_zero),
        cmocka_unit_test(lonely_rows_are_close),
        cmocka_unit_test(what_cannot_be_approximated_is_exact),
        cmocka_unit_test(giving_up_writes_nothing),
        cmocka_unit_test(what_does_not_pay_is_exact),
        cmocka_unit_test(progress_rises_and_can_stop),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
