/* SPDX-License-Identifier: MIT
 * See seek.h. */
#include "neighbors/seek.h"

#include "core/alloc.h"
#include "linear/keep.h"
#include "linear/tile.h"

#include <math.h>

enum { GROUP = 2 * IM_TILE_ROWS }; /* rows of a task: columns are packed for them once */

typedef struct job {
    const im_frame *frame;
    const float *norm;
    const uint32_t *places;
    size_t count, room;
    im_sought found;
    im_tiles tiles;
} job;

/* Rows from .. from + rows - 1 of the list against the `cols` packed columns from col on. */
static void meet(const job *j, im_tile *w, size_t from, size_t rows, size_t col, size_t cols)
{
    im_tile_load(w, j->frame, j->places + from, 0, rows);
    for (size_t at = 0; at < cols; at += IM_TILE_COLS) {
        const size_t wide = im_smaller(IM_TILE_COLS, cols - at);
        im_tile_multiply(w, w->rows, rows, w->packed, at, wide);
        for (size_t k = 0; k < rows; k++) {
            const uint32_t place = j->places[from + k];
            const im_seeker seeker = {.heap = j->found.keys + (from + k) * j->found.capacity,
                                      .capacity = j->found.capacity,
                                      .norm = j->norm[place],
                                      .self = place};
            im_tile_offer(w, k, &seeker, j->norm + col + at, col + at, wide);
        }
    }
}

static void seek_task(void *context, size_t task, int thread)
{
    const job *j = context;
    im_tile *w = &j->tiles.of[thread];
    const size_t end = im_smaller((task + 1) * GROUP, j->count);
    for (size_t col = 0; col < j->frame->n; col += j->room) {
        const size_t cols = im_smaller(j->room, j->frame->n - col);
        im_tile_load(w, j->frame, NULL, col, cols);
        im_tile_pack(w, 0, cols);
        for (size_t i = task * GROUP; i < end; i += IM_TILE_ROWS)
            meet(j, w, i, im_smaller(IM_TILE_ROWS, end - i), col, cols);
    }
}

imsat_status im_seek(im_sought *out, const im_frame *frame, const float *norm,
                     const uint32_t *places, const float *within, size_t count,
                     size_t capacity, im_pool *pool, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    job j = {.frame = frame, .norm = norm, .places = places, .count = count};
    j.room = im_tile_room(IM_TILE_COLS * 4, frame->d);
    j.found.capacity = capacity;
    j.found.keys = im_alloc(count, capacity * sizeof *j.found.keys);
    if (!j.found.keys)
        return im_fail_memory(err, "the neighbors of some rows");
    for (size_t i = 0; i < count; i++)
        im_keep_reset(j.found.keys + i * capacity, capacity,
                      im_keep_pair(within ? within[i] : INFINITY, UINT32_MAX));
    IM_TRY(im_tiles_new(&j.tiles, (size_t)im_pool_threads(pool), j.room, frame->d, err));
    im_pool_run(pool, seek_task, &j, (count + GROUP - 1) / GROUP);
    *out = j.found;
    j.found = (im_sought){0};

cleanup:
    im_sought_clear(&j.found);
    im_tiles_clear(&j.tiles);
    return st;
}

float im_sought_limit(const im_sought *sought, size_t i)
{
    return im_keep_value(sought->keys[i * sought->capacity]);
}

void im_sought_clear(im_sought *sought)
{
    im_free(sought->keys);
    *sought = (im_sought){0};
}
