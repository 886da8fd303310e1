/* SPDX-License-Identifier: MIT
 *
 * Rows to start k-means from, by greedy k-means++ (Arthur and Vassilvitskii 2007): the first
 * is drawn evenly, and of each further one a few candidates are drawn with probabilities
 * proportional to the squared distance from the rows that were chosen already; the one that
 * leaves the smallest sum of them is chosen. The number of candidates is 2 + log k, as in
 * scikit-learn.
 */
#ifndef IM_LINEAR_KMEANS_SEED_H
#define IM_LINEAR_KMEANS_SEED_H

#include "core/stage.h"
#include "linear/rows.h"

/* chosen (k) = numbers of rows. They are different rows as long as there are any: equal rows
 * have the distance 0. */
imsat_status im_kmeans_seed(uint32_t *chosen, size_t k, const im_rows *rows, uint64_t seed,
                            size_t restart, im_pool *pool, const im_stage *stage,
                            imsat_error *err);

#endif
