/* SPDX-License-Identifier: MIT
 *
 * What a squared distance computed in float says about the true one.
 *
 *     a_ij = fl(fl(|x_i|^2 + |x_j|^2) - 2 x_i . x_j)      in float, products by core/gemm
 *
 * The x here are the scaled rows of a frame, or their sketches (sketch.h).
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
 * A sketch is never farther from another than the rows are, but for its own rounding, which
 * moves it by at most `slope` |x|: so rows closer than q have sketches closer than q + slope
 * s.
 */
#ifndef IM_NEIGHBORS_BOUND_H
#define IM_NEIGHBORS_BOUND_H

#include <stddef.h>

typedef struct im_bound {
    size_t dim;    /* terms of a product */
    double slope;  /* of sketches; 0 of the rows themselves */
    double factor; /* from distances to those of scaled rows */
} im_bound;

/* A row closer than the (unscaled) distance has a computed squared distance of at most this.
 * sq_norm: |x|^2 of the scaled row from which distances are taken. So if all rows that are not
 * candidates have more, none that is closer is missing. */
double im_bound_sq(const im_bound *bound, double sq_norm, double distance);

#endif
