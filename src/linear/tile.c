/* SPDX-License-Identifier: MIT
 * See tile.h. */
#include "linear/tile.h"

#include "core/alloc.h"
#include "linear/keep.h"

#include <math.h>

enum { ROOM_REALS = 1 << 22 }; /* of a block's rows: 16 MiB of scratch a thread */

/* ---- memory ---------------------------------------------------------------- */

size_t im_tile_room(size_t most, size_t d)
{
    const size_t fits = ROOM_REALS / d, rows = most < fits ? most : fits;
    return rows < IM_TILE_ROWS ? IM_TILE_ROWS : rows / IM_TILE_ROWS * IM_TILE_ROWS;
}

static void carve(im_tile *w, im_carver *c, size_t room, size_t d)
{
    w->raw = im_carve(c, d, sizeof *w->raw);
    w->prepare = im_carve(c, d, sizeof *w->prepare);
    w->rows = im_carve(c, room * d, sizeof *w->rows);
    w->packed = im_carve(c, im_gemm_packed(d, room), sizeof *w->packed);
    w->product = im_carve(c, IM_TILE_ROWS * IM_TILE_COLS, sizeof *w->product);
    w->gemm = im_carve(c, IM_GEMM_SCRATCH, sizeof *w->gemm);
    w->mark = im_carve(c, IM_TILE_COLS / IM_TILE_CHUNK, sizeof *w->mark);
    w->closed = im_carve(c, IM_TILE_COLS, sizeof *w->closed);
}

imsat_status im_tiles_new(im_tiles *out, size_t threads, size_t room, size_t d,
                          imsat_error *err)
{
    im_carver carver = {NULL, 0};
    im_tile one;
    carve(&one, &carver, room, d);
    const size_t bytes = (carver.used + 63) / 64 * 64;
    im_tiles made = {im_alloc(threads, sizeof *made.of), im_alloc(threads, bytes)};
    if (!made.of || !made.memory) {
        im_tiles_clear(&made);
        return im_fail_memory(err, "the scratch of the neighbor search");
    }
    for (size_t i = 0; i < threads; i++) {
        im_tile *w = &made.of[i];
        carver = (im_carver){(char *)made.memory + i * bytes, 0};
        carve(w, &carver, room, d);
        w->kernel = im_gemm_select(false);
        w->d = d;
        for (size_t j = 0; j < IM_TILE_COLS; j++)
            w->closed[j] = -INFINITY;
    }
    *out = made;
    return IMSAT_OK;
}

void im_tiles_clear(im_tiles *tiles)
{
    im_free(tiles->of);
    im_free(tiles->memory);
    *tiles = (im_tiles){0};
}

/* ---- products -------------------------------------------------------------- */

void im_tile_load(im_tile *tile, const im_frame *frame, const uint32_t *places, size_t first,
                  size_t count)
{
    for (size_t i = 0; i < count; i++)
        im_frame_scaled(tile->rows + i * tile->d, frame, places ? places[i] : first + i,
                        tile->raw, tile->prepare);
}

void im_tile_pack(im_tile *tile, size_t at, size_t count)
{
    im_gemm_pack(tile->packed + im_gemm_packed(tile->d, at), tile->rows, tile->d, IM_TRANS,
                 tile->d, count, 0, im_gemm_panels(count));
}

void im_tile_multiply(im_tile *tile, const im_real *left, size_t rows, const im_real *packed,
                      size_t first, size_t cols)
{
    im_gemm(tile->kernel, tile->product, IM_TILE_COLS, left, tile->d, IM_NO,
            packed + first * tile->d, rows, cols, tile->d, false, tile->gemm);
}

/* ---- scans ----------------------------------------------------------------- */

/* The distance is written as in im_tile_distance(): the same operations, the same bits. */
IM_CLONES static void mark_chunks(unsigned char *mark, const im_real *product,
                                  const float *norm, const float *limit, float row_norm,
                                  float row_limit, size_t chunks)
{
    for (size_t c = 0; c < chunks; c++) {
        unsigned any = 0;
        for (size_t j = c * IM_TILE_CHUNK; j < (c + 1) * IM_TILE_CHUNK; j++) {
            const float sq = (float)((row_norm + norm[j]) - 2 * product[j]);
            const float bar = limit[j] > row_limit ? limit[j] : row_limit;
            any |= sq <= bar;
        }
        mark[c] = (unsigned char)any;
    }
}

void im_tile_mark(im_tile *tile, size_t i, float row_norm, float row_limit, const float *norm,
                  const float *limit, size_t chunks)
{
    mark_chunks(tile->mark, tile->product + i * IM_TILE_COLS, norm, limit, row_norm, row_limit,
                chunks);
}

/* Returns the limit that a distance must not exceed from now on. */
static float offer(const im_seeker *seeker, float sq, size_t column)
{
    const uint64_t key = im_keep_pair(sq, (uint32_t)column);
    if (key < seeker->heap[0] && key > seeker->after && column != seeker->self)
        im_keep_replace(seeker->heap, seeker->capacity, key);
    return im_keep_value(seeker->heap[0]);
}

void im_tile_offer(im_tile *tile, size_t i, const im_seeker *seeker, const float *norm,
                   size_t first, size_t cols)
{
    const im_real *product = tile->product + i * IM_TILE_COLS;
    const size_t chunks = (cols + IM_TILE_CHUNK - 1) / IM_TILE_CHUNK;
    float limit = im_keep_value(seeker->heap[0]);
    im_tile_mark(tile, i, seeker->norm, limit, norm, tile->closed, chunks);
    for (size_t c = 0; c < chunks; c++) {
        if (!tile->mark[c])
            continue;
        const size_t end = (c + 1) * IM_TILE_CHUNK < cols ? (c + 1) * IM_TILE_CHUNK : cols;
        for (size_t j = c * IM_TILE_CHUNK; j < end; j++) {
            const float sq = im_tile_distance(seeker->norm, norm[j], product[j]);
            if (sq <= limit)
                limit = offer(seeker, sq, first + j);
        }
    }
}
