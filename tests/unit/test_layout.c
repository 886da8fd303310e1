/* SPDX-License-Identifier: MIT
 * The map of a graph of neighbors. tsan: any_number_of_threads. */
#include "neighbors/layout.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "stopping.h"
#include "support.h"

#include <math.h>

enum { N = 310, D = 7, T = 6, BLOBS = 3 };

static const im_layout_options options = {5, 200};

static double sq_distance(const double *place, size_t i, size_t j)
{
    const double x = place[2 * i] - place[2 * j], y = place[2 * i + 1] - place[2 * j + 1];
    return x * x + y * y;
}

/* A map of the mixture's rows, from its first two columns, and their graph. */
static void make(double *place, im_graph *graph, mixture *m, int threads)
{
    imsat_error err;
    mixture_make(m, N, D, BLOBS);
    mixture_fit(m, threads);
    assert_ok(im_graph_new(graph, &m->frame, T, m->pool, NULL, &err), &err);
    im_layout_start(place, m->x, N, D, options.seed);
    assert_ok(im_layout_find(place, graph, &options, m->pool, NULL, &err), &err);
}

/* How many of the T nearest places of row i are rows that it is joined with. */
static size_t kept_of(const double *place, const im_graph *graph, size_t i)
{
    size_t kept = 0;
    for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
        size_t nearer = 0;
        for (size_t j = 0; j < N; j++)
            nearer += j != i && j != graph->to[e] &&
                      sq_distance(place, i, j) < sq_distance(place, i, graph->to[e]);
        kept += nearer < T;
    }
    return kept;
}

/* By chance it would be T / (N - 1), 0.02. */
static void neighbors_stay_near(void **state)
{
    (void)state;
    double place[2 * N];
    mixture m;
    im_graph graph;
    size_t kept = 0;
    make(place, &graph, &m, 2);
    for (size_t i = 0; i < N; i++)
        kept += kept_of(place, &graph, i);
    const double share = (double)kept / (N * T);
    if (share < 0.3)
        fail_msg("%g of the neighbors are near", share);
    im_graph_clear(&graph);
    mixture_clear(&m);
}

/* The nearest place of every row is one of its own blob, and the map is not one point. */
static void blobs_are_apart(void **state)
{
    (void)state;
    double place[2 * N], least = INFINITY, most = 0;
    mixture m;
    im_graph graph;
    make(place, &graph, &m, 2);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++) {
            const double sq = sq_distance(place, i, j);
            assert_true(isfinite(sq));
            most = fmax(most, sq);
            if (i % BLOBS != j % BLOBS)
                least = fmin(least, sq);
        }
    if (least < 1 || most < 4)
        fail_msg("blobs are %g apart in a map %g wide", sqrt(least), sqrt(most));
    im_graph_clear(&graph);
    mixture_clear(&m);
}

static void any_number_of_threads(void **state)
{
    (void)state;
    double one[2 * N], three[2 * N];
    mixture a, b;
    im_graph of_a, of_b;
    make(one, &of_a, &a, 1);
    make(three, &of_b, &b, 3);
    assert_memory_equal(one, three, sizeof one);
    im_graph_clear(&of_a);
    im_graph_clear(&of_b);
    mixture_clear(&a);
    mixture_clear(&b);
}

static void another_seed_is_another_map(void **state)
{
    (void)state;
    double one[2 * N], other[2 * N];
    mixture m;
    im_graph graph;
    const im_layout_options second = {6, 200};
    make(one, &graph, &m, 1);
    im_layout_start(other, m.x, N, D, options.seed);
    assert_ok(im_layout_find(other, &graph, &second, m.pool, NULL, NULL), NULL);
    assert_memory_not_equal(one, other, sizeof one);
    im_graph_clear(&graph);
    mixture_clear(&m);
}

/* Rows of one column that are all equal have a map, too. */
static void equal_rows_are_told_apart(void **state)
{
    (void)state;
    enum { FEW = 9 };
    double place[2 * FEW];
    mixture m;
    im_graph graph;
    mixture_make(&m, FEW, 1, 1);
    for (size_t i = 0; i < FEW; i++)
        m.x[i] = 2;
    mixture_fit(&m, 1);
    assert_ok(im_graph_new(&graph, &m.frame, T, m.pool, NULL, NULL), NULL);
    im_layout_start(place, m.x, FEW, 1, 1);
    assert_ok(im_layout_find(place, &graph, &options, m.pool, NULL, NULL), NULL);
    for (size_t i = 0; i < FEW; i++)
        for (size_t j = 0; j < i; j++) {
            assert_true(sq_distance(place, i, j) > 0);
            assert_true(sq_distance(place, i, j) < 1e4);
        }
    im_graph_clear(&graph);
    mixture_clear(&m);
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    double place[2 * N], before[2 * N];
    mixture m;
    im_graph graph;
    imsat_error err;
    make(place, &graph, &m, 1);
    memcpy(before, place, sizeof place);
    assert_stopped(im_layout_find(place, &graph, &options, m.pool, &stopping, &err));
    assert_memory_equal(before, place, sizeof place);
    im_graph_clear(&graph);
    mixture_clear(&m);
}

typedef struct attempt {
    mixture m;
    im_graph graph;
} attempt;

static imsat_status try_once(void *context, imsat_error *err)
{
    const attempt *a = context;
    double place[2 * N];
    const im_layout_options few = {1, 3};
    im_layout_start(place, a->m.x, N, D, 1);
    return im_layout_find(place, &a->graph, &few, a->m.pool, NULL, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    attempt a;
    double place[2 * N];
    make(place, &a.graph, &a.m, 1);
    assert_true(fail_each(try_once, &a) == 2);
    im_graph_clear(&a.graph);
    mixture_clear(&a.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbors_stay_near),
        cmocka_unit_test(blobs_are_apart),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(another_seed_is_another_map),
        cmocka_unit_test(equal_rows_are_told_apart),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
