/* SPDX-License-Identifier: MIT
 * The candidates of some rows alone, among all rows: of each the nearest by the computed
 * squared distance (bound.h). For all rows candidates.h does it with half the products. */
#ifndef IM_NEIGHBORS_SEEK_H
#define IM_NEIGHBORS_SEEK_H

#include "linear/frame.h"

typedef struct im_sought {
    size_t capacity;
    uint64_t *keys; /* (count, capacity) owned: of each row an im_keep heap of pairs */
} im_sought;

/* At most `capacity` candidates of the rows at places (count), and only such as are not beyond
 * within[i]; within NULL: any. norm: squared norms of the frame's rows, by place, padded by
 * IM_TILE_COLS. */
imsat_status im_seek(im_sought *out, const im_frame *frame, const float *norm,
                     const uint32_t *places, const float *within, size_t count,
                     size_t capacity, im_pool *pool, imsat_error *err);

/* What is not a candidate of row i of the list is at this distance, or beyond. */
float im_sought_limit(const im_sought *sought, size_t i);

void im_sought_clear(im_sought *sought);

#endif
