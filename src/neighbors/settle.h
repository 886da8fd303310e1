/* SPDX-License-Identifier: MIT
 *
 * Distances in double, from the prepared rows themselves: to the candidates of a row, or to
 * all rows.
 */
#ifndef IM_NEIGHBORS_SETTLE_H
#define IM_NEIGHBORS_SETTLE_H

#include "core/stage.h"
#include "linear/frame.h"
#include "neighbors/bound.h"

/* Rows, and the candidates of each. */
typedef struct im_lists {
    const uint32_t *places; /* (count) of the rows; NULL: 0, 1, ... */
    size_t count;
    const uint64_t *keys; /* (count, capacity) pairs of linear/keep.h with the places of the
                             candidates; UINT32_MAX is none */
    size_t capacity;
    const im_bound
        *bound; /* of the pairs' distances; NULL: they are not looked at. The nearest
                   are settled first, and those that cannot matter not at all. */
    const float *row_sq_norm; /* |x|^2 of the scaled rows, by place; with a bound */
} im_lists;

/* out[i] (count) = the distance from row i of the lists to the t-th nearest of its candidates;
 * infinite if there are fewer. */
imsat_status im_settle_lists(double *out, const im_frame *frame, const im_lists *lists,
                             size_t t, im_pool *pool, const im_stage *stage, imsat_error *err);

/* out[i] (count) = sigma_t of the row at places[i], by its distances to all other rows; t at
 * most n - 1. O(count n d). */
imsat_status im_settle_scan(double *out, const im_frame *frame, const uint32_t *places,
                            size_t count, size_t t, im_pool *pool, const im_stage *stage,
                            imsat_error *err);

/* sigma_t of the rows at places, the same way, to their places in sigma (n). */
imsat_status im_settle_again(double *sigma, const im_frame *frame, const uint32_t *places,
                             size_t count, size_t t, im_pool *pool, const im_stage *stage,
                             imsat_error *err);

/* radius (n) of the rows = sigma (n) of their places, as float. One that is beyond the range
 * of float is refused, and radius stays as it was. */
imsat_status im_settle_round(float *radius, const double *sigma, const im_frame *frame,
                             imsat_error *err);

#endif
