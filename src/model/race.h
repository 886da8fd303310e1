/* SPDX-License-Identifier: MIT
 *
 * A race of seeds: of options->runs seeds, all begin, and the worse half is dropped again and
 * again. A heat is a pause of the plain trainings with these seeds, so the one that is left
 * goes on to what a training with its seed alone comes to, bit by bit.
 */
#ifndef IM_MODEL_RACE_H
#define IM_MODEL_RACE_H

#include "model/runs.h"

enum { IM_RACE_MOST = 1024 }; /* seeds of a race */

/* winner: which of the seeds, from 0. `given` is what its runs are given, and how many seeds
 * there are; nothing of it is changed. The state that the winner goes on from is in the
 * checkpoint, if options name one, and else in *state, which was empty and is to be cleared.
 * IMSAT_EMISMATCH: what is to be resumed is of another race. */
imsat_status im_race_run(size_t *winner, im_safetensors *state, const im_runs *given,
                         imsat_error *err);

#endif
