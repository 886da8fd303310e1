/* SPDX-License-Identifier: MIT
 *
 * Sums in double, in eight lanes side by side: lane l has the terms l, l + 8, l + 16, ... The
 * order does not depend on the width of vector units, so the compiler may use any, and the
 * bits are the same.
 *
 * The lanes are joined at the end, in one of three orders. Each is that of results which
 * were made with it and keep their bits; new sums take im_lanes_join().
 */
#ifndef IM_CORE_LANES_H
#define IM_CORE_LANES_H

#include "core/real.h"

#include <stddef.h>

enum { IM_LANES = 8 };

/* Neighbors first, then their sums. */
static inline double im_lanes_join(const double lane[IM_LANES])
{
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) +
           ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

/* Lanes four apart first: of im_lanes_sq_norm() alone. */
static inline double im_lanes_sq_norm_join(const double lane[IM_LANES])
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* The sum of x (n). */
double im_lanes_sum(const im_real *x, size_t n);

/* The sum of (x - mean)^2, x (n). */
double im_lanes_sq_deviation(const im_real *x, double mean, size_t n);

/* x . y, both (n). */
double im_lanes_dot(const double *x, const double *y, size_t n);

/* x += a y, both (n): no sum, but what is done with those. */
void im_lanes_add(double *restrict x, double a, const double *restrict y, size_t n);

/* |x|^2, x (n). Lanes four apart are joined first. */
double im_lanes_sq_norm(const double *x, size_t n);

/* |x - y|^2, both (n). The last n % 8 terms come first, then the lanes in order. */
double im_lanes_sq_distance(const float *x, const float *y, size_t n);

#endif
