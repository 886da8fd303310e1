/* SPDX-License-Identifier: MIT
 * The graph of nearest neighbors, its eigenvectors and its cuts, by their definitions. tsan:
 * any_number_of_threads. */
#include "neighbors/graph.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "stopping.h"
#include "support.h"

#include <math.h>

enum { N = 131, D = 3, T = 4, COUNT = 5 };

static double weight[N][N], degree[N];

/* By sorting all distances. */
static void join(const mixture *m)
{
    memset(weight, 0, sizeof weight);
    memset(degree, 0, sizeof degree);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            size_t nearer = 0;
            for (size_t l = 0; l < N; l++)
                nearer +=
                    l != i && l != j && mixture_distance(m, i, l) < mixture_distance(m, i, j);
            if (i != j && nearer < T) {
                weight[i][j] += 0.5;
                weight[j][i] += 0.5;
            }
        }
    for (size_t i = 0; i < N * N; i++)
        degree[i / N] += weight[i / N][i % N];
}

/* Far components, as many as there are parts of the graph. */
static void make(mixture *m, size_t components, int threads)
{
    mixture_make(m, N, D, 1);
    for (size_t i = 0; i < N; i++)
        m->x[i * D] += (float)(1000 * (i % components));
    mixture_fit(m, threads);
}

static void edges_and_weights(void **state)
{
    (void)state;
    mixture m;
    im_graph g;
    make(&m, 2, 1);
    join(&m);
    assert_ok(im_graph_new(&g, &m.frame, T, m.pool, NULL, NULL), NULL);
    for (size_t i = 0; i < N; i++) {
        size_t edges = 0;
        for (size_t j = 0; j < N; j++)
            edges += weight[i][j] > 0;
        assert_int_equal(g.start[i + 1] - g.start[i], edges);
        for (size_t e = g.start[i]; e < g.start[i + 1]; e++) {
            assert_near((double)g.weight[e], weight[i][g.to[e]], 0);
            assert_true(e == g.start[i] || g.to[e - 1] < g.to[e]);
        }
        assert_near(g.root[i], sqrt(degree[i]), 1e-12);
    }
    im_graph_clear(&g);
    mixture_clear(&m);
}

/* W v = value D v; 1 is a value for each part, and no more often. */
static void eigenvectors_and_parts(void **state)
{
    (void)state;
    for (size_t parts = 1; parts <= 3; parts++) {
        mixture m;
        im_graph g;
        double *v = NULL, *value = NULL;
        make(&m, parts, 2);
        join(&m);
        assert_ok(im_graph_new(&g, &m.frame, T, m.pool, NULL, NULL), NULL);
        assert_ok(im_graph_embed(&v, &value, &g, COUNT, m.pool, NULL, NULL), NULL);
        for (size_t e = 0; e < COUNT; e++) {
            double square = 0;
            for (size_t i = 0; i < N; i++) {
                double sum = 0;
                for (size_t j = 0; j < N; j++)
                    sum += weight[i][j] * v[e * N + j];
                assert_near(sum, value[e] * degree[i] * v[e * N + i], 1e-6);
                square += degree[i] * v[e * N + i] * v[e * N + i];
            }
            assert_near(square, 1, 1e-9);
            assert_true(e < parts ? fabs(value[e] - 1) < 1e-9 : value[e] < 1 - 1e-6);
        }
        im_free(v);
        im_free(value);
        im_graph_clear(&g);
        mixture_clear(&m);
    }
}

static void the_normalized_cut(void **state)
{
    (void)state;
    mixture m;
    im_graph g;
    int32_t labels[N];
    double cut = -1, expected = 0;
    make(&m, 1, 1);
    join(&m);
    for (size_t i = 0; i < N; i++)
        labels[i] = (int32_t)(i * i % 3);
    for (int32_t c = 0; c < 3; c++) {
        double out = 0, all = 0;
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; labels[i] == c && j < N; j++) {
                all += weight[i][j];
                out += labels[j] != c ? weight[i][j] : 0;
            }
        expected += all > 0 ? out / all : 0;
    }
    assert_ok(im_graph_new(&g, &m.frame, T, m.pool, NULL, NULL), NULL);
    assert_ok(im_graph_cut(&cut, &g, labels, 3, NULL), NULL);
    assert_near(cut, expected, 1e-12);
    im_graph_clear(&g);
    mixture_clear(&m);
}

static void any_number_of_threads(void **state)
{
    (void)state;
    mixture one, three;
    im_graph a, b;
    double *va = NULL, *vb = NULL, *la = NULL, *lb = NULL;
    make(&one, 2, 1);
    make(&three, 2, 3);
    assert_ok(im_graph_new(&a, &one.frame, T, one.pool, NULL, NULL), NULL);
    assert_ok(im_graph_new(&b, &three.frame, T, three.pool, NULL, NULL), NULL);
    assert_ok(im_graph_embed(&va, &la, &a, COUNT, one.pool, NULL, NULL), NULL);
    assert_ok(im_graph_embed(&vb, &lb, &b, COUNT, three.pool, NULL, NULL), NULL);
    assert_memory_equal(va, vb, COUNT * N * sizeof *va);
    im_free(va);
    im_free(vb);
    im_free(la);
    im_free(lb);
    im_graph_clear(&a);
    im_graph_clear(&b);
    mixture_clear(&one);
    mixture_clear(&three);
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    mixture m;
    imsat_error err;
    im_graph g = {0};
    double *v = NULL, *value = NULL;
    make(&m, 1, 2);
    assert_stopped(im_graph_new(&g, &m.frame, T, m.pool, &stopping, &err));
    assert_null(g.to);
    assert_ok(im_graph_new(&g, &m.frame, T, m.pool, NULL, &err), &err);
    assert_stopped(im_graph_embed(&v, &value, &g, COUNT, m.pool, &stopping, &err));
    assert_null(v);
    im_graph_clear(&g);
    mixture_clear(&m);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    const mixture *m = context;
    im_graph g = {0};
    double *v = NULL, *value = NULL, cut;
    static const int32_t labels[N];
    imsat_status st = im_graph_new(&g, &m->frame, T, m->pool, NULL, err);
    if (st == IMSAT_OK)
        st = im_graph_embed(&v, &value, &g, COUNT, m->pool, NULL, err);
    if (st == IMSAT_OK)
        st = im_graph_cut(&cut, &g, labels, 1, err);
    im_free(v);
    im_free(value);
    im_graph_clear(&g);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    make(&m, 1, 1);
    assert_true(fail_each(try_once, &m) >= 9);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_and_weights),  cmocka_unit_test(eigenvectors_and_parts),
        cmocka_unit_test(the_normalized_cut), cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(a_stop_is_heeded),   cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
