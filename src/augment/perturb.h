/* SPDX-License-Identifier: MIT
 *
 * Local perturbations T(x) = x + r (section 3.2.2 of the paper) of a batch that is stored
 * units x batch: column i is a point, columns are `ld` apart per unit.
 *
 *     random (RPT, and VAT's probe)    r = length_i u / |u|,   u ~ N(0, I)
 *     along a gradient g (VAT)         r = length_i g / |g|;   0 where |g| is 0 or not finite
 *
 * Work is done in strips of IM_STRIP columns, so that tasks write whole cache lines.
 */
#ifndef IM_AUGMENT_PERTURB_H
#define IM_AUGMENT_PERTURB_H

#include "core/real.h"
#include "core/rng.h"

enum { IM_STRIP = 16 };

/* out = x + r for columns first .. first + count (count <= IM_STRIP), r random of the given
 * lengths (count). item (count): the random number stream of each. scratch: (count,dim). */
void im_perturb_random(im_real *out, const im_real *x, size_t ld, const double *length,
                       const uint32_t *item, size_t count, size_t dim, im_rng rng,
                       float *scratch);

/* out = x + r, r along the columns of g (dim, ldg). */
void im_perturb_along(im_real *out, const im_real *x, size_t ld, const im_real *g, size_t ldg,
                      const double *length, size_t count, size_t dim);

/* out = x + r with the given directions (count,dim), rows of any length. */
void im_perturb_given(im_real *out, const im_real *x, size_t ld, const float *direction,
                      const double *length, size_t count, size_t dim);

#endif
