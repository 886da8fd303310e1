/* SPDX-License-Identifier: MIT
 * See knn.h. */
#include "linear/knn.h"

#include "core/alloc.h"
#include "linear/keep.h"

#include <assert.h>
#include <math.h>

enum { GROUP = 2 * IM_TILE_ROWS }; /* rows of a task: columns are packed for them once */

/* ---- one task -------------------------------------------------------------- */

static size_t number_of(const im_knn_rows *rows, size_t i)
{
    return rows->numbers ? rows->numbers[i] : i;
}

static size_t place_of(const im_knn_rows *rows, size_t i)
{
    const size_t number = number_of(rows, i);
    return rows->places ? rows->places[number] : number;
}

/* A row of the product, and what it wants. */
typedef struct seeker {
    uint64_t *heap; /* (capacity) */
    size_t capacity;
    uint64_t after;
    float sq_norm;
    size_t self; /* the column that is the row itself; SIZE_MAX: none */
} seeker;

static seeker seeker_of(const im_knn_rows *rows, size_t i)
{
    const size_t number = number_of(rows, i), place = place_of(rows, i);
    return (seeker){.heap = rows->heaps + number * rows->capacity,
                    .capacity = rows->capacity,
                    .after = rows->after ? rows->after[number] : 0,
                    .sq_norm = rows->sq_norm ? rows->sq_norm[place] : 0,
                    .self = rows->among ? place : SIZE_MAX};
}

/* Returns the limit that a squared distance must not exceed from now on. */
static float offer(const seeker *s, float sq, size_t column)
{
    const uint64_t key = im_keep_pair(sq, (uint32_t)column);
    if (key < s->heap[0] && key > s->after && column != s->self)
        im_keep_replace(s->heap, s->capacity, key);
    return im_keep_value(s->heap[0]);
}

/* Row i of the product is offered its `cols` columns, numbered from first on. sq_norm: of
 * these columns, read to the end of the last chunk. */
static void offer_row(im_tile *tile, size_t i, const seeker *s, const float *sq_norm,
                      size_t first, size_t cols)
{
    const im_real *product = tile->product + i * IM_TILE_COLS;
    const size_t chunks = (cols + IM_TILE_CHUNK - 1) / IM_TILE_CHUNK;
    float limit = im_keep_value(s->heap[0]);
    im_tile_mark(tile, i, s->sq_norm, limit, sq_norm, tile->closed, chunks);
    for (size_t c = 0; c < chunks; c++) {
        if (!tile->mark[c])
            continue;
        const size_t end = im_size_min((c + 1) * IM_TILE_CHUNK, cols);
        for (size_t j = c * IM_TILE_CHUNK; j < end; j++) {
            const float sq = im_tile_sq_distance(s->sq_norm, sq_norm[j], product[j]);
            if (sq <= limit)
                limit = offer(s, sq, first + j);
        }
    }
}

/* Rows from i on, at most IM_TILE_ROWS, meet `cols` packed columns, numbered from first on. */
static void strip(im_tile *tile, const im_knn_rows *rows, size_t i, const im_real *packed,
                  const float *sq_norm, size_t first, size_t cols)
{
    const size_t count = im_size_min(IM_TILE_ROWS, rows->count - i);
    uint32_t places[IM_TILE_ROWS];
    for (size_t k = 0; k < count; k++)
        places[k] = (uint32_t)place_of(rows, i + k);
    im_tile_load(tile, rows->frame, places, 0, count);
    for (size_t j = 0; j < cols; j += IM_TILE_COLS) {
        const size_t wide = im_size_min(IM_TILE_COLS, cols - j);
        im_tile_multiply(tile, count, packed, j, wide);
        for (size_t k = 0; k < count; k++) {
            const seeker s = seeker_of(rows, i + k);
            offer_row(tile, k, &s, sq_norm + first + j, first + j, wide);
        }
    }
}

void im_knn_offer(im_tile *tile, const im_knn_rows *rows, const im_knn_columns *columns)
{
    const size_t end = columns->first + columns->count;
    const size_t block = columns->packed ? columns->count : tile->room;
    assert(rows->capacity >= 1 && rows->frame->d == tile->d);
    assert(columns->packed || (tile->room > 0 && columns->frame->d == tile->d));
    assert(end <= UINT32_MAX);
    for (size_t first = columns->first; first < end; first += block) {
        const size_t cols = im_size_min(block, end - first);
        if (!columns->packed)
            im_tile_columns(tile, columns->frame, first, cols);
        for (size_t i = 0; i < rows->count; i += IM_TILE_ROWS)
            strip(tile, rows, i, columns->packed ? columns->packed : tile->packed,
                  columns->sq_norm, first, cols);
    }
}

/* ---- some rows among all --------------------------------------------------- */

typedef struct job {
    im_knn_rows rows;
    im_knn_columns columns;
    im_tile_set tiles;
} job;

static void find_task(void *context, size_t task, int thread)
{
    const job *j = context;
    const size_t from = task * GROUP;
    im_knn_rows rows = j->rows;
    rows.places += from;
    rows.heaps += from * rows.capacity;
    rows.count = im_size_min(GROUP, j->rows.count - from);
    im_knn_offer(&j->tiles.per_thread[thread], &rows, &j->columns);
}

imsat_status im_knn_find(im_knn *out, const im_frame *frame, const float *sq_norm,
                         const uint32_t *places, const float *sq_within, size_t count,
                         size_t capacity, im_pool *pool, const im_stage *stage,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    const size_t threads = (size_t)im_pool_threads(pool);
    assert(capacity >= 1);
    im_knn found = {capacity, im_alloc(count, capacity * sizeof *found.keys)};
    job j = {.rows = {.frame = frame,
                      .count = count,
                      .places = places,
                      .sq_norm = sq_norm,
                      .among = true,
                      .capacity = capacity,
                      .heaps = found.keys},
             .columns = {.frame = frame, .sq_norm = sq_norm, .count = frame->n}};
    if (!found.keys)
        return im_fail_memory(err, "the neighbors of some rows");
    for (size_t i = 0; i < count; i++)
        im_keep_reset(found.keys + i * capacity, capacity,
                      im_keep_pair(sq_within ? sq_within[i] : INFINITY, UINT32_MAX));
    IM_TRY(im_tile_set_new(&j.tiles, threads,
                           im_tile_room(IM_TILE_COLS * 4, frame->d, threads), frame->d, err));
    IM_TRY(
        im_stage_run(&whole, pool, find_task, &j, (count + GROUP - 1) / GROUP, SIZE_MAX, err));
    *out = found;
    found = (im_knn){0};

cleanup:
    im_knn_clear(&found);
    im_tile_set_clear(&j.tiles);
    return st;
}

float im_knn_sq_limit(const im_knn *knn, size_t i)
{
    return im_keep_value(knn->keys[i * knn->capacity]);
}

void im_knn_clear(im_knn *knn)
{
    im_free(knn->keys);
    *knn = (im_knn){0};
}
