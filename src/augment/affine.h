/* SPDX-License-Identifier: MIT
 *
 * Random affine warps of images (appendix F of the paper): scale, shift, rotate, shear,
 * about the image's center, bilinear, zero outside.
 */
#ifndef IM_AUGMENT_AFFINE_H
#define IM_AUGMENT_AFFINE_H

#include "core/rng.h"
#include "imsat/imsat.h"

/* Output pixel (x, y), counted from the center, takes the input at
 * (a x + b y + c, d x + e y + f): the inverse map. */
typedef struct im_affine {
    double a, b, c, d, e, f;
} im_affine;

/* Draw the warp of row `item`: scales in [0.8, 1.2], shifts in [-0.4, 0.4] pixels,
 * rotation in [-10, 10] degrees, shears in [-0.3, 0.3] (tangents), uniform. */
im_affine im_affine_draw(im_rng rng, uint32_t item);

/* The map given by its parts: scale, then shear, then rotate, then shift; *out is its inverse,
 * ready for im_affine_apply(). */
im_affine im_affine_make(double scale_x, double scale_y, double shear_x, double shear_y,
                         double degrees, double shift_x, double shift_y);

/* out (h, w, c) = warped in (h, w, c): row-major, channels last; out may not be in. */
void im_affine_apply(float *out, const float *in, imsat_image shape, im_affine map);

#endif
