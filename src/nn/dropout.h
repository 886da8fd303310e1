/* SPDX-License-Identifier: MIT
 *
 * Dropout: each number is 0 with the probability `rate`, and otherwise divided by 1 - rate, so
 * that its mean stays. What is dropped is a function of the step, the layer, the unit and the
 * column of the batch (core/rng.h): nothing is kept of it.
 */
#ifndef IM_NN_DROPOUT_H
#define IM_NN_DROPOUT_H

#include "core/real.h"
#include "core/rng.h"

typedef struct im_dropout {
    double rate; /* 0: nothing is dropped; below 1 */
    im_rng rng;
} im_dropout;

/* a (n), the values of a unit over the batch, and their slopes, which may be NULL. */
void im_dropout_apply(im_real *a, im_real *slope, const im_dropout *dropout, uint32_t unit,
                      size_t n);

#endif
