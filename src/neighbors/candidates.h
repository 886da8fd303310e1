/* SPDX-License-Identifier: MIT
 *
 * For each row, the rows that are nearest to it by a squared distance computed in float, with
 * a proof of how far that can be wrong (bound.h): all rows that are not candidates of i are at
 * sq_limit_i or beyond, the largest squared distance among the candidates.
 */
#ifndef IM_NEIGHBORS_CANDIDATES_H
#define IM_NEIGHBORS_CANDIDATES_H

#include "core/stage.h"
#include "linear/frame.h"
#include "neighbors/bound.h"

typedef struct im_candidates {
    size_t n, capacity;
    uint64_t *keys;  /* (n, capacity) owned: of each row an im_keep heap of pairs (a_ij, j) */
    float *sq_norm;  /* (n, padded) owned: |x_i|^2 */
    float *sq_limit; /* (n, padded) owned: the largest a_ij kept */
    im_bound bound;
} im_candidates;

/* Refuse, before any work, data and a capacity that im_candidates_find() cannot take: fewer
 * than 2 rows, 2^32 rows or more, lists that overflow memory. */
imsat_status im_candidates_check(const imsat_data *data, size_t capacity, imsat_error *err);

/* Find min(capacity, n - 1) candidates of each row; capacity >= 1. The same for any
 * number of threads: each pair's product is taken once, for both ends, and depends on nothing
 * else; ties go to the smaller row. Rows go by their places. stage may be NULL. */
imsat_status im_candidates_find(im_candidates *out, const im_frame *frame, size_t capacity,
                                im_pool *pool, const im_stage *stage, imsat_error *err);

/* True if no row closer to `row` than the (unscaled) distance is missing. Not of sketches,
 * whose norms are not those of the rows. */
bool im_candidates_complete(const im_candidates *candidates, size_t row, double distance);

void im_candidates_clear(im_candidates *candidates);

#endif
