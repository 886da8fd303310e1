/* SPDX-License-Identifier: MIT
 *
 * Self-augmented training of hash codes: how far the prediction of T(x) is from that of x,
 * summed over independent bits. Of one bit, over a batch of n:
 *
 *     sum_i  p_i log((p_i + floor) / (p'_i + floor)) + q_i log((q_i + floor) / (q'_i + floor))
 *
 * with p the probability of 1, q = 1 - p, and a prime for T(x). p and q are held constant. The
 * gradient is to the logit z' of p', so that nothing is divided by a p' near 0:
 *
 *     dz'_i = scale (q_i p'_i q'_i / (q'_i + floor) - p_i q'_i p'_i / (p'_i + floor))
 *
 * which is scale (p'_i - p_i) where the floor does not matter.
 */
#ifndef IM_OBJECTIVE_BIT_SAT_H
#define IM_OBJECTIVE_BIT_SAT_H

#include "core/real.h"

#include <stddef.h>

/* Probabilities of 1 and of 0, of one bit or of several, over a batch. */
typedef struct im_bit_proba {
    im_real *one, *zero;
} im_bit_proba;

double im_bit_sat_sum(im_bit_proba clean, im_bit_proba augmented, size_t n);

void im_bit_sat_grad(im_real *dz, im_bit_proba clean, im_bit_proba augmented, double scale,
                     size_t n);

#endif
