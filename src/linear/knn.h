/* SPDX-License-Identifier: MIT
 *
 * The nearest columns of some rows by matrix products: load, pack, multiply, offer. What a row
 * keeps is a heap of the pairs (squared distance, column) of linear/keep.h, ties to the
 * smaller column. It does not depend on how rows and columns are cut into tasks.
 *
 * For all pairs of rows neighbors/candidates.h does it with half the products.
 */
#ifndef IM_LINEAR_KNN_H
#define IM_LINEAR_KNN_H

#include "linear/tile.h"

/* Rows that look for the columns nearest to them. They have numbers, which may be those of
 * the rows of a larger set: what belongs to a row is at its number. */
typedef struct im_knn_rows {
    const im_frame *frame;
    size_t count;
    const uint32_t *numbers; /* (count); NULL: 0, 1, ... */
    const uint32_t *places;  /* in the frame, by number; NULL: the number is the place */
    const float *sq_norm;    /* by place; NULL: |x|^2 counts as 0. It is the same for all
                                columns, so they keep their order. */
    const uint64_t *after;   /* by number: only pairs above this one are wanted; NULL: all */
    bool among;              /* the rows are among the columns, and do not want themselves */
    size_t capacity;
    uint64_t *heaps; /* (capacity) by number: the pairs of a row */
} im_knn_rows;

/* The columns, numbered from `first` on: the rows of a frame at these places; or vectors that
 * are packed already. */
typedef struct im_knn_columns {
    const im_frame *frame;
    const im_real
        *packed;          /* (d, count) as the right factor of im_gemm(); NULL: of the frame */
    const float *sq_norm; /* by number, padded by IM_TILE_CHUNK */
    size_t first, count;
} im_knn_columns;

/* Offer all columns to all rows. tile: this thread's scratch; columns of a frame are packed in
 * it as many at a time as it has room for. */
void im_knn_offer(im_tile *tile, const im_knn_rows *rows, const im_knn_columns *columns);

/* The nearest of some rows of a frame among all of them. */
typedef struct im_knn {
    size_t capacity;
    uint64_t *keys; /* (count, capacity) owned: of each row a heap of pairs */
} im_knn;

/* At most `capacity` nearest of the rows at places (count), and only such as are not beyond
 * sq_within[i]; sq_within NULL: any. sq_norm: of the frame's rows, by place,
 * padded by IM_TILE_CHUNK. stage: may be NULL. */
imsat_status im_knn_find(im_knn *out, const im_frame *frame, const float *sq_norm,
                         const uint32_t *places, const float *sq_within, size_t count,
                         size_t capacity, im_pool *pool, const im_stage *stage,
                         imsat_error *err);

/* What is not kept of row i is at this squared distance, or beyond. */
float im_knn_sq_limit(const im_knn *knn, size_t i);

void im_knn_clear(im_knn *knn);

#endif
