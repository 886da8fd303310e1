/* SPDX-License-Identifier: MIT
 *
 * How far a batch of n rows is from what an auto-encoder makes of it:
 *
 *     L = 1 / 2nd sum_i |y_i - x_i|^2       y = z, or max(z, 0) where that follows
 *     dz = (y - x) / nd                     0 where y is cut off
 *
 * d: the columns. Unit by unit: z, x and dz are rows of n numbers.
 */
#ifndef IM_OBJECTIVE_RECONSTRUCTION_H
#define IM_OBJECTIVE_RECONSTRUCTION_H

#include "core/real.h"

#include <stdbool.h>
#include <stddef.h>

/* Fills dz; returns the unit's share of L. rectified: y = max(z, 0). */
double im_reconstruction_unit(im_real *dz, const im_real *z, const im_real *x, bool rectified,
                              size_t n, size_t d);

#endif
