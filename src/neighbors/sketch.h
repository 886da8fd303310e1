/* SPDX-License-Identifier: MIT
 *
 * Short forms of all rows, whose distances are never longer than those of the rows: their
 * coordinates along the few directions in which the data varies most (linear/pca.h),
 *
 *     p = V x        V (m,d):   |V z| <= |z|
 *
 * Real data varies little in most directions, so few rows have a sketch as near as a neighbor
 * is, and only these have to be measured in full. V need not be good for a result to be right:
 * any V of which the inequality holds will do.
 */
#ifndef IM_NEIGHBORS_SKETCH_H
#define IM_NEIGHBORS_SKETCH_H

#include "linear/frame.h"
#include "neighbors/bound.h"

typedef struct im_sketch {
    im_frame rows;      /* the sketches, in the place of rows; rows.d is their width */
    float *sq_norm;     /* (n, padded for tile.h) owned: |p|^2 */
    float *row_sq_norm; /* (n) owned: |x|^2 of the scaled rows */
    im_bound bound;
    bool made; /* else the data varies nearly alike in all directions, and there is no more */
} im_sketch;

/* Sketches of `width` coordinates, 1 to d. stage: may be NULL. */
imsat_status im_sketch_new(im_sketch *out, const im_frame *frame, size_t width, im_pool *pool,
                           const im_stage *stage, imsat_error *err);
void im_sketch_clear(im_sketch *sketch);

#endif
