/* SPDX-License-Identifier: MIT
 *
 * Perturbations within alpha sigma_t(x): adversarial (VAT) and random (RPT).
 *
 * VAT looks for the r that moves the prediction most (eq. 6 of the paper; Miyato et al.):
 *
 *     d ~ N(0, I), unit length
 *     repeat `power` times:  g = gradient of KL(p(x) || p(x + xi d)) to d,   d = g / |g|
 *     r = alpha sigma_t(x) d;  0 where g is 0 or not finite
 *
 * One forward pass to the probe x + xi d and one backward pass to the input a round; p(x) is
 * the clean pass's. xi is absolute, or times sigma_t(x) (xi_relative).
 */
#ifndef IM_TRAIN_VAT_H
#define IM_TRAIN_VAT_H

#include "train/trainer.h"

/* x + r into the branch; mode is that of the probe's passes. stage, which may be NULL, is told
 * between two rounds: there may be many. */
imsat_status im_vat_perturb(im_trainer *trainer, size_t branch, im_bn_mode mode, im_rng rng,
                            const im_stage *stage, imsat_error *err);

/* x + r into the branch, r in a random direction. */
void im_vat_perturb_random(im_trainer *trainer, size_t branch, im_rng rng);

#endif
