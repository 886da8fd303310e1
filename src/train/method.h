/* SPDX-License-Identifier: MIT
 *
 * What a method is: a row of one table (model/methods.c), and its function `fit`, which turns
 * prepared data and options into an encoder and the numbers of one run.
 *
 * All that is the same for every method is around it, in model/: seeds and runs, the choice of
 * a run and how far the runs agree, checkpoints, progress, the record, the result, the file
 * and prediction. None of it knows a method by name.
 *
 * Prefixes: im_fit_.
 */
#ifndef IM_TRAIN_METHOD_H
#define IM_TRAIN_METHOD_H

#include "core/threads.h"
#include "data/options.h"
#include "data/preprocess.h"
#include "nn/net.h"
#include "objective/terms.h"
#include "train/head.h"
#include "train/history.h"

typedef struct im_fit im_fit;

/* Put a run's state into a checkpoint. */
typedef imsat_status im_put_state(im_safetensors *file, const void *state, imsat_error *err);

/* A default of a method that is not the general one (data/options_table.c). */
typedef struct im_setting {
    const char *name, *text;
    bool clusters_only, not_paper; /* where it does not hold for all tasks and presets */
    bool default_only;             /* only under the preset default */
} im_setting;

enum { IM_METHOD_SETTINGS = 8 };

typedef struct im_method {
    const char *name, *summary;
    const char *objective; /* what a run minimizes, and runs are compared by */
    unsigned tasks;        /* that it serves: bits 1 << imsat_task */
    unsigned sections;     /* options that it has: bits 1 << imsat_section */
    unsigned uses;         /* IM_USES_*, and so which of these options change anything */
    bool terms;            /* its objective has the terms of objective/terms.c */
    bool callers;          /* needs the caller's augmentation, so the program has it not */
    size_t steps[IMSAT_PRESETS]; /* that epochs come to where they are left open; 0: by the
                                    size of the data */
    im_setting settings[IM_METHOD_SETTINGS];                     /* up to one without a name */
    imsat_status (*afford)(const im_fit *fit, imsat_error *err); /* NULL, or refuse what there
                              is no memory for, before the radius is computed */
    imsat_status (*fit)(im_fit *fit, imsat_error *err);
    const void *recipe; /* what fit has to know of its row */
} im_method;

/* The numbers of a run. */
typedef struct im_run {
    imsat_run about; /* its terms are the next: a run may not be moved or copied as bytes */
    double term[IMSAT_TERMS];
} im_run;

struct im_fit {
    /* Given. */
    const im_method *method;
    const imsat_options *opt; /* resolved */
    const imsat_data *data;
    const im_preprocess *pre;
    const float *radius; /* (rows) if the method uses one, else NULL */
    const double *prior; /* (k) of clusters, else NULL */
    im_pool *pool;
    im_net *shared;                /* what the runs of a call have in common, the caller's: the
                                      first one may make it, and all find it; without layers:
                                      it is not made yet. Checkpoints keep it */
    im_history *history;           /* the course of all runs, which epochs are added to as
                                      they are told; NULL: the method has none */
    const int32_t *teacher;        /* NULL, or (rows) labels to be taught, -1 where there is
                                      none: of clusters. For methods with IM_USES_TEACHER */
    uint64_t seed;                 /* of this run */
    size_t number, runs;           /* of this run, from 0, and of how many: to be told */
    size_t pause;                  /* 0, or the epoch after which the run pauses: the state is
                                      saved then, and the numbers are those of that moment.
                                      For methods with IM_USES_PAUSE */
    const im_safetensors *resumed; /* a checkpoint taken in this run: go on from the state in
                                      it; NULL: begin. It is of these data and options */

    /* Save the checkpoint with the state of this run under way. Does nothing if no checkpoint
     * is asked for. */
    imsat_status (*save)(im_fit *fit, im_put_state *put, const void *state, imsat_error *err);
    void *saver;

    /* Left behind. */
    im_net net;           /* the encoder: owned by the caller from now on */
    im_run *run;          /* the caller's: objective, terms, mu and epochs are to be set */
    im_assigned assigned; /* the caller's: labels or codes of all rows, if the method has them
                             anyway, and they are what the encoder gives; then `labeled` is
                             set */
    bool labeled;
};

/* What to do about a checkpoint that does not hold what it must. */
#define IM_FIT_DAMAGED                                                                        \
    "the checkpoint is damaged: remove it, or leave out --resume, to begin anew"

/* How many outputs the encoder has: clusters or bits. */
static inline size_t im_fit_outputs(const imsat_options *opt)
{
    return opt->task == IMSAT_TASK_HASH ? opt->bits : opt->k;
}

/* Tell the caller of the library where the run stands; true: stop. The run's number and how
 * many there are is filled in. The end of an epoch becomes a part of the model's history. */
bool im_fit_tell(const im_fit *fit, imsat_progress progress);

/* Save the state and say that the run was stopped: IMSAT_ESTOPPED, and how to go on. epoch: of
 * a method that trains by epochs. */
imsat_status im_fit_stop(im_fit *fit, im_put_state *put, const void *state, size_t epoch,
                         imsat_error *err);

#endif
