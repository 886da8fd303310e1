/* SPDX-License-Identifier: MIT
 * See tile.h. */
#include "linear/tile.h"

#include "core/alloc.h"
#include "core/sparse.h"

#include <assert.h>
#include <math.h>

enum { ROOM_REALS = 1 << 22 }; /* of packed columns: 16 MiB of scratch a thread */

/* ---- memory ---------------------------------------------------------------- */

size_t im_tile_room(size_t most, size_t d, size_t threads)
{
    const size_t quarter = im_alloc_left() / 4 / threads; /* there is more to come than this */
    const size_t reals = im_size_min(ROOM_REALS, quarter / sizeof(im_real));
    const size_t fits = reals / d, rows = most < fits ? most : fits;
    return rows < IM_TILE_ROWS ? IM_TILE_ROWS : rows / IM_TILE_ROWS * IM_TILE_ROWS;
}

static void carve(im_tile *w, im_carver *c, size_t room, size_t d)
{
    w->raw = im_carve(c, d, sizeof *w->raw);
    w->prepare = im_carve(c, d, sizeof *w->prepare);
    w->rows = im_carve(c, IM_TILE_ROWS * d, sizeof *w->rows);
    w->sparse = im_carve(c, IM_TILE_ROWS, sizeof *w->sparse);
    w->packed = im_carve(c, im_gemm_packed(d, room), sizeof *w->packed);
    w->product = im_carve(c, IM_TILE_ROWS * IM_TILE_COLS, sizeof *w->product);
    w->gemm = im_carve(c, IM_GEMM_SCRATCH, sizeof *w->gemm);
    w->mark = im_carve(c, IM_TILE_COLS / IM_TILE_CHUNK, sizeof *w->mark);
    w->closed = im_carve(c, IM_TILE_COLS, sizeof *w->closed);
}

imsat_status im_tile_set_new(im_tile_set *out, size_t threads, size_t room, size_t d,
                             imsat_error *err)
{
    im_carver carver = {NULL, 0};
    im_tile one;
    carve(&one, &carver, room, d);
    const size_t bytes = (carver.used + 63) / 64 * 64;
    im_tile_set made = {im_alloc(threads, sizeof *made.per_thread), im_alloc(threads, bytes)};
    if (!made.per_thread || !made.memory) {
        im_tile_set_clear(&made);
        return im_fail_memory(err, "the scratch of the neighbor search");
    }
    for (size_t i = 0; i < threads; i++) {
        im_tile *w = &made.per_thread[i];
        carver = (im_carver){(char *)made.memory + i * bytes, 0};
        carve(w, &carver, room, d);
        w->kernel = im_gemm_select(false);
        w->d = d;
        w->room = room;
        for (size_t j = 0; j < IM_TILE_COLS; j++)
            w->closed[j] = -INFINITY;
    }
    *out = made;
    return IMSAT_OK;
}

void im_tile_set_clear(im_tile_set *tiles)
{
    im_free(tiles->per_thread);
    im_free(tiles->memory);
    *tiles = (im_tile_set){0};
}

/* ---- products -------------------------------------------------------------- */

void im_tile_load(im_tile *tile, const im_frame *frame, const uint32_t *places, size_t first,
                  size_t count)
{
    assert(count <= IM_TILE_ROWS && frame->d == tile->d);
    tile->is_sparse = im_frame_is_sparse(frame);
    for (size_t i = 0; i < count; i++) {
        const size_t place = places ? places[i] : first + i;
        im_real *row = tile->rows + i * tile->d;
        if (tile->is_sparse)
            tile->sparse[i] = im_frame_sparse(frame, place, row, tile->raw);
        else
            im_frame_scaled(row, frame, place, tile->raw, tile->prepare);
    }
}

/* The sparse rows that were loaded, to the panels of a packed factor. */
static void pack_sparse(const im_tile *tile, im_real *packed, size_t count)
{
    memset(packed, 0, im_gemm_packed(tile->d, count) * sizeof *packed);
    for (size_t i = 0; i < count; i++) {
        const im_gemm_sparse *row = &tile->sparse[i];
        im_real *to = packed + i / IM_GEMM_NR * im_gemm_panel(tile->d) + i % IM_GEMM_NR;
        for (size_t e = 0; e < row->count; e++)
            to[(size_t)row->column[e] * IM_GEMM_NR] = row->value[e];
    }
}

/* A strip at a time, so that the rows are in the cache when they are packed. */
void im_tile_columns(im_tile *tile, const im_frame *frame, size_t first, size_t count)
{
    const size_t d = tile->d;
    assert(count <= tile->room);
    for (size_t at = 0; at < count; at += IM_TILE_ROWS) {
        const size_t rows = im_size_min(IM_TILE_ROWS, count - at);
        im_tile_load(tile, frame, NULL, first + at, rows);
        im_real *packed = tile->packed + im_gemm_packed(d, at);
        if (tile->is_sparse)
            pack_sparse(tile, packed, rows);
        else
            im_gemm_pack(packed, tile->rows, d, IM_TRANS, d, rows, 0, im_gemm_panels(rows));
    }
}

/* All rows with one panel before the next: its lines that they have in common stay at hand. */
static void multiply_sparse(const im_tile *tile, im_real *c, size_t ldc, size_t rows,
                            const im_real *packed, size_t cols)
{
    for (size_t j = 0; j < cols; j += IM_GEMM_NR)
        for (size_t i = 0; i < rows; i++)
            im_sparse_multiply_row(tile->kernel, c + i * ldc + j, &tile->sparse[i],
                                   packed + j * tile->d, im_size_min(IM_GEMM_NR, cols - j),
                                   tile->d);
}

void im_tile_product(im_tile *tile, im_real *c, size_t ldc, size_t rows, const im_real *packed,
                     size_t cols)
{
    if (tile->is_sparse)
        multiply_sparse(tile, c, ldc, rows, packed, cols);
    else
        im_gemm(tile->kernel, c, ldc, tile->rows, tile->d, IM_NO, packed, rows, cols, tile->d,
                false, tile->gemm);
}

void im_tile_multiply(im_tile *tile, size_t rows, const im_real *packed, size_t first,
                      size_t cols)
{
    assert(rows <= IM_TILE_ROWS && cols <= IM_TILE_COLS && first % IM_TILE_COLS == 0);
    im_tile_product(tile, tile->product, IM_TILE_COLS, rows, packed + first * tile->d, cols);
}

/* ---- scans ----------------------------------------------------------------- */

/* The distance is written as in im_tile_sq_distance(): the same operations, the same bits. */
IM_CLONES static void mark_chunks(unsigned char *mark, const im_real *product,
                                  const float *sq_norm, const float *sq_limit,
                                  float row_sq_norm, float row_sq_limit, size_t chunks)
{
    for (size_t c = 0; c < chunks; c++) {
        unsigned any = 0;
        for (size_t j = c * IM_TILE_CHUNK; j < (c + 1) * IM_TILE_CHUNK; j++) {
            const float sq = (float)((row_sq_norm + sq_norm[j]) - 2 * product[j]);
            const float bar = sq_limit[j] > row_sq_limit ? sq_limit[j] : row_sq_limit;
            any |= sq <= bar;
        }
        mark[c] = (unsigned char)any;
    }
}

void im_tile_mark(im_tile *tile, size_t i, float row_sq_norm, float row_sq_limit,
                  const float *sq_norm, const float *sq_limit, size_t chunks)
{
    mark_chunks(tile->mark, tile->product + i * IM_TILE_COLS, sq_norm, sq_limit, row_sq_norm,
                row_sq_limit, chunks);
}
