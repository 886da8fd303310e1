/* SPDX-License-Identifier: MIT
 *
 * All runs of one call: one `fit` of the method a seed, what each has found, and the best of
 * them. Knows no method.
 */
#ifndef IM_MODEL_RUNS_H
#define IM_MODEL_RUNS_H

#include "imsat/search.h"
#include "model/methods.h"

typedef struct im_runs {
    im_fit given; /* what every run is given; borrowed. opt->runs is how many there are, and
                     with opt->consensus one more follows, which is kept */
    imsat_radius_info radius_info;
    uint64_t fingerprint; /* of the data */
    size_t done;          /* runs finished */
    im_run *run;          /* (runs) owned */
    int32_t *labels;      /* (runs, rows) owned, of clusters, else NULL */
    uint8_t *codes;       /* (runs, rows, bytes) owned, of hash codes, else NULL */
    im_net best;          /* owned: encoder of the best run so far */
    im_net shared;        /* owned: what the runs have in common, or empty */
    size_t best_run;
    im_history *history;  /* owned: the course of the runs; NULL: they have no epochs */
    size_t before, all;   /* of a race: seeds before this one, and seeds in all; 0: no race */
    int32_t *teacher;     /* (rows) owned: what a consensus is taught, or NULL */
    im_safetensors *held; /* where a state goes if there is no checkpoint; NULL: nowhere */
} im_runs;

/* Take the memory for what is found; `given` is set. On failure the caller clears it. */
imsat_status im_runs_open(im_runs *runs, imsat_error *err);
void im_runs_clear(im_runs *runs);

/* How many there are with a consensus. */
static inline size_t im_runs_all(const im_runs *runs)
{
    return runs->given.opt->runs + (runs->given.opt->consensus != 0);
}

/* Bytes of a row's code; 0 for clusters. */
static inline size_t im_runs_code_bytes(const im_runs *runs)
{
    return imsat_code_bytes(runs->given.opt->bits);
}

/* Do the runs that are left, the first of them from the state in `resumed`, if there is one.
 * IMSAT_ESTOPPED when the progress callback says so; the checkpoint is saved first, if there
 * is one. */
imsat_status im_runs_do(im_runs *runs, const im_safetensors *resumed, imsat_error *err);

/* Do the first run up to the end of epoch `pause`, from the state in `from`, which may be
 * empty, and save its state: as a checkpoint, or to `held`. Gives the objective over all data
 * there. Needs no im_runs_open(). */
imsat_status im_runs_pause(double *objective, im_runs *runs, const im_safetensors *from,
                           size_t pause, imsat_error *err);

/* How far the runs agree: the mean over pairs of them; 1 for one run. */
imsat_status im_runs_agree(double *out, const im_runs *runs, imsat_error *err);

#endif
