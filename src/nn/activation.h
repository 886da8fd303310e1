/* SPDX-License-Identifier: MIT
 *
 * Hidden layers without normalization, for one unit: a row of n products z.
 *
 *     a = f(z + bias)        f: max(., 0), tanh or the identity
 *
 * The forward pass leaves the slope s = f'(z + bias) in the place of z, so that the way back
 * is the same for all of them:
 *
 *     dz = da s              dbias = sum dz
 *
 * Prefixes: im_form_.
 */
#ifndef IM_NN_ACTIVATION_H
#define IM_NN_ACTIVATION_H

#include "core/real.h"

#include <stddef.h>

/* What follows the product of a layer. */
typedef enum im_form {
    IM_FORM_NORMALIZED, /* batch normalization and ReLU (nn/batchnorm.h) */
    IM_FORM_RELU,
    IM_FORM_TANH,
    IM_FORM_LINEAR,
    IM_FORMS
} im_form;

/* The name in a file: "normalized", "relu", "tanh", "linear"; NULL past the last. */
const char *im_form_name(im_form form);

/* The output for y = z + bias, in training and in prediction alike. */
im_real im_activation(im_real y, im_form form);

/* z becomes the slope in place; a (n) receives the output. Where z is not finite, the slope is
 * NaN, because the ReLU can hide it. Returns whether all were finite. */
int im_activation_forward(im_real *a, im_real *z, im_real bias, im_form form, size_t n);

/* da becomes dz in place. Returns the gradient of the bias. */
double im_activation_backward(im_real *da, const im_real *slope, size_t n);

#endif
