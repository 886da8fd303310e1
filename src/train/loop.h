/* SPDX-License-Identifier: MIT
 *
 * IMSAT and RIM: one run, from the first step to the last, with the ladder of mu, progress,
 * checkpoints and resuming.
 */
#ifndef IM_TRAIN_LOOP_H
#define IM_TRAIN_LOOP_H

#include "train/trainer.h"

/* The ladder ends with the last of these rungs even if the KL is still above delta; the result
 * says so. */
enum { IM_LOOP_RUNGS = 21 };

/* The `fit` of all methods whose recipe is an im_recipe. */
imsat_status im_loop_fit(im_fit *fit, imsat_error *err);

/* The ladder of appendix B: mu = lambda {1, 2, 4, 6, 8, ...}. */
double im_loop_ladder(double lambda, size_t rung);

/* What sizes are drawn to in this epoch of the rung, from 0. With a prior half of what the
 * even start leaves is loose. */
im_sizes im_loop_sizes(const imsat_options *opt, size_t epoch);

#endif
