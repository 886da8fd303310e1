/* SPDX-License-Identifier: MIT
 *
 * For each row, the rows that are nearest to it by an approximate squared distance, with a
 * proof of how far that can be wrong.
 *
 *     a_ij = fl(fl(|x_i|^2 + |x_j|^2) - 2 x_i . x_j)      in float, products by core/gemm
 *
 * The x here are the scaled rows of a frame.
 *
 * The error of a_ij. Let u = 2^-24, s = |x_i| + |x_j| and g_k = k u / (1 - k u). Rounding the
 * coordinates to float changes the squared distance by at most 2 u s^2; rounding the two
 * squared norms, their sum, and the difference by u s^2 each; the d steps of the product by
 * 2 g_(d+1) |x_i||x_j| <= g_(d+1) s^2 / 2. Together, and with what underflow can add,
 *
 *     |a_ij - D_ij| <= e(s) = g_(d+16) s^2 / 2 + d 2^-140
 *
 * where D_ij is the true squared distance in these units. It is the worst case; sqrt(d) in
 * the place of d is what one sees.
 *
 * What it proves. All rows that are not candidates of i have a_ij >= limit_i, the largest
 * a among the candidates. If one of them were closer than some q, its norm would be at most
 * |x_i| + q, so q^2 > D_ij >= limit_i - e(2 |x_i| + q). When that inequality is false, no row
 * closer than q is missing: im_candidates_complete().
 */
#ifndef IM_NEIGHBORS_CANDIDATES_H
#define IM_NEIGHBORS_CANDIDATES_H

#include "neighbors/frame.h"
#include "neighbors/stage.h"

typedef struct im_candidates {
    size_t n, dim, capacity;
    uint64_t *keys; /* (n, capacity) owned: of each row an im_keep heap of pairs (a_ij, j) */
    float *norm;    /* (n, padded) owned: |x_i|^2 */
    float *limit;   /* (n, padded) owned: the largest a_ij kept */
    double factor;  /* the power of two */
} im_candidates;

/* Refuse, before any work, data and a capacity that im_candidates_find() cannot take: fewer
 * than 2 rows, 2^32 rows or more, lists that overflow memory. */
imsat_status im_candidates_check(const imsat_data *data, size_t capacity, imsat_error *err);

/* Find min(capacity, n - 1) candidates of each row; capacity >= 1. The same for any
 * number of threads: each pair's product is taken once, for both ends, and depends on nothing
 * else; ties go to the smaller row. Rows go by their places. stage may be NULL. */
imsat_status im_candidates_find(im_candidates *out, const im_frame *frame, size_t capacity,
                                im_pool *pool, const im_stage *stage, imsat_error *err);

/* True if no row closer to `row` than the (unscaled) distance is missing. */
bool im_candidates_complete(const im_candidates *candidates, size_t row, double distance);

void im_candidates_clear(im_candidates *candidates);

#endif
