/* SPDX-License-Identifier: MIT
 *
 * From rows of the data to the network's input. Work is cut into strips of 16 rows: read,
 * augmented and prepared one by one, then turned into columns together.
 */
#ifndef IM_TRAIN_INPUTS_H
#define IM_TRAIN_INPUTS_H

#include "train/trainer.h"

/* The batch itself, into branch 0; of sparse data also into the tape's sparse batch. */
void im_inputs_clean(im_trainer *trainer);

/* T(x) of rows as they are in the data, before preprocessing, into a branch: a random affine
 * warp of images, or the caller's own function. */
void im_inputs_affine(im_trainer *trainer, size_t branch, im_rng rng);
imsat_status im_inputs_own(im_trainer *trainer, size_t branch, im_rng rng, imsat_error *err);

#endif
