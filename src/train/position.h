/* SPDX-License-Identifier: MIT
 *
 * Where a training run stands, and its place in a checkpoint: counters, weights, running
 * averages and Adam's moments. The random numbers have no state, so this is all. A run that is
 * resumed from it ends in the same bits as one that was never stopped.
 */
#ifndef IM_TRAIN_POSITION_H
#define IM_TRAIN_POSITION_H

#include "train/trainer.h"

typedef struct im_position {
    im_trainer *trainer;
    size_t rung;       /* of the ladder of mu */
    size_t epoch;      /* finished, all rungs together */
    size_t rung_epoch; /* finished in this rung */
    size_t step;       /* finished in this epoch */
    uint32_t steps;    /* finished in this run */
    im_terms sums;     /* of this epoch's steps */
} im_position;

/* An im_put_state; state is an im_position. */
imsat_status im_position_put(im_safetensors *file, const void *state, imsat_error *err);

/* Read what was put, into the trainer too. path is for messages. IMSAT_EFORMAT where a number
 * is not finite or out of its range; whether the counters are a position that training comes
 * by is for the caller to see. */
imsat_status im_position_get(im_position *out, const im_safetensors *file, const char *path,
                             imsat_error *err);

#endif
