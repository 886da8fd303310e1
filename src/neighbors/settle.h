/* SPDX-License-Identifier: MIT
 *
 * Distances in double, from the prepared rows themselves: to the candidates of a row, or to
 * all rows.
 */
#ifndef IM_NEIGHBORS_SETTLE_H
#define IM_NEIGHBORS_SETTLE_H

#include "neighbors/frame.h"
#include "neighbors/stage.h"

/* out[i] (count) = the distance from the row at places[i], or at place i if places is NULL, to
 * the t-th nearest of its candidates; infinite if there are fewer. keys (count, capacity):
 * pairs of neighbors/keep.h with the places of the candidates; UINT32_MAX is none. */
imsat_status im_settle_keys(double *out, const im_frame *frame, const uint32_t *places,
                            size_t count, const uint64_t *keys, size_t capacity, size_t t,
                            im_pool *pool, const im_stage *stage, imsat_error *err);

/* out[i] (count) = sigma_t of the row at places[i], by its distances to all other rows; t at
 * most n - 1. O(count n d). */
imsat_status im_settle_scan(double *out, const im_frame *frame, const uint32_t *places,
                            size_t count, size_t t, im_pool *pool, const im_stage *stage,
                            imsat_error *err);

#endif
