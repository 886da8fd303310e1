/* SPDX-License-Identifier: MIT
 *
 * Training from the first step of the first run to the last, with the ladder of mu, progress,
 * checkpoints and resuming.
 */
#ifndef IM_TRAIN_LOOP_H
#define IM_TRAIN_LOOP_H

#include "train/trainer.h"

/* Where training stands: all that a checkpoint needs beside the arrays. The random numbers
 * have no state, so these counters are it. */
typedef struct im_position {
    size_t run;        /* runs finished */
    size_t rung;       /* of the ladder of mu, in this run */
    size_t epoch;      /* finished in this run, all rungs together */
    size_t rung_epoch; /* finished in this rung */
    size_t step;       /* finished in this epoch */
    uint32_t steps;    /* finished in this run */
    im_terms sums;     /* of this epoch's steps */
} im_position;

/* All runs of one call: results of those that are finished, and the best of them. */
typedef struct im_session {
    const imsat_options *opt; /* resolved; borrowed, as are the next two */
    const imsat_data *data;
    const float *radius; /* kept in the checkpoint; or NULL */
    imsat_radius_info radius_info;
    uint64_t fingerprint; /* of the data */
    im_trainer trainer;
    im_position at;
    im_net best; /* network of the best run so far */
    size_t best_run;
    imsat_run *run;  /* (runs) */
    int32_t *labels; /* (runs, rows) of clusters, else NULL */
    uint8_t *codes;  /* (runs, rows, bytes) of hash codes, else NULL */
} im_session;

/* Made in place, as the trainer in it. */
imsat_status im_session_new(im_session *out, const imsat_data *data, const im_preprocess *pre,
                            const imsat_options *resolved, const float *radius,
                            const double *prior, uint64_t fingerprint, im_pool *pool,
                            imsat_error *err);
void im_session_clear(im_session *session);

/* Bytes of a row's code; 0 for clusters. */
size_t im_session_code_bytes(const im_session *session);

/* Train what is left. IMSAT_ESTOPPED when the progress callback says so; the checkpoint is
 * saved first, if there is one. */
imsat_status im_session_train(im_session *session, imsat_error *err);

/* The ladder of appendix B: mu = lambda {1, 2, 4, 6, 8, ...}. */
double im_ladder_mu(double lambda, size_t rung);

#endif
