/* SPDX-License-Identifier: MIT
 *
 * Random affine warps of images (appendix F of the paper): scale, shift, rotate, shear;
 * bilinear, zero outside.
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
 * rotation in [-10, 10] degrees, shears in [-0.3, 0.3] (tangents), uniform. About the center
 * all of them are; about the corner each of the seven is left out half the time. */
im_affine im_affine_draw(im_rng rng, uint32_t item, imsat_image shape, imsat_warps kind);

/* The map about the center given by its parts: scale, then shear, then rotate, then shift; its
 * inverse, ready for im_affine_apply(). */
im_affine im_affine_make(double scale_x, double scale_y, double shear_x, double shear_y,
                         double degrees, double shift_x, double shift_y);

/* The same map about the top left pixel of an image of that shape. */
im_affine im_affine_about_corner(im_affine map, imsat_image shape);

/* out (h, w, c) = warped in (h, w, c): row-major, channels last; out may not be in. */
void im_affine_apply(float *out, const float *in, imsat_image shape, im_affine map);

#endif
