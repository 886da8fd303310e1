/* SPDX-License-Identifier: MIT
 *
 * The ways to make T(x): one table. To add one is to give it a constant in im_augment
 * (train/trainer.h), a row in augmentation.c, and a method whose recipe weighs it.
 */
#ifndef IM_TRAIN_AUGMENTATION_H
#define IM_TRAIN_AUGMENTATION_H

#include "train/trainer.h"

/* T(x) of the batch into the branch, in the way that the branch has. mode is that of passes
 * that look for T(x). stage: may be NULL. */
imsat_status im_augmentation_apply(im_trainer *trainer, size_t branch, im_bn_mode mode,
                                   im_rng rng, const im_stage *stage, imsat_error *err);

#endif
