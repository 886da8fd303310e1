/* SPDX-License-Identifier: MIT
 *
 * Products of a few rows with a few others, and the distances among them that are short
 * enough to matter:
 *
 *     a_ij = fl(fl(|x_i|^2 + |x_j|^2) - 2 x_i . x_j)      in float, products by core/gemm
 *
 * Of the distances of a tile nearly all are too long: a branch-free scan compares each with
 * the larger of the limits of its two ends and marks the runs of IM_TILE_CHUNK columns that
 * hold something; only these are looked at one by one. The limits of the columns lie along
 * the row, so the column ends cost no pass of their own.
 */
#ifndef IM_LINEAR_TILE_H
#define IM_LINEAR_TILE_H

#include "core/gemm.h"
#include "linear/frame.h"

enum {
    IM_TILE_ROWS = 8 * IM_GEMM_MR,   /* rows, and */
    IM_TILE_COLS = 4 * IM_TILE_ROWS, /* columns, multiplied and scanned while in cache */
    IM_TILE_CHUNK = 32               /* columns that share a mark; divides IM_TILE_ROWS */
};

/* What one thread works in. */
typedef struct im_tile {
    const im_gemm_kernel *kernel;
    size_t d;
    size_t room;            /* most packed columns */
    float *raw;             /* (d) */
    double *prepare;        /* (d) */
    im_real *rows;          /* (IM_TILE_ROWS, d): rows that were loaded, or their elements */
    im_gemm_sparse *sparse; /* (IM_TILE_ROWS): of sparse rows that were loaded */
    bool is_sparse;         /* the rows that were loaded are sparse ones */
    im_real *packed;        /* (d, room): columns, packed as the right factor */
    im_real *product;       /* (IM_TILE_ROWS, IM_TILE_COLS) */
    im_real *gemm;          /* (IM_GEMM_SCRATCH) */
    unsigned char *mark;    /* (IM_TILE_COLS / IM_TILE_CHUNK) */
    float *closed; /* (IM_TILE_COLS): -infinity, the limits of columns that take none */
} im_tile;

/* One for each thread. */
typedef struct im_tile_set {
    im_tile *per_thread; /* (threads) owned */
    void *memory;        /* owned */
} im_tile_set;

/* Columns that are packed as one block: whole strips of IM_TILE_ROWS, at most `most` or one
 * strip, and so few that the scratch of a thread stays small when rows are long, or when there
 * is a limit on memory. No result depends on it. */
size_t im_tile_room(size_t most, size_t d, size_t threads);

/* room 0: of those who pack no columns here. */
imsat_status im_tile_set_new(im_tile_set *out, size_t threads, size_t room, size_t d,
                             imsat_error *err);
void im_tile_set_clear(im_tile_set *tiles);

/* Load `count` scaled rows, at most IM_TILE_ROWS: those at places[0 ..], or first,
 * first + 1, ... if places is NULL. */
void im_tile_load(im_tile *tile, const im_frame *frame, const uint32_t *places, size_t first,
                  size_t count);

/* tile->packed = the scaled rows at places first .. first + count - 1, at most `room`, as
 * columns. Rows that were loaded are gone. */
void im_tile_columns(im_tile *tile, const im_frame *frame, size_t first, size_t count);

/* tile->product = the first `rows` loaded rows times columns first .. first + cols - 1 of a
 * packed factor; cols at most IM_TILE_COLS, first a multiple of it. */
void im_tile_multiply(im_tile *tile, size_t rows, const im_real *packed, size_t first,
                      size_t cols);

/* c (rows,cols) = the first `rows` loaded rows times a packed factor (d,cols). */
void im_tile_product(im_tile *tile, im_real *c, size_t ldc, size_t rows, const im_real *packed,
                     size_t cols);

/* tile->mark[c] = 1 if a column of chunk c is no further from row i of the product than the
 * limit of one of both. sq_norm and sq_limit are those of the columns, and are read to the end
 * of the last chunk. */
void im_tile_mark(im_tile *tile, size_t i, float row_sq_norm, float row_sq_limit,
                  const float *sq_norm, const float *sq_limit, size_t chunks);

static inline float im_tile_sq_distance(float row_sq_norm, float col_sq_norm, im_real product)
{
    return (float)((row_sq_norm + col_sq_norm) - 2 * product);
}

#endif
