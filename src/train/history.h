/* SPDX-License-Identifier: MIT
 *
 * The course of a training, which a model keeps: the objective and its terms, epoch by epoch
 * and run by run (imsat_history in imsat/imsat.h). It takes at most IM_HISTORY_RUNS times
 * IM_HISTORY_POINTS epochs, whatever the training:
 *
 *     a run that has so many points loses every second one, and from then on every second,
 *     fourth, ... of its epochs is taken: point i of a run, from 0, is its epoch (i + 1) every
 *
 *     of more runs, the first ones are kept, the best, and the last
 *
 * What is kept depends on the epochs alone, not on where the training was interrupted: a
 * checkpoint holds what was taken so far. Values are float, as in the file, so that a model
 * that was just trained and one that was loaded say the same.
 */
#ifndef IM_TRAIN_HISTORY_H
#define IM_TRAIN_HISTORY_H

#include "data/safetensors.h"
#include "imsat/imsat.h"

#include <stdbool.h>

enum {
    IM_HISTORY_RUNS = 20,
    IM_HISTORY_POINTS = 128 /* of a run; even */
};

typedef struct im_history {
    imsat_history about;              /* what callers see: the next, as far as it is filled */
    const float *column[IMSAT_TERMS]; /* about.term */
    size_t room;                      /* points */
    uint32_t *run, *epoch;            /* (room) owned */
    float *objective;                 /* (room) owned */
    float *term[IMSAT_TERMS];         /* (room) owned; NULL: it has not this one */
    size_t number, first, every;      /* of the run under way: which it is, where its points
                                         begin, and the epochs from one to the next */
} im_history;

/* Of so many runs, and of these terms: bits 1 << imsat_term. */
imsat_status im_history_new(im_history **out, size_t runs, unsigned terms, imsat_error *err);
void im_history_free(im_history *history);

/* A run begins, or goes on if the last points are its own. best: the best of those before. */
void im_history_begin(im_history *history, size_t run, size_t best);

/* What the run has so far is dropped: it was of something that only comes before. */
void im_history_restart(im_history *history);

/* Take the end of an epoch of the run under way; anything else is left alone. Where a run
 * counts from 1 again, it restarts. history may be NULL. */
void im_history_take(im_history *history, const imsat_progress *progress);

/* In a file: the record, the tensors, which the file borrows, and back. Nothing is written of
 * a training without epochs. */
imsat_status im_history_record(im_safetensors *record, const im_history *history,
                               imsat_error *err);
imsat_status im_history_add(im_safetensors *file, const im_history *history, imsat_error *err);

/* To one that has room, and these very terms; runs must be below `runs`. */
imsat_status im_history_read(im_history *into, const im_safetensors *file, const char *path,
                             size_t runs, imsat_error *err);

/* A new one, of the terms that the record names; NULL if the file has no course. */
imsat_status im_history_load(im_history **out, const im_safetensors *file, const char *path,
                             imsat_error *err);

#endif
