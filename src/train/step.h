/* SPDX-License-Identifier: MIT
 * One step of training; see step.c, the page to read first. */
#ifndef IM_TRAIN_STEP_H
#define IM_TRAIN_STEP_H

#include "train/trainer.h"

/* One step on the batch that was drawn. stage: may be NULL. After a stop or a failure network
 * and optimizer are as they were before the step. */
imsat_status im_step_run(im_trainer *trainer, uint32_t step, im_terms *terms,
                         const im_stage *stage, imsat_error *err);

/* The objective without a step, on this batch, its gradient in tape.grad: what a step does
 * before Adam. */
imsat_status im_step_grad(im_trainer *trainer, uint32_t step, im_terms *terms,
                          imsat_error *err);

#endif
