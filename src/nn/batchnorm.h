/* SPDX-License-Identifier: MIT
 *
 * Batch normalization and the ReLU after it, for one unit: a row of n activations.
 *
 *     mean = 1/n sum z     var = 1/n sum (z - mean)^2     inv = 1 / sqrt(var + eps)
 *     xhat = (z - mean) inv           a = max(gain xhat + bias, 0)
 *
 * Backward, with dy = da where a > 0, else 0 (docs/theory.md):
 *
 *     dbias = sum dy      dgain = sum dy xhat
 *     dz = gain inv (dy - dbias / n - xhat dgain / n)          batch statistics
 *     dz = gain inv dy                                         running averages
 *
 * With running averages the layer is a scale and a shift of z, which do not change from row
 * to row, and are folded once:
 *
 *     scale = gain inv      shift = bias - mean scale      a = max(z scale + shift, 0)
 */
#ifndef IM_NN_BATCHNORM_H
#define IM_NN_BATCHNORM_H

#include "core/real.h"

#include <stdbool.h>
#include <stddef.h>

#define IM_BN_EPSILON 2e-5
#define IM_BN_DECAY   0.9 /* of the running averages */

typedef enum im_bn_mode {
    IM_BN_TRAIN, /* statistics of the batch; updates the running averages: the clean pass */
    IM_BN_BATCH, /* statistics of the batch; no update: every perturbed pass */
    IM_BN_INFER  /* running averages */
} im_bn_mode;

typedef struct im_bn_unit {
    im_real gain, bias;
    im_real *mean, *var; /* running averages of the unit */
} im_bn_unit;

typedef struct im_bn_fold {
    im_real scale, shift;
} im_bn_fold;

/* The unit in inference. shift is made with the scale as it was rounded, so that what is lost
 * of the scale is relative to z - mean, however far from 0 the mean is. */
im_bn_fold im_batchnorm_fold(im_bn_unit unit);

/* The one form of inference: training's judgment and prediction both use it, so that a row
 * has the same label in both. */
static inline im_real im_batchnorm_infer(im_real z, im_bn_fold fold)
{
    const im_real y = z * fold.scale + fold.shift;
    return y > 0 ? y : 0;
}

/* z becomes xhat in place; a (n) receives the layer's output. Returns inv; with IM_BN_INFER,
 * NaN in its place if one of z is not finite, because the ReLU can hide it. The running
 * variance takes the unbiased estimate, n / (n - 1) var. */
im_real im_batchnorm_forward(im_real *a, im_real *z, im_bn_unit unit, im_bn_mode mode,
                             size_t n);

typedef struct im_bn_grad {
    double gain, bias;
} im_bn_grad;

/* da becomes dz in place. a (n) is looked at for IM_BN_INFER alone: otherwise xhat tells where
 * it is positive, for less than it costs to fetch. */
im_bn_grad im_batchnorm_backward(im_real *da, const im_real *a, const im_real *xhat,
                                 im_bn_unit unit, im_real inv, im_bn_mode mode, size_t n);

#endif
