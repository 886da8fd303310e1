/* SPDX-License-Identifier: MIT
 * Principal components, against the covariance written out. tsan: any_number_of_threads. */
#include "linear/principal.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "linear/symmetric.h"
#include "mixture.h"
#include "sparse_case.h"
#include "stopping.h"
#include "support.h"

#include <math.h>

enum { N = 307, D = 83, M = 5 };

static double covariance[D * D], vectors[D * D], values[D], mean[D];

/* All eigenvectors of the covariance of the scaled rows. */
static void solve(const mixture *m)
{
    double scratch[2 * D];
    memset(mean, 0, sizeof mean);
    memset(covariance, 0, sizeof covariance);
    assert_true(im_symmetric_scratch(D) <= sizeof scratch / sizeof *scratch);
    for (size_t i = 0; i < N * D; i++)
        mean[i % D] += (m->x[i] - m->frame.center[i % D]) * m->frame.factor / N;
    for (size_t i = 0; i < N; i++)
        for (size_t a = 0; a < D; a++)
            for (size_t b = 0; b < D; b++)
                covariance[a * D + b] +=
                    ((m->x[i * D + a] - m->frame.center[a]) * m->frame.factor - mean[a]) *
                    ((m->x[i * D + b] - m->frame.center[b]) * m->frame.factor - mean[b]) / N;
    im_symmetric_eigen(values, vectors, covariance, D, scratch);
}

/* A mixture far from 0, whose columns vary less and less. */
static void make(mixture *m, int threads)
{
    mixture_make(m, N, D, 4);
    for (size_t i = 0; i < N * D; i++)
        m->x[i] = (float)(50 + m->x[i] * pow(0.95, (double)(i % D)));
    mixture_fit(m, threads);
}

static void the_eigenvectors_of_the_covariance(void **state)
{
    (void)state;
    mixture m;
    im_principal p;
    make(&m, 1);
    solve(&m);
    assert_ok(im_principal_fit(&p, &m.frame, M, m.pool, NULL, NULL), NULL);
    for (size_t j = 0; j < D; j++)
        assert_near(p.mean[j], mean[j], 1e-7);
    for (size_t e = 0; e < M; e++) {
        double dot = 0;
        for (size_t j = 0; j < D; j++)
            dot += p.directions[e * D + j] * vectors[e * D + j];
        assert_near(dot, 1, 1e-8);
        assert_near(p.variance[e], values[e], 1e-6 * values[0]);
    }
    im_principal_clear(&p);
    mixture_clear(&m);
}

static void projections_are_products(void **state)
{
    (void)state;
    mixture m;
    im_principal p;
    static im_real out[N * M];
    make(&m, 2);
    assert_ok(im_principal_fit(&p, &m.frame, M, m.pool, NULL, NULL), NULL);
    assert_ok(im_principal_project(out, &p, &m.frame, m.pool, NULL, NULL), NULL);
    for (size_t e = 0; e < M; e++) {
        double sum = 0, square = 0;
        for (size_t i = 0; i < N; i++) {
            double dot = 0;
            for (size_t j = 0; j < D; j++)
                dot += p.directions[e * D + j] *
                       ((m.x[i * D + j] - m.frame.center[j]) * m.frame.factor - p.mean[j]);
            assert_near(out[i * M + e], dot, 1e-5);
            sum += out[i * M + e];
            square += (double)out[i * M + e] * out[i * M + e];
        }
        assert_near(sum / N, 0, 1e-6);
        assert_near(square / N, p.variance[e], 1e-5);
    }
    im_principal_clear(&p);
    mixture_clear(&m);
}

/* With a copy of the rows, and without. */
static void any_number_of_threads(void **state)
{
    (void)state;
    mixture one, three;
    im_principal p, q;
    make(&one, 1);
    make(&three, 3);
    assert_ok(im_frame_keep(&three.frame, SIZE_MAX, three.pool, NULL, NULL), NULL);
    assert_ok(im_principal_fit(&p, &one.frame, M, one.pool, NULL, NULL), NULL);
    assert_ok(im_principal_fit(&q, &three.frame, M, three.pool, NULL, NULL), NULL);
    assert_memory_equal(p.directions, q.directions, M * D * sizeof(double));
    assert_memory_equal(p.variance, q.variance, M * sizeof(double));
    im_principal_clear(&p);
    im_principal_clear(&q);
    mixture_clear(&one);
    mixture_clear(&three);
}

static void fit_rows(im_principal *out, const imsat_data *data, im_pool *pool)
{
    im_frame frame;
    const im_preprocess pre = {.dim = data->dim, .scale = 1, .factor = 1};
    assert_ok(im_frame_fit(&frame, data, &pre, pool, NULL, NULL), NULL);
    assert_ok(im_principal_fit(out, &frame, M, pool, NULL, NULL), NULL);
    for (size_t e = 0; e < M; e++)
        out->variance[e] /= frame.factor * frame.factor;
    im_frame_clear(&frame);
}

static void sparse_rows_have_those_of_dense_rows(void **state)
{
    (void)state;
    sparse_case s;
    im_pool *pool;
    im_principal p, q;
    sparse_case_make(&s, N, 97, 7, 3);
    assert_ok(im_pool_new(&pool, 2, NULL), NULL);
    fit_rows(&p, s.sparse, pool);
    fit_rows(&q, s.dense, pool);
    for (size_t e = 0; e < M; e++)
        assert_near(p.variance[e], q.variance[e], 1e-5 * q.variance[0]);
    for (size_t i = 0; i < 2 * s.dim; i++)
        assert_near(p.directions[i], q.directions[i], 1e-4);
    im_principal_clear(&p);
    im_principal_clear(&q);
    im_pool_free(pool);
    sparse_case_clear(&s);
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    mixture m;
    imsat_error err;
    im_principal p = {0};
    make(&m, 2);
    assert_stopped(im_principal_fit(&p, &m.frame, M, m.pool, &stopping, &err));
    assert_null(p.directions);
    mixture_clear(&m);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    const mixture *m = context;
    static im_real out[N * M];
    im_principal p = {0};
    imsat_status st = im_principal_fit(&p, &m->frame, M, m->pool, NULL, err);
    if (st == IMSAT_OK)
        st = im_principal_project(out, &p, &m->frame, m->pool, NULL, err);
    im_principal_clear(&p);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    make(&m, 1);
    assert_true(fail_each(try_once, &m) >= 9);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_eigenvectors_of_the_covariance),
        cmocka_unit_test(projections_are_products),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(sparse_rows_have_those_of_dense_rows),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
