/* SPDX-License-Identifier: MIT
 *
 * A map: places of rows in the plane, such that rows that are joined in the graph of nearest
 * neighbors are near each other, and others are not. docs/theory.md derives it. With places y
 * the graph is explained by
 *
 *     q_ij = 1 / (1 + |y_i - y_j|^2)
 *
 * and each row moves along its own share of the gradient of
 *
 *     - sum_j w_ij / w_i log q_ij  -  RATE mean_k log(1 - q_ik)       w_i = sum_j w_ij
 *
 * with the mean over all rows k replaced by one over a few that are drawn. All rows move at
 * once, from the places of the round before, and what is drawn is a function of (seed, round,
 * row): the same bits for any number of threads.
 */
#ifndef IM_NEIGHBORS_LAYOUT_H
#define IM_NEIGHBORS_LAYOUT_H

#include "neighbors/graph.h"

enum { IM_LAYOUT_ROUNDS = 500 }; /* 1.5 s for 20,000 rows on two cores */

typedef struct im_layout_options {
    uint64_t seed;
    size_t rounds;
} im_layout_options;

/* place (n,2) = where the map begins: the first two of the m >= 1 coordinates (n,m) that rows
 * have along the directions in which they vary most, such that the first have deviation 1.
 * Rows that are equal are put a little apart. */
void im_layout_start(double *place, const im_real *along, size_t n, size_t m, uint64_t seed);

/* Move the places (n,2) of the rows of a graph. stage: may be NULL. */
imsat_status im_layout_find(double *place, const im_graph *graph,
                            const im_layout_options *options, im_pool *pool,
                            const im_stage *stage, imsat_error *err);

#endif
