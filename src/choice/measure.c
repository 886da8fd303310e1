/* SPDX-License-Identifier: MIT
 * See measure.h. */
#include "choice/measure.h"

#include "core/alloc.h"
#include "core/elementary.h"
#include "core/lanes.h"

#include <math.h>

/* ---- neighbor information -------------------------------------------------------------- */

/* The entropy of numbers (count) that sum to `total`, in nats. */
static double entropy(const double *weight, size_t count, double total)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (weight[i] > 0)
            sum -= weight[i] / total * im_elementary_log(weight[i] / total);
    return sum;
}

/* pair (k,k): the weight of the edges between two clusters; side (k): of all of a cluster. */
static double count_edges(double *pair, double *side, const im_graph *graph,
                          const int32_t *labels, size_t k)
{
    double total = 0;
    for (size_t i = 0; i < graph->n; i++)
        for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            const size_t a = (size_t)labels[i], b = (size_t)labels[graph->to[e]];
            pair[a * k + b] += graph->weight[e];
            side[a] += graph->weight[e];
            total += graph->weight[e];
        }
    return total;
}

imsat_status im_measure_information(double *share, double *nats, const im_graph *graph,
                                    const int32_t *labels, size_t k, imsat_error *err)
{
    size_t pairs = 0;
    double *pair = im_size_mul(&pairs, k, k) ? im_alloc(pairs, sizeof *pair) : NULL;
    double *side = im_alloc(k, sizeof *side);
    const bool room = pair && side;
    if (room) {
        const double total = count_edges(pair, side, graph, labels, k);
        const double one = entropy(side, k, total);
        *nats = fmax(2 * one - entropy(pair, pairs, total), 0);
        *share = one > 0 ? fmin(*nats / one, 1) : 0;
    }
    im_free(pair);
    im_free(side);
    return room ? IMSAT_OK : im_fail_memory(err, "the edges between clusters");
}

/* ---- silhouette ------------------------------------------------------------------------ */

enum { SILHOUETTES = 512, ROWS_AT_ONCE = 8 };

typedef struct silhouettes {
    const im_portion *portion;
    const int32_t *labels;
    size_t k, rows;
    const size_t *size; /* (k) rows of each cluster */
    double *sum;        /* (threads, k) */
    double *width;      /* (rows) */
} silhouettes;

static double width_of(const silhouettes *s, size_t i, double *sum)
{
    const im_portion *portion = s->portion;
    const size_t own = (size_t)s->labels[i];
    double nearest = INFINITY;
    memset(sum, 0, s->k * sizeof *sum);
    for (size_t j = 0; j < portion->n; j++)
        sum[s->labels[j]] += sqrt(im_lanes_sq_distance(
            portion->x + i * portion->d, portion->x + j * portion->d, portion->d));
    for (size_t c = 0; c < s->k; c++)
        if (c != own && s->size[c] > 0)
            nearest = fmin(nearest, sum[c] / (double)s->size[c]);
    if (s->size[own] < 2 || isinf(nearest))
        return 0;
    const double within = sum[own] / (double)(s->size[own] - 1);
    const double larger = fmax(within, nearest);
    return larger > 0 ? (nearest - within) / larger : 0;
}

static void some_widths(void *context, size_t task, int thread)
{
    const silhouettes *s = context;
    const size_t end = im_size_min((task + 1) * ROWS_AT_ONCE, s->rows);
    for (size_t i = task * ROWS_AT_ONCE; i < end; i++)
        s->width[i] = width_of(s, i, s->sum + (size_t)thread * s->k);
}

imsat_status im_measure_silhouette(double *out, const im_portion *portion,
                                   const int32_t *labels, size_t k, im_pool *pool,
                                   imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t rows = im_size_min(portion->n, SILHOUETTES);
    size_t *size = im_alloc(k, sizeof *size);
    silhouettes s = {portion, labels, k, rows, size, NULL, im_alloc(rows, sizeof *s.width)};
    s.sum = im_alloc(k * (size_t)im_pool_threads(pool), sizeof *s.sum);
    if (!size || !s.sum || !s.width) {
        st = im_fail_memory(err, "the silhouettes of rows");
        goto cleanup;
    }
    for (size_t i = 0; i < portion->n; i++)
        size[labels[i]]++;
    im_pool_run(pool, some_widths, &s, (rows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE);
    double sum = 0;
    for (size_t i = 0; i < rows; i++)
        sum += s.width[i];
    *out = sum / (double)rows;

cleanup:
    im_free(size);
    im_free(s.sum);
    im_free(s.width);
    return st;
}

/* ---- prediction strength ---------------------------------------------------------------- */

static double pairs_of(size_t rows)
{
    return (double)rows * ((double)rows - 1) / 2;
}

/* The least share of pairs that stay together; table (k,k) counts own and predicted labels. */
static double least_share(const size_t *table, size_t k)
{
    double least = 1;
    for (size_t a = 0; a < k; a++) {
        size_t rows = 0;
        double together = 0;
        for (size_t b = 0; b < k; b++) {
            rows += table[a * k + b];
            together += table[a * k + b] ? pairs_of(table[a * k + b]) : 0;
        }
        if (rows > 1)
            least = fmin(least, together / pairs_of(rows));
    }
    return least;
}

imsat_status im_measure_strength(double *out, const int32_t *own, const int32_t *predicted,
                                 size_t n, size_t k, imsat_error *err)
{
    size_t cells = 0;
    size_t *table = im_size_mul(&cells, k, k) ? im_alloc(cells, sizeof *table) : NULL;
    if (!table)
        return im_fail_memory(err, "the pairs of rows that stay together");
    for (size_t i = 0; i < n; i++)
        table[(size_t)own[i] * k + (size_t)predicted[i]]++;
    *out = least_share(table, k);
    im_free(table);
    return IMSAT_OK;
}
