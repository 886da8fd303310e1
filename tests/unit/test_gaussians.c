/* SPDX-License-Identifier: MIT
 * Mixtures of normals, against scikit-learn's numbers from the same start. tests/peers/gmm.py
 * compares more. tsan: any_number_of_threads. */
#include "linear/gaussians.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "stopping.h"
#include "support.h"

#include <math.h>

enum { N = 61, D = 3, K = 2 };

static int32_t labels[N];

static void make(mixture *m, int threads)
{
    mixture_make(m, N, D, 1);
    for (size_t i = 0; i < N; i++) {
        labels[i] = (int32_t)(i * 5 / 4 % K);
        for (size_t j = 0; j < D; j++)
            m->x[i * D + j] =
                (float)((i * i * 7 + j * j * 3 + i * j * 11) % 23 * (j + 2)) / 100 +
                (i % 2 == 0 ? 0.5F : 0);
    }
    mixture_fit(m, threads);
}

static im_gaussians_options options_of(const mixture *m, imsat_covariance kind,
                                       size_t iterations)
{
    return (im_gaussians_options){.k = K,
                                  .covariance = kind,
                                  .regularization = 1e-3 * m->frame.factor * m->frame.factor,
                                  .iterations = iterations,
                                  .tolerance = -1,
                                  .start = labels};
}

/* Of the rows themselves. */
static double log_likelihood(const im_gaussians *g, const mixture *m)
{
    return g->log_likelihood + D * log(m->frame.factor);
}

/* GaussianMixture(2, reg_covar=1e-3, tol=0).score() after 1 and 40 iterations. */
static void as_scikit_learn_has_it(void **state)
{
    (void)state;
    static const struct {
        imsat_covariance kind;
        size_t iterations;
        double score;
    } expected[] = {
        {IMSAT_COVARIANCE_FULL, 1, -0.15338251793711363},
        {IMSAT_COVARIANCE_FULL, 40, 0.03401809219232795},
        {IMSAT_COVARIANCE_TIED, 1, -0.1715977570311375},
        {IMSAT_COVARIANCE_TIED, 40, -0.1716034172209636},
        {IMSAT_COVARIANCE_DIAGONAL, 1, -0.7572040536466776},
        {IMSAT_COVARIANCE_DIAGONAL, 40, 0.2361310283060603},
    };
    mixture m;
    make(&m, 1);
    for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
        im_gaussians g;
        im_gaussians_options o = options_of(&m, expected[e].kind, expected[e].iterations);
        o.tolerance = -1; /* tied turns lose in the last digits */
        assert_ok(im_gaussians_fit(&g, &m.frame, &o, m.pool, NULL, NULL), NULL);
        assert_int_equal(g.iterations, expected[e].iterations);
        assert_near(log_likelihood(&g, &m), expected[e].score, 1e-6);
        im_gaussians_clear(&g);
    }
    mixture_clear(&m);
}

/* Without regularization no turn lowers the likelihood, and a tolerance ends it. */
static void the_likelihood_never_falls(void **state)
{
    (void)state;
    mixture m;
    make(&m, 2);
    for (imsat_covariance kind = 0; kind < IMSAT_COVARIANCES; kind++) {
        double before = -(double)INFINITY;
        im_gaussians g;
        im_gaussians_options o = options_of(&m, kind, 1);
        o.regularization = 0;
        for (o.iterations = 1; o.iterations < 12; o.iterations++) {
            assert_ok(im_gaussians_fit(&g, &m.frame, &o, m.pool, NULL, NULL), NULL);
            assert_true(g.log_likelihood >= before - 1e-12);
            before = g.log_likelihood;
            im_gaussians_clear(&g);
        }
        o.iterations = 1000;
        o.tolerance = 1e-2;
        assert_ok(im_gaussians_fit(&g, &m.frame, &o, m.pool, NULL, NULL), NULL);
        assert_true(g.iterations < 100);
        im_gaussians_clear(&g);
    }
    mixture_clear(&m);
}

static void any_number_of_threads(void **state)
{
    (void)state;
    mixture one, three;
    make(&one, 1);
    make(&three, 3);
    for (imsat_covariance kind = 0; kind < IMSAT_COVARIANCES; kind++) {
        im_gaussians a, b;
        const im_gaussians_options o = options_of(&one, kind, 5);
        assert_ok(im_gaussians_fit(&a, &one.frame, &o, one.pool, NULL, NULL), NULL);
        assert_ok(im_gaussians_fit(&b, &three.frame, &o, three.pool, NULL, NULL), NULL);
        assert_memory_equal(&a.log_likelihood, &b.log_likelihood, sizeof(double));
        assert_memory_equal(a.mean, b.mean, K * D * sizeof(double));
        im_gaussians_clear(&a);
        im_gaussians_clear(&b);
    }
    mixture_clear(&one);
    mixture_clear(&three);
}

static void singular_covariances_are_refused(void **state)
{
    (void)state;
    mixture m;
    imsat_error err;
    im_gaussians g = {0};
    make(&m, 1);
    for (size_t i = 0; i < N; i++)
        m.x[i * D + 2] = 5;
    for (imsat_covariance kind = 0; kind < IMSAT_COVARIANCES; kind++) {
        im_gaussians_options o = options_of(&m, kind, 3);
        o.regularization = 0;
        assert_refused(im_gaussians_fit(&g, &m.frame, &o, m.pool, NULL, &err), &err,
                       IMSAT_EINVAL, "is singular in 3 columns; raise --regularization");
    }
    mixture_clear(&m);
}

/* A component that no row belongs to stays finite, and so do all others. */
static void a_component_may_be_empty(void **state)
{
    (void)state;
    mixture m;
    make(&m, 1);
    for (size_t i = 0; i < N; i++)
        labels[i] = 0;
    for (imsat_covariance kind = 0; kind < IMSAT_COVARIANCES; kind++) {
        im_gaussians g;
        const im_gaussians_options o = options_of(&m, kind, 4);
        assert_ok(im_gaussians_fit(&g, &m.frame, &o, m.pool, NULL, NULL), NULL);
        assert_true(isfinite(g.log_likelihood));
        assert_true(g.log_weight[1] < -30 && isfinite(im_gaussians_peak(&g, 1)));
        im_gaussians_clear(&g);
    }
    mixture_clear(&m);
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    mixture m;
    imsat_error err;
    im_gaussians g = {0};
    make(&m, 2);
    const im_gaussians_options o = options_of(&m, IMSAT_COVARIANCE_FULL, 3);
    assert_stopped(im_gaussians_fit(&g, &m.frame, &o, m.pool, &stopping, &err));
    assert_null(g.mean);
    mixture_clear(&m);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    const mixture *m = context;
    im_gaussians g = {0};
    const im_gaussians_options o = options_of(m, IMSAT_COVARIANCE_FULL, 1);
    const imsat_status st = im_gaussians_fit(&g, &m->frame, &o, m->pool, NULL, err);
    im_gaussians_clear(&g);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    make(&m, 1);
    assert_int_equal(fail_each(try_once, &m), 4);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_scikit_learn_has_it),
        cmocka_unit_test(the_likelihood_never_falls),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(singular_covariances_are_refused),
        cmocka_unit_test(a_component_may_be_empty),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
