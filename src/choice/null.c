/* SPDX-License-Identifier: MIT
 * See null.h. */
#include "choice/null.h"

#include "core/alloc.h"
#include "core/lanes.h"
#include "core/rng.h"
#include "linear/principal.h"

#include <math.h>

/* Components of a box: in more dimensions than these uniform rows are as good as normal ones.
 */
enum { BOX = 32, ROWS_AT_ONCE = 8 };

/* What is drawn, for the random numbers. */
enum { BRANCH_NORMAL = 1, BRANCH_BOX, BRANCH_COLUMNS };

/* ---- normals ---------------------------------------------------------------------------- */

/* Rows in the order of their clusters. */
typedef struct drawing {
    const im_portion *portion;
    float *out; /* (n,d) */
    size_t k;
    size_t *order;  /* (n) rows, by cluster */
    size_t *first;  /* (k + 1) where in the order each cluster begins */
    double *mean;   /* (k,d) */
    double *about;  /* (n,d) rows less the mean of their cluster, in this order */
    double *row;    /* (threads,d) */
    float *normals; /* (threads,n) */
    im_rng rng;
} drawing;

static void clear(drawing *d)
{
    im_free(d->order);
    im_free(d->first);
    im_free(d->mean);
    im_free(d->about);
    im_free(d->row);
    im_free(d->normals);
}

static imsat_status allot(drawing *d, im_pool *pool, imsat_error *err)
{
    const size_t n = d->portion->n, width = d->portion->d;
    const size_t threads = (size_t)im_pool_threads(pool);
    d->order = im_alloc(n, sizeof *d->order);
    d->first = im_alloc(d->k + 1, sizeof *d->first);
    d->mean = im_alloc(d->k * width, sizeof *d->mean);
    d->about = im_alloc(n * width, sizeof *d->about);
    d->row = im_alloc(threads * width, sizeof *d->row);
    d->normals = im_alloc(threads * n, sizeof *d->normals);
    return d->order && d->first && d->mean && d->about && d->row && d->normals
               ? IMSAT_OK
               : im_fail_memory(err, "rows without clusters");
}

static size_t cluster_of(const int32_t *labels, size_t i)
{
    return labels ? (size_t)labels[i] : 0;
}

static void sort_rows(drawing *d, const int32_t *labels)
{
    const size_t n = d->portion->n;
    for (size_t i = 0; i < n; i++)
        d->first[cluster_of(labels, i) + 1]++;
    for (size_t c = 0; c < d->k; c++)
        d->first[c + 1] += d->first[c];
    for (size_t c = 0, at = 0; c < d->k; c++)
        for (size_t i = 0; i < n && at < d->first[c + 1]; i++)
            if (cluster_of(labels, i) == c)
                d->order[at++] = i;
}

static void subtract_means(drawing *d)
{
    const size_t width = d->portion->d;
    for (size_t c = 0; c < d->k; c++) {
        double *mean = d->mean + c * width;
        const size_t begin = d->first[c], end = d->first[c + 1];
        for (size_t at = begin; at < end; at++)
            for (size_t j = 0; j < width; j++)
                mean[j] += d->portion->x[d->order[at] * width + j] / (double)(end - begin);
        for (size_t at = begin; at < end; at++)
            for (size_t j = 0; j < width; j++)
                d->about[at * width + j] = d->portion->x[d->order[at] * width + j] - mean[j];
    }
}

/* One row of the cluster that place `at` is in. */
static void draw_row(const drawing *d, size_t at, double *row, float *normals)
{
    const size_t width = d->portion->d;
    size_t c = 0;
    while (d->first[c + 1] <= at)
        c++;
    const size_t begin = d->first[c], rows = d->first[c + 1] - begin;
    const double scale = 1 / sqrt((double)rows);
    memcpy(row, d->mean + c * width, width * sizeof *row);
    im_rng_normals(normals, rows, d->rng, (uint32_t)at);
    for (size_t i = 0; i < rows; i++)
        im_lanes_add(row, scale * normals[i], d->about + (begin + i) * width, width);
    for (size_t j = 0; j < width; j++)
        d->out[d->order[at] * width + j] = (float)row[j];
}

static void draw_rows(void *context, size_t task, int thread)
{
    const drawing *d = context;
    const size_t n = d->portion->n, end = im_size_min((task + 1) * ROWS_AT_ONCE, n);
    for (size_t at = task * ROWS_AT_ONCE; at < end; at++)
        draw_row(d, at, d->row + (size_t)thread * d->portion->d,
                 d->normals + (size_t)thread * n);
}

static imsat_status draw_normals(float *out, const im_portion *portion, const int32_t *labels,
                                 size_t k, uint64_t seed, uint32_t draw, im_pool *pool,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    drawing d = {.portion = portion, .out = out, .k = k};
    d.rng = (im_rng){seed, IM_STREAM_CHOICE, draw, BRANCH_NORMAL};
    IM_TRY(allot(&d, pool, err));
    sort_rows(&d, labels);
    subtract_means(&d);
    im_pool_run(pool, draw_rows, &d, (portion->n + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE);

cleanup:
    clear(&d);
    return st;
}

/* ---- a box -------------------------------------------------------------------------------
 */

/* Normal rows become uniform along the leading directions. */
static imsat_status fill_box(float *x, const im_portion *portion, const im_principal *p,
                             double factor, const double *center, im_rng rng, imsat_error *err)
{
    const size_t d = portion->d;
    double u[BOX], *row = im_alloc(d, sizeof *row);
    if (!row)
        return im_fail_memory(err, "rows without clusters");
    for (size_t i = 0; i < portion->n; i++) {
        for (size_t j = 0; j < d; j++)
            row[j] = x[i * d + j] - (center[j] + p->mean[j] / factor);
        im_rng_uniforms(u, p->m, rng, (uint32_t)i);
        for (size_t c = 0; c < p->m; c++) {
            const double *v = p->directions + c * d;
            const double half = sqrt(3 * fmax(p->variance[c], 0)) / factor;
            im_lanes_add(row, half * (2 * u[c] - 1) - im_lanes_dot(v, row, d), v, d);
        }
        for (size_t j = 0; j < d; j++)
            x[i * d + j] = (float)(row[j] + center[j] + p->mean[j] / factor);
    }
    im_free(row);
    return IMSAT_OK;
}

static imsat_status draw_box(float *out, const im_portion *portion, uint64_t seed,
                             uint32_t draw, im_pool *pool, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_rng rng = {seed, IM_STREAM_CHOICE, draw, BRANCH_BOX};
    im_frame frame = {0};
    im_preprocess pre;
    im_principal p = {0};
    IM_TRY(draw_normals(out, portion, NULL, 1, seed, draw, pool, err));
    IM_TRY(im_portion_frame(&frame, &pre, portion, pool, err));
    IM_TRY(im_principal_fit(&p, &frame, im_size_min(BOX, portion->d), pool, NULL, err));
    IM_TRY(fill_box(out, portion, &p, frame.factor, frame.center, rng, err));

cleanup:
    im_principal_clear(&p);
    im_frame_clear(&frame);
    return st;
}

/* ---- columns -----------------------------------------------------------------------------
 */

/* A permutation for each column: one stream a column, since a permutation has no item. */
static void permute_columns(float *out, const im_portion *portion, uint64_t seed,
                            uint32_t draw)
{
    const size_t n = portion->n, d = portion->d;
    for (size_t j = 0; j < d; j++) {
        const im_rng rng = {seed + ((uint64_t)j << 32), IM_STREAM_CHOICE, draw,
                            BRANCH_COLUMNS};
        for (size_t i = 0; i < n; i++)
            out[i * d + j] = portion->x[im_rng_permute(i, n, rng) * d + j];
    }
}

/* ---- the draws ----------------------------------------------------------------------------
 */

static imsat_status new_rows(im_portion *out, const im_portion *portion, imsat_error *err)
{
    *out = (im_portion){.n = portion->n, .d = portion->d, .image = portion->image};
    out->x = im_alloc_unset(portion->n * portion->d, sizeof *out->x);
    return out->x ? IMSAT_OK : im_fail_memory(err, "rows without clusters");
}

imsat_status im_null_draw(im_portion *out, const im_portion *portion, imsat_null kind,
                          uint64_t seed, uint32_t draw, im_pool *pool, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_portion made = {0};
    IM_TRY(new_rows(&made, portion, err));
    if (kind == IMSAT_NULL_PERMUTED)
        permute_columns(made.x, portion, seed, draw);
    else
        IM_TRY((kind == IMSAT_NULL_UNIFORM
                    ? draw_box(made.x, portion, seed, draw, pool, err)
                    : draw_normals(made.x, portion, NULL, 1, seed, draw, pool, err)));
    IM_TRY(im_portion_open(&made, pool, err));
    *out = made;
    made = (im_portion){0};

cleanup:
    im_portion_clear(&made);
    return st;
}

imsat_status im_null_normals(im_portion *out, const im_portion *portion, const int32_t *labels,
                             size_t k, uint64_t seed, uint32_t draw, im_pool *pool,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_portion made = {0};
    IM_TRY(new_rows(&made, portion, err));
    IM_TRY(draw_normals(made.x, portion, labels, k, seed, draw, pool, err));
    IM_TRY(im_portion_open(&made, pool, err));
    *out = made;
    made = (im_portion){0};

cleanup:
    im_portion_clear(&made);
    return st;
}
