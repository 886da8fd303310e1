/* SPDX-License-Identifier: MIT
 *
 * K-means (linear/kmeans.h) on a sample of SAMPLE rows a center: the centers begin as rows
 * drawn at random and move at most ROUNDS times to the mean of the rows that are nearest to
 * them. A center without rows stays. The cells need not be good clusters, only hold together
 * what is near.
 */
#include "neighbors/cells.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "linear/keep.h"
#include "linear/kmeans.h"
#include "linear/knn.h"

#include <assert.h>
#include <math.h>

enum {
    SAMPLE = 20,
    ROUNDS = 6,
    TASKS_A_CALL = 256 /* strips of rows between two calls of progress */
};

/* Share of the work after which k-means is done and all rows are assigned. */
static const double ASSIGN_FROM = 0.3;

/* ---- nearest centers ------------------------------------------------------- */

typedef struct query {
    const im_cells *cells;
    const im_frame *frame;
    const uint32_t *places;
    size_t count, wanted;
    uint16_t *nearest;
    uint64_t *after;
    uint64_t *heaps; /* (threads, IM_TILE_ROWS, wanted) */
    im_tile_set tiles;
} query;

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The cells of row i, from its heap of pairs. */
static void take_nearest(const query *q, size_t i, uint64_t *keys)
{
    qsort(keys, q->wanted, sizeof *keys, ascending);
    for (size_t k = 0; k < q->wanted; k++)
        q->nearest[i * q->wanted + k] = (uint16_t)im_keep_row(keys[k]);
    if (q->after)
        q->after[i] = keys[q->wanted - 1];
}

static void nearest_task(void *context, size_t task, int thread)
{
    const query *q = context;
    const size_t first = task * IM_TILE_ROWS,
                 count = im_size_min(IM_TILE_ROWS, q->count - first);
    uint64_t *heaps = q->heaps + (size_t)thread * IM_TILE_ROWS * q->wanted;
    uint32_t places[IM_TILE_ROWS];
    for (size_t i = 0; i < count; i++)
        places[i] = q->places ? q->places[first + i] : (uint32_t)(first + i);
    const im_knn_rows rows = {.frame = q->frame,
                              .count = count,
                              .places = places,
                              .after = q->after ? q->after + first : NULL,
                              .capacity = q->wanted,
                              .heaps = heaps};
    const im_knn_columns centers = {
        .packed = q->cells->packed, .sq_norm = q->cells->sq_norm, .count = q->cells->count};
    im_keep_reset(heaps, count * q->wanted, im_keep_pair(INFINITY, UINT32_MAX));
    im_knn_offer(&q->tiles.per_thread[thread], &rows, &centers);
    for (size_t i = 0; i < count; i++)
        take_nearest(q, first + i, heaps + i * q->wanted);
}

imsat_status im_cells_nearest(uint16_t *nearest, size_t wanted, uint64_t *after,
                              const im_cells *cells, const im_frame *frame,
                              const uint32_t *places, size_t count, im_pool *pool,
                              const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t threads = (size_t)im_pool_threads(pool);
    const im_stage whole = im_stage_part(stage, 0, 1);
    assert(1 <= wanted && wanted <= cells->count && frame->d == cells->d);
    query q = {.cells = cells,
               .frame = frame,
               .places = places,
               .count = count,
               .wanted = wanted,
               .nearest = nearest,
               .after = after};
    q.heaps = im_alloc(threads * IM_TILE_ROWS * wanted, sizeof *q.heaps);
    if (!q.heaps) {
        st = im_fail_memory(err, "the nearest cells");
        goto cleanup;
    }
    IM_TRY(im_tile_set_new(&q.tiles, threads, 0, frame->d, err));
    IM_TRY(im_stage_run(&whole, pool, nearest_task, &q,
                        (count + IM_TILE_ROWS - 1) / IM_TILE_ROWS, TASKS_A_CALL, err));

cleanup:
    im_free(q.heaps);
    im_tile_set_clear(&q.tiles);
    return st;
}

/* ---- memory ---------------------------------------------------------------- */

static imsat_status cells_allocate(im_cells *cells, size_t count, size_t d, imsat_error *err)
{
    *cells = (im_cells){.count = count, .d = d};
    cells->packed = im_alloc(im_gemm_packed(d, count), sizeof *cells->packed);
    cells->sq_norm = im_alloc(count + IM_TILE_CHUNK, sizeof *cells->sq_norm);
    cells->start = im_alloc(count + 1, sizeof *cells->start);
    return cells->packed && cells->sq_norm && cells->start
               ? IMSAT_OK
               : im_fail_memory(err, "the cells of the rows");
}

void im_cells_clear(im_cells *cells)
{
    im_free(cells->packed);
    im_free(cells->sq_norm);
    im_free(cells->start);
    *cells = (im_cells){0};
}

/* packed and sq_norm of the cells, from their centers (count, d). */
static void set_centers(im_cells *cells, const im_real *centers)
{
    const size_t d = cells->d;
    im_gemm_pack(cells->packed, centers, d, IM_TRANS, d, cells->count, 0,
                 im_gemm_panels(cells->count));
    for (size_t c = 0; c < cells->count; c++) {
        double sq = 0;
        for (size_t j = 0; j < d; j++)
            sq += (double)centers[c * d + j] * centers[c * d + j];
        cells->sq_norm[c] = (float)sq;
    }
}

/* ---- k-means --------------------------------------------------------------- */

/* A sample of the rows of a frame, and the first of them, prepared, to start from. */
typedef struct sample {
    size_t count;
    uint32_t *places; /* (count) owned */
    float *start;     /* (centers, d) owned */
} sample;

static void sample_clear(sample *s)
{
    im_free(s->places);
    im_free(s->start);
}

static imsat_status draw_sample(sample *s, const im_frame *frame, size_t centers,
                                imsat_error *err)
{
    const im_rng rng = {.stream = IM_STREAM_CELLS};
    double *prepare = im_alloc(frame->d, sizeof *prepare);
    s->count = frame->n / SAMPLE < centers ? frame->n : centers * SAMPLE;
    s->places = im_alloc(s->count, sizeof *s->places);
    s->start = im_alloc(centers * frame->d, sizeof *s->start);
    const bool whole = prepare && s->places && s->start;
    for (size_t i = 0; whole && i < s->count; i++)
        s->places[i] = (uint32_t)im_rng_permute(i, frame->n, rng);
    for (size_t c = 0; whole && c < centers; c++)
        im_frame_prepared(s->start + c * frame->d, frame, s->places[c], prepare);
    im_free(prepare);
    return whole ? IMSAT_OK : im_fail_memory(err, "the centers of cells");
}

/* centers (count, d): scaled; cells: allocated for as many, and set to them. */
static imsat_status learn_centers(im_real *centers, im_cells *cells, const im_frame *frame,
                                  im_pool *pool, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t d = frame->d;
    sample s = {0};
    im_kmeans found = {0};
    IM_TRY(draw_sample(&s, frame, cells->count, err));
    const im_rows rows = {frame, s.places, s.count};
    const im_kmeans_options options = {
        .k = cells->count, .restarts = 1, .iterations = ROUNDS, .start = s.start};
    IM_TRY(im_kmeans_fit(&found, &rows, &options, pool, stage, err));
    for (size_t c = 0; c < cells->count; c++)
        for (size_t j = 0; j < d; j++)
            centers[c * d + j] =
                (im_real)((found.centers[c * d + j] - frame->center[j]) * frame->factor);
    set_centers(cells, centers);

cleanup:
    im_kmeans_clear(&found);
    sample_clear(&s);
    return st;
}

/* ---- cells ----------------------------------------------------------------- */

/* What k-means found: the centers, and the rows of each. */
typedef struct found {
    size_t count, n, d;
    im_real *centers;  /* (count, d) */
    size_t *members;   /* (count) */
    uint16_t *nearest; /* (n) the center of each row */
} found;

static void found_clear(found *f)
{
    im_free(f->centers);
    im_free(f->members);
    im_free(f->nearest);
}

/* Cut large cells: first[c] is the first of c's pieces, each of at most `most` rows. Returns
 * how many pieces there are. */
static size_t cut(size_t *first, const size_t *members, size_t count, size_t most)
{
    size_t pieces = 0;
    for (size_t c = 0; c < count; c++) {
        first[c] = pieces;
        pieces += members[c] > most ? (members[c] + most - 1) / most : 1;
    }
    return pieces;
}

/* start of each piece, and its center: that of the cell it is cut from. */
static void lay_pieces(im_cells *out, im_real *centers, const found *f, const size_t *first,
                       size_t most)
{
    for (size_t c = 0, place = 0; c < f->count; c++) {
        const size_t end = c + 1 < f->count ? first[c + 1] : out->count;
        size_t left = f->members[c];
        for (size_t piece = first[c]; piece < end; piece++) {
            const size_t rows = im_size_min(left, most);
            memcpy(centers + piece * f->d, f->centers + c * f->d, f->d * sizeof *centers);
            out->start[piece] = place;
            place += rows;
            left -= rows;
        }
    }
    out->start[out->count] = f->n;
}

/* The final cells: pieces of those that k-means found; and the order of the rows. */
static imsat_status arrange(im_cells *out, uint32_t *order, const found *f, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t most = IM_CELLS_LARGEST * ((f->n + f->count - 1) / f->count);
    im_real *centers = NULL;
    size_t *first = im_alloc(f->count, sizeof *first);
    size_t *seen = im_alloc(f->count, sizeof *seen);
    if (!first || !seen) {
        st = im_fail_memory(err, "the cells of the rows");
        goto cleanup;
    }
    const size_t pieces = cut(first, f->members, f->count, most);
    IM_TRY(cells_allocate(out, pieces, f->d, err));
    centers = im_alloc(pieces * f->d, sizeof *centers);
    if (!centers) {
        st = im_fail_memory(err, "the cells of the rows");
        goto cleanup;
    }
    lay_pieces(out, centers, f, first, most);
    for (size_t i = 0; i < f->n; i++) /* the pieces of a cell are one run of places */
        order[out->start[first[f->nearest[i]]] + seen[f->nearest[i]]++] = (uint32_t)i;
    set_centers(out, centers);

cleanup:
    im_free(first);
    im_free(seen);
    im_free(centers);
    return st;
}

/* The centers, and the nearest of all rows. */
static imsat_status find(found *f, const im_frame *frame, im_pool *pool, const im_stage *stage,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage learn = im_stage_part(stage, 0, ASSIGN_FROM);
    const im_stage assign = im_stage_part(stage, ASSIGN_FROM, 1);
    im_cells whole = {0};
    f->centers = im_alloc(f->count * f->d, sizeof *f->centers);
    f->members = im_alloc(f->count, sizeof *f->members);
    f->nearest = im_alloc(f->n, sizeof *f->nearest);
    if (!f->centers || !f->members || !f->nearest)
        return im_fail_memory(err, "the cells of the rows");
    IM_TRY(cells_allocate(&whole, f->count, f->d, err));
    IM_TRY(learn_centers(f->centers, &whole, frame, pool, &learn, err));
    IM_TRY(
        im_cells_nearest(f->nearest, 1, NULL, &whole, frame, NULL, f->n, pool, &assign, err));
    for (size_t i = 0; i < f->n; i++)
        f->members[f->nearest[i]]++;

cleanup:
    im_cells_clear(&whole);
    return st;
}

imsat_status im_cells_new(im_cells *out, im_frame *frame, size_t wanted, im_pool *pool,
                          const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    found f = {.count = wanted, .n = frame->n, .d = frame->d};
    im_cells pieces = {0};
    uint32_t *order = im_alloc(frame->n, sizeof *order);
    assert(1 <= wanted && wanted <= IM_CELLS_MOST && wanted <= frame->n && !frame->order);
    if (!order)
        return im_fail_memory(err, "the cells of the rows");
    IM_TRY(find(&f, frame, pool, stage, err));
    IM_TRY(arrange(&pieces, order, &f, err));
    *out = pieces;
    frame->order = order;
    pieces = (im_cells){0};
    order = NULL;

cleanup:
    found_clear(&f);
    im_cells_clear(&pieces);
    im_free(order);
    return st;
}
