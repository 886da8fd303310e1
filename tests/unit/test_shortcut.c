/* SPDX-License-Identifier: MIT
 * sigma_t by way of sketches: as by all products, and only where it pays. tsan:
 * flat_data_takes_it, it_can_be_stopped. */
#include "neighbors/shortcut.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "neighbors/radius.h"
#include "support.h"

#include <math.h>

enum { D = 150, STRONG = 12, T = 10 };

/* Columns beyond the first STRONG vary `weak` times as much. */
static void make(mixture *m, size_t n, float weak)
{
    mixture_make(m, n, D, 3);
    for (size_t i = 0; i < n; i++)
        for (size_t j = STRONG; j < D; j++)
            m->x[i * D + j] *= weak;
}

static void assert_as_exact(const mixture *m, const double *sigma)
{
    float *radius = im_alloc(m->n, sizeof *radius);
    assert_non_null(radius);
    assert_int_equal(im_radius_exact(radius, &m->data, &m->pre, T, m->pool, NULL, NULL),
                     IMSAT_OK);
    for (size_t i = 0; i < m->n; i++)
        assert_true((float)sigma[i] >= radius[i] && (float)sigma[i] <= radius[i]);
    im_free(radius);
}

/* Returns whether the shortcut was taken; if so, its result is right. */
static bool check(mixture *m, int threads)
{
    bool taken = false;
    double *sigma = im_alloc(m->n, sizeof *sigma);
    assert_non_null(sigma);
    mixture_fit(m, threads);
    assert_int_equal(im_shortcut_radius(sigma, &taken, &m->frame, T, m->pool, NULL, NULL),
                     IMSAT_OK);
    if (taken)
        assert_as_exact(m, sigma);
    im_free(sigma);
    mixture_clear(m);
    return taken;
}

static void flat_data_takes_it(void **state)
{
    (void)state;
    const float weak[] = {0, 0.02F, 0.1F};
    for (size_t i = 0; i < 3; i++) {
        mixture m;
        make(&m, 1201, weak[i]);
        assert_true(check(&m, 1 + (int)i));
    }
}

static void data_that_varies_everywhere_does_not(void **state)
{
    (void)state;
    mixture m;
    make(&m, 1201, 1);
    assert_false(check(&m, 2));
}

static void short_rows_and_few_rows_and_many_neighbors_do_not(void **state)
{
    (void)state;
    mixture m;
    bool taken = true;
    static double sigma[1000];
    make(&m, 1000, 0);
    mixture_fit(&m, 1);
    assert_int_equal(im_shortcut_radius(sigma, &taken, &m.frame, 41, m.pool, NULL, NULL),
                     IMSAT_OK);
    assert_false(taken);
    mixture_clear(&m);
    mixture_make(&m, 400, 100, 2);
    assert_false(check(&m, 1));
    make(&m, 80, 0);
    assert_false(check(&m, 1));
}

/* Rows of a clump differ in directions that no sketch has, since the others are far more and
 * vary far more: all of the clump is as near as the nearest. Few of them are settled by the
 * second try, many only by the rescan. */
static void clumps_are_exact(void **state)
{
    (void)state;
    enum { OTHERS = 5 };
    const size_t clump[] = {150, 1031}; /* a list of the second try holds 1024 */
    for (size_t k = 0; k < 2; k++) {
        mixture m;
        make(&m, OTHERS * clump[k], 0);
        for (size_t i = 0; i < clump[k]; i++) {
            float *row = m.x + (OTHERS * i + 3) * D;
            const size_t column = STRONG + 70 + i % 64;
            memset(row, 0, D * sizeof *row);
            row[column] = 0.001F * (1 + (float)i / (float)clump[k]);
        }
        assert_true(check(&m, 2));
    }
}

static void duplicates_are_at_distance_zero(void **state)
{
    (void)state;
    mixture m;
    make(&m, 1000, 0.05F);
    for (size_t i = 0; i < 500; i++)
        memcpy(m.x + i * D, m.x + (i % 25 + 500) * D, D * sizeof *m.x);
    assert_true(check(&m, 3));
}

typedef struct attempt {
    mixture m;
    double *sigma;
} attempt;

static imsat_status try_once(void *context, imsat_error *err)
{
    const attempt *a = context;
    bool taken;
    return im_shortcut_radius(a->sigma, &taken, &a->m.frame, T, a->m.pool, NULL, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    attempt a;
    make(&a.m, 500, 0.1F);
    mixture_fit(&a.m, 2);
    a.sigma = im_alloc(a.m.n, sizeof *a.sigma);
    assert_non_null(a.sigma);
    assert_true(fail_each(try_once, &a) >= 20);
    im_free(a.sigma);
    mixture_clear(&a.m);
}

static int stop(void *user, double fraction)
{
    return fraction > *(double *)user;
}

static void it_can_be_stopped(void **state)
{
    (void)state;
    mixture m;
    static double sigma[1500];
    double at[] = {0.1, 0.7};
    make(&m, 1500, 0.1F);
    mixture_fit(&m, 2);
    for (size_t i = 0; i < 2; i++) {
        bool taken = false;
        imsat_error err;
        const im_stage stage = {"computing the radius", stop, &at[i], 0, 1};
        assert_int_equal(im_shortcut_radius(sigma, &taken, &m.frame, T, m.pool, &stage, &err),
                         IMSAT_ESTOPPED);
        assert_false(taken);
    }
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_data_takes_it),
        cmocka_unit_test(data_that_varies_everywhere_does_not),
        cmocka_unit_test(short_rows_and_few_rows_and_many_neighbors_do_not),
        cmocka_unit_test(clumps_are_exact),
        cmocka_unit_test(duplicates_are_at_distance_zero),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(it_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
