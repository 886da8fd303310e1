/* SPDX-License-Identifier: MIT
 *
 * The rotation nearest to a square matrix: the orthogonal factor of its polar decomposition,
 *
 *     M = R P      R^T R = I,  P = (M^T M)^(1/2)
 *
 * which makes trace(R^T M) as large as it can be, and |M - R| small. With the singular value
 * decomposition M = U S Z^T it is U Z^T. In directions that M takes to 0 there is a choice; it
 * is made in a fixed way.
 */
#ifndef IM_LINEAR_POLAR_H
#define IM_LINEAR_POLAR_H

#include "core/status.h"

/* out (n,n) of m (n,n), both row by row; they may not overlap. */
imsat_status im_polar_rotation(double *out, const double *m, size_t n, imsat_error *err);

#endif
