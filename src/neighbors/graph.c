/* SPDX-License-Identifier: MIT
 * See graph.h. */
#include "neighbors/graph.h"

#include "core/alloc.h"
#include "core/lanes.h"
#include "linear/keep.h"
#include "linear/krylov.h"
#include "neighbors/candidates.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
    LANES = IM_KRYLOV_BLOCK, /* vectors of a product */
    SPAN = 256,              /* rows of a task */
    SLACK = 8                /* candidates beyond those that are wanted (radius.c) */
};

static const double TOLERANCE = 1e-7;
enum { ROUNDS = 1000 };

/* ---- neighbors -----------------------------------------------------------------------------
 */

/* What a thread works in: the row, and the nearest so far, in order. */
typedef struct desk {
    float *x, *y;    /* (d) */
    double *prepare; /* (d) */
    double *sq;      /* (t) */
    uint32_t *row;   /* (t) */
    size_t count;
} desk;

typedef struct chooser {
    const im_frame *frame;
    im_candidates near;
    size_t t;
    uint32_t *nearest; /* (n,t) */
    desk *desks;       /* [threads] */
    void *memory;
} chooser;

static size_t lay_out(chooser *c, void *base, size_t threads)
{
    const size_t d = c->frame->d;
    im_carver carver = {base, 0};
    c->nearest = im_carve(&carver, c->frame->n * c->t, sizeof *c->nearest);
    c->desks = im_carve(&carver, threads, sizeof *c->desks);
    for (size_t i = 0; i < threads; i++) {
        const desk one = {
            im_carve(&carver, d, sizeof(float)),       im_carve(&carver, d, sizeof(float)),
            im_carve(&carver, d, sizeof(double)),      im_carve(&carver, c->t, sizeof(double)),
            im_carve(&carver, c->t, sizeof(uint32_t)), 0};
        if (base)
            c->desks[i] = one;
    }
    return carver.used;
}

/* Insert a row if it is among the t nearest; of equally near ones the first counts. */
static void offer(const chooser *c, desk *own, uint32_t row)
{
    im_frame_prepared(own->y, c->frame, row, own->prepare);
    const double sq = im_lanes_sq_distance(own->x, own->y, c->frame->d);
    size_t at = own->count;
    while (at > 0 &&
           (sq < own->sq[at - 1] || (sq <= own->sq[at - 1] && row < own->row[at - 1])))
        at--;
    if (at == c->t)
        return;
    own->count += own->count < c->t;
    for (size_t i = own->count - 1; i > at; i--) {
        own->sq[i] = own->sq[i - 1];
        own->row[i] = own->row[i - 1];
    }
    own->sq[at] = sq;
    own->row[at] = row;
}

/* The nearest of the candidates, by distances in double; of all rows, if a nearer one may not
 * be among them. */
static void choose_row(const chooser *c, desk *own, size_t i)
{
    const uint64_t *keys = c->near.keys + i * c->near.capacity;
    own->count = 0;
    im_frame_prepared(own->x, c->frame, i, own->prepare);
    for (size_t e = 0; e < c->near.capacity; e++)
        offer(c, own, im_keep_row(keys[e]));
    if (im_candidates_complete(&c->near, i, sqrt(own->sq[c->t - 1])))
        return;
    own->count = 0;
    for (size_t j = 0; j < c->frame->n; j++)
        if (j != i)
            offer(c, own, (uint32_t)j);
}

static void choose_task(void *context, size_t task, int thread)
{
    const chooser *c = context;
    desk *own = &c->desks[thread];
    const size_t end = im_size_min(c->frame->n, (task + 1) * SPAN);
    for (size_t i = task * SPAN; i < end; i++) {
        choose_row(c, own, i);
        memcpy(c->nearest + i * c->t, own->row, c->t * sizeof *own->row);
    }
}

static imsat_status choose(chooser *c, im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t threads = (size_t)im_pool_threads(pool);
    const im_stage find = im_stage_part(stage, 0, 0.9), settle = im_stage_part(stage, 0.9, 1);
    IM_TRY(im_candidates_find(&c->near, c->frame, c->t + SLACK, pool, &find, err));
    c->memory = im_alloc(lay_out(c, NULL, threads), 1);
    if (!c->memory)
        return im_fail_memory(err, "the graph of neighbors");
    lay_out(c, c->memory, threads);
    IM_TRY(im_stage_run(&settle, pool, choose_task, c, (c->frame->n + SPAN - 1) / SPAN,
                        SIZE_MAX, err));

cleanup:
    return st;
}

/* ---- edges --------------------------------------------------------------------------------
 */

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Every row's neighbors (n,t), and the rows whose neighbor it is. start (n + 1) of both
 * together. */
static void list_ends(im_graph *g, const uint32_t *nearest, size_t t)
{
    for (size_t e = 0; e < g->n * t; e++) {
        g->start[e / t + 1]++;
        g->start[nearest[e] + 1]++;
    }
    for (size_t i = 0; i < g->n; i++)
        g->start[i + 1] += g->start[i];
    for (size_t e = 0; e < g->n * t; e++) {
        const uint32_t i = (uint32_t)(e / t), j = nearest[e];
        g->to[g->start[i]++] = j;
        g->to[g->start[j]++] = i;
    }
    for (size_t i = g->n; i > 0; i--)
        g->start[i] = g->start[i - 1];
    g->start[0] = 0;
}

/* Who is there twice is a neighbor both ways. */
static void join_ends(im_graph *g)
{
    size_t kept = 0, from = 0;
    for (size_t i = 0; i < g->n; i++) {
        const size_t end = g->start[i + 1], first = kept;
        qsort(g->to + from, end - from, sizeof *g->to, compare);
        for (size_t e = from; e < end; e++) {
            if (kept > first && g->to[kept - 1] == g->to[e]) {
                g->weight[kept - 1] += 0.5F;
                continue;
            }
            g->to[kept] = g->to[e];
            g->weight[kept++] = 0.5F;
        }
        from = end;
        g->start[i + 1] = kept;
    }
}

static void set_roots(im_graph *g)
{
    for (size_t i = 0; i < g->n; i++) {
        double degree = 0;
        for (size_t e = g->start[i]; e < g->start[i + 1]; e++)
            degree += (double)g->weight[e];
        g->root[i] = sqrt(degree);
    }
}

imsat_status im_graph_new(im_graph *out, const im_frame *frame, size_t t, im_pool *pool,
                          const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    chooser c = {.frame = frame, .t = im_size_min(t, frame->n - 1)};
    im_graph g = {.n = frame->n};
    assert(t >= 1 && frame->n >= 2);
    IM_TRY(choose(&c, pool, stage, err));
    g.start = im_alloc(g.n + 1, sizeof *g.start);
    g.to = im_alloc(2 * g.n * c.t, sizeof *g.to);
    g.weight = im_alloc(2 * g.n * c.t, sizeof *g.weight);
    g.root = im_alloc(g.n, sizeof *g.root);
    if (!g.start || !g.to || !g.weight || !g.root) {
        st = im_fail_memory(err, "the graph of neighbors");
        goto cleanup;
    }
    list_ends(&g, c.nearest, c.t);
    join_ends(&g);
    set_roots(&g);
    *out = g;
    g = (im_graph){0};

cleanup:
    im_graph_clear(&g);
    im_candidates_clear(&c.near);
    im_free(c.memory);
    return st;
}

void im_graph_clear(im_graph *graph)
{
    im_free(graph->start);
    im_free(graph->to);
    im_free(graph->weight);
    im_free(graph->root);
    *graph = (im_graph){0};
}

/* ---- eigenvectors --------------------------------------------------------------------------
 */

typedef struct product {
    const im_graph *graph;
    im_pool *pool;
    double *right; /* (n,LANES) D^-1/2 x */
    double *y;     /* (count,n), the caller's */
    size_t count;
} product;

static void multiply_task(void *context, size_t task, int thread)
{
    const product *p = context;
    const im_graph *g = p->graph;
    const size_t end = im_size_min(g->n, (task + 1) * SPAN);
    (void)thread;
    for (size_t i = task * SPAN; i < end; i++) {
        double sum[LANES] = {0};
        for (size_t e = g->start[i]; e < g->start[i + 1]; e++)
            for (size_t l = 0; l < LANES; l++)
                sum[l] += (double)g->weight[e] * p->right[(size_t)g->to[e] * LANES + l];
        for (size_t l = 0; l < p->count; l++)
            p->y[l * g->n + i] = sum[l] / g->root[i];
    }
}

static imsat_status multiply(void *context, double *y, const double *x, size_t count,
                             const im_stage *stage, imsat_error *err)
{
    product *p = context;
    const im_graph *g = p->graph;
    p->y = y;
    p->count = count;
    for (size_t i = 0; i < g->n; i++)
        for (size_t l = 0; l < LANES; l++)
            p->right[i * LANES + l] = l < count ? x[l * g->n + i] / g->root[i] : 0;
    return im_stage_run(stage, p->pool, multiply_task, p, (g->n + SPAN - 1) / SPAN, SIZE_MAX,
                        err);
}

imsat_status im_graph_embed(double **vectors, double **values, const im_graph *graph,
                            size_t count, im_pool *pool, const im_stage *stage,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    const im_krylov_options options = {graph->n, count, TOLERANCE, ROUNDS};
    im_krylov found = {0};
    product p = {.graph = graph, .pool = pool};
    p.right = im_alloc(graph->n * LANES, sizeof *p.right);
    if (!p.right)
        return im_fail_memory(err, "the eigenvectors of the graph");
    IM_TRY(im_krylov_find(&found, &options, multiply, &p, &whole, err));
    for (size_t i = 0; i < count * graph->n; i++)
        found.vectors[i] /= graph->root[i % graph->n];
    *vectors = found.vectors;
    *values = found.value;

cleanup:
    im_free(p.right);
    return st;
}

imsat_status im_graph_cut(double *out, const im_graph *graph, const int32_t *labels, size_t k,
                          imsat_error *err)
{
    double *all = im_alloc(2 * k, sizeof *all), cut = 0;
    if (!all)
        return im_fail_memory(err, "the cut of the graph");
    for (size_t i = 0; i < graph->n; i++)
        for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            const size_t c = (size_t)labels[i];
            all[c] += (double)graph->weight[e];
            all[k + c] += labels[graph->to[e]] != labels[i] ? (double)graph->weight[e] : 0;
        }
    for (size_t c = 0; c < k; c++)
        cut += all[c] > 0 ? all[k + c] / all[c] : 0;
    im_free(all);
    *out = cut;
    return IMSAT_OK;
}
