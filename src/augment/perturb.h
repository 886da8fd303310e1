/* SPDX-License-Identifier: MIT
 *
 * Local perturbations T(x) = x + r (section 3.2.2 of the paper) of a strip of at most IM_STRIP
 * points of a batch.
 *
 *     random (RPT, and VAT's probe)    r = length_i u / |u|,   u ~ N(0, I)
 *     along a gradient g (VAT)         r = length_i g / |g|;   0 where |g| is 0 or not finite
 *
 * Random directions come row by row, a gradient comes in columns, and the batch has both forms
 * (nn/tape.h): each kind takes and gives its own.
 */
#ifndef IM_AUGMENT_PERTURB_H
#define IM_AUGMENT_PERTURB_H

#include "core/real.h"
#include "core/rng.h"

enum { IM_STRIP = 16 };

/* out = x + r with the given directions (count,dim), of any length. Rows of x and out are
 * IM_GEMM_NR apart, and their pieces of IM_GEMM_NR inputs `panel`. */
void im_perturb_given(im_real *out, const im_real *x, size_t panel, const float *direction,
                      const double *length, size_t count, size_t dim);

/* The same with random directions. item (count): the random number stream of each. scratch:
 * (count,dim). */
void im_perturb_random(im_real *out, const im_real *x, size_t panel, const double *length,
                       const uint32_t *item, size_t count, size_t dim, im_rng rng,
                       float *scratch);

/* out = x + r, r along the columns of g (dim, ldg). Column i is a point; the inputs are `ld`
 * apart. */
void im_perturb_along(im_real *out, const im_real *x, size_t ld, const im_real *g, size_t ldg,
                      const double *length, size_t count, size_t dim);

#endif
