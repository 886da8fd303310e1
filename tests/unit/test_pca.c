/* SPDX-License-Identifier: MIT
 * Directions of the largest variance, against a covariance whose eigenvectors are known. */
#include "linear/pca.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "stopping.h"
#include "support.h"

#include <math.h>

enum { D = 20, N = 2 * D, M = 3 };

/* Eigenvector k: the cosines of the discrete cosine transform, orthonormal. */
static double eigenvector(size_t k, size_t j)
{
    const double pi = acos(-1);
    return k == 0 ? sqrt(1.0 / D)
                  : sqrt(2.0 / D) * cos(pi * ((double)j + 0.5) * (double)k / D);
}

static double deviation(size_t k)
{
    return 5 * pow(0.6, (double)k);
}

/* Rows at +- deviation along each eigenvector, far from the origin: their covariance is the
 * sum of 2 deviation_k^2 / n times the eigenvectors' squares, and nothing else. */
static void make(mixture *m, int threads)
{
    mixture_make(m, N, D, 1);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            m->x[i * D + j] =
                (float)(100 + (i % 2 ? -1 : 1) * deviation(i / 2) * eigenvector(i / 2, j));
    mixture_fit(m, threads);
}

static double variance(const mixture *m, size_t k)
{
    return pow(m->frame.factor * deviation(k), 2) * 2 / N;
}

/* Many rounds tell the eigenvectors from each other. */
static void the_eigenvectors_of_a_known_covariance(void **state)
{
    (void)state;
    mixture m;
    im_pca pca;
    double total = 0;
    make(&m, 1);
    assert_int_equal(im_pca_fit(&pca, &m.frame, M, N, 40, NULL, NULL), IMSAT_OK);
    for (size_t k = 0; k < D; k++)
        total += variance(&m, k);
    assert_near(pca.total, total, 1e-5 * total);
    for (size_t k = 0; k < M; k++) {
        double dot = 0;
        for (size_t j = 0; j < D; j++)
            dot += pca.directions[k * D + j] * eigenvector(k, j);
        assert_near(fabs(dot), 1, 1e-4);
        assert_near(pca.variance[k], variance(&m, k), 1e-4 * variance(&m, k));
    }
    im_pca_clear(&pca);
    mixture_clear(&m);
}

/* Rows of V are orthogonal and of length just below 1, for any number of them up to d. */
static void directions_never_lengthen(void **state)
{
    (void)state;
    const size_t count[] = {1, 7, D};
    for (size_t c = 0; c < 3; c++) {
        mixture m;
        im_pca pca;
        double along = 0;
        mixture_make(&m, 61, D, 4);
        mixture_fit(&m, 1);
        assert_int_equal(im_pca_fit(&pca, &m.frame, count[c], 50, 3, NULL, NULL), IMSAT_OK);
        for (size_t a = 0; a < count[c]; a++) {
            for (size_t b = 0; b <= a; b++) {
                double dot = 0;
                for (size_t j = 0; j < D; j++)
                    dot += (double)pca.directions[a * D + j] * pca.directions[b * D + j];
                assert_near(dot, a == b ? 1 : 0, 1e-4);
                assert_true(a != b || dot < 1);
            }
            along += pca.variance[a];
        }
        assert_true(along < pca.total);
        assert_true(count[c] < D || along > 0.999 * pca.total);
        im_pca_clear(&pca);
        mixture_clear(&m);
    }
}

/* More directions than the rows have: the others are 0. */
static void what_does_not_vary_has_no_direction(void **state)
{
    (void)state;
    mixture m;
    im_pca pca;
    mixture_make(&m, N, D, 1);
    for (size_t i = 0; i < N * D; i++)
        m.x[i] = i % D < 2 ? m.x[i] : 0;
    mixture_fit(&m, 1);
    assert_int_equal(im_pca_fit(&pca, &m.frame, 4, N, 3, NULL, NULL), IMSAT_OK);
    assert_true(pca.variance[0] + pca.variance[1] > 0.999 * pca.total);
    assert_true(pca.variance[2] + pca.variance[3] < 1e-6 * pca.total);
    im_pca_clear(&pca);
    mixture_clear(&m);
}

/* p = V x of every row, for any number of threads. */
static void projections_are_products(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        mixture m;
        im_pca pca;
        mixture_make(&m, 301, D, 4);
        mixture_fit(&m, threads);
        im_real *out = im_alloc(m.n * M, sizeof *out);
        assert_non_null(out);
        assert_int_equal(im_pca_fit(&pca, &m.frame, M, 100, 2, NULL, NULL), IMSAT_OK);
        assert_int_equal(im_pca_project(out, &pca, &m.frame, m.pool, NULL, NULL), IMSAT_OK);
        for (size_t i = 0; i < m.n; i++)
            for (size_t k = 0; k < M; k++) {
                double dot = 0;
                for (size_t j = 0; j < D; j++)
                    dot += pca.directions[k * D + j] * m.frame.factor *
                           (m.x[i * D + j] - m.frame.center[j]);
                assert_near(out[i * M + k], dot, 1e-5);
            }
        im_free(out);
        im_pca_clear(&pca);
        mixture_clear(&m);
    }
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    mixture m;
    imsat_error err;
    im_pca pca = {0};
    im_real out[61 * M];
    mixture_make(&m, 61, D, 4);
    mixture_fit(&m, 2);
    assert_stopped(im_pca_fit(&pca, &m.frame, M, 50, 3, &stopping, &err));
    assert_null(pca.directions);
    assert_ok(im_pca_fit(&pca, &m.frame, M, 50, 3, NULL, &err), &err);
    assert_stopped(im_pca_project(out, &pca, &m.frame, m.pool, &stopping, &err));
    im_pca_clear(&pca);
    mixture_clear(&m);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    const mixture *m = context;
    im_real out[N * M];
    im_pca pca = {0};
    imsat_status st = im_pca_fit(&pca, &m->frame, M, N, 2, NULL, err);
    if (st == IMSAT_OK)
        st = im_pca_project(out, &pca, &m->frame, m->pool, NULL, err);
    im_pca_clear(&pca);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    make(&m, 1);
    assert_true(fail_each(try_once, &m) >= 6);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_eigenvectors_of_a_known_covariance),
        cmocka_unit_test(directions_never_lengthen),
        cmocka_unit_test(what_does_not_vary_has_no_direction),
        cmocka_unit_test(projections_are_products),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
