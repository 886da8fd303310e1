/* SPDX-License-Identifier: MIT
 *
 * What rows count where clusters are drawn to equal sizes: more where the data is thin, so
 * that a cluster's size is not the number of its rows but rather the room that they take. The
 * radius sigma_t(x) tells how thin; docs/theory.md, section 4, has the why.
 *
 *     w(x) = (sigma_t(x) / s)^a, and no less than 1 / (2 thin), no more than 2 thin
 *
 * s is the median of the radius, and a such that w = thin at its 90 % quantile.
 */
#ifndef IM_TRAIN_ROW_WEIGHTS_H
#define IM_TRAIN_ROW_WEIGHTS_H

#include <stddef.h>

typedef struct im_row_weights {
    double middle, power; /* s and a; a is 0 where all rows count the same */
    double most;          /* 2 thin */
} im_row_weights;

/* Of the radius (n) of all rows; thin >= 1. Of many rows some 4,000, evenly spread, tell the
 * quantiles. If most of the radii are 0, or as large as the median, all rows count the same.
 */
im_row_weights im_row_weights_of(const float *radius, size_t n, double thin);

/* Of the row with this radius. */
double im_row_weights_at(const im_row_weights *weights, double radius);

#endif
