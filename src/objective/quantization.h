/* SPDX-License-Identifier: MIT
 *
 * What the unsupervised deep hashing of Erin Liong et al. (2015) minimizes, by row and with a
 * batch of B rows in the place of all:
 *
 *     J = mean over rows of 1/2 |b - h|^2                       quantization: b = sgn(h)
 *       - l1/2B mean over rows of |h - mean of h|^2             balance: bits that vary
 *       + l2/2  sum over layers of |W W^T - I|^2                independence
 *       + l3/2B sum over layers of (|W|^2 + |c|^2)
 *
 * with h = tanh(z) of the last layer, and weights l1 100, l2 0.1, l3 0.001. Without the mean
 * of h, as it is printed, a bit that is always the same is the best there is, and with their
 * l2 of 0.001 / B nothing holds the rows of W apart (docs/fidelity.md).
 *
 * Prefixes: im_orthonormal_.
 */
#ifndef IM_OBJECTIVE_QUANTIZATION_H
#define IM_OBJECTIVE_QUANTIZATION_H

#include "core/real.h"

#include <stddef.h>

#define IM_QUANTIZATION_BALANCE      100.0
#define IM_QUANTIZATION_INDEPENDENCE 0.1
#define IM_QUANTIZATION_DECAY        0.001

/* The first two terms of one bit, from its z (n) over a batch; fills dz (n). balance: l1 / B.
 */
double im_quantization_unit(im_real *dz, const im_real *z, double balance, size_t n);

/* weight/2 times row u's share of |W W^T - I|^2, W (rows,columns); its gradient is added to dw
 * (columns), that of row u. scratch: (columns) doubles. */
double im_orthonormal_row(im_real *dw, double *scratch, const im_real *w, size_t rows,
                          size_t columns, size_t u, double weight);

#endif
