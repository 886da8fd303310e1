/* SPDX-License-Identifier: MIT
 *
 * Self-augmented training (section 3.2.2 of the paper): how far the prediction q of T(x) is
 * from the prediction p of x.
 *
 *     R_SAT = 1/n sum_ij p_ij (log p_ij - log q_ij)
 *
 * This is the paper's cross-entropy less the entropy of p. p is held constant, so both have
 * the same gradient, which is with respect to q alone:
 *
 *     dq_ij = - weight p_ij / (q_ij + floor) / n
 */
#ifndef IM_OBJECTIVE_SAT_H
#define IM_OBJECTIVE_SAT_H

#include "core/real.h"

#include <stddef.h>

double im_sat_loss(const im_real *p, const im_real *q, size_t n, size_t k);

/* dq is written, not added to. */
void im_sat_grad(im_real *dq, const im_real *p, const im_real *q, double weight, size_t n,
                 size_t k);

#endif
