/* SPDX-License-Identifier: MIT
 *
 * Whether the numbers of a training run are still numbers. The objective alone does not tell,
 * because a ReLU makes 0 of NaN: an activation that overflows shows in the running averages of
 * its layer, and a gradient that does in Adam's moments.
 *
 * A refusal says where training stood, which number it was, and which value of the data is the
 * largest when the network is given it: a bad one is the usual cause. It is IMSAT_EINVAL.
 */
#ifndef IM_TRAIN_DIVERGE_H
#define IM_TRAIN_DIVERGE_H

#include "train/position.h"

/* After a step, of run number `run`: its objective, and the running averages, which are so few
 * that looking at them costs nothing. */
imsat_status im_diverge_check_step(const im_position *at, size_t run, const im_terms *terms,
                                   imsat_error *err);

/* Before a state is kept: all weights and moments. */
imsat_status im_diverge_check_state(const im_position *at, size_t run, imsat_error *err);

/* After the clean batch has run in inference: does each of its rows have a prediction? */
imsat_status im_diverge_check_rows(const im_trainer *trainer, imsat_error *err);

#endif
