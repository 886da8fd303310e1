/* SPDX-License-Identifier: MIT
 *
 * One training run: the network, its optimizer, and everything a step needs, allocated once.
 * B: rows of a batch, k: outputs (clusters or bits), d: columns of the data.
 */
#ifndef IM_TRAIN_TRAINER_H
#define IM_TRAIN_TRAINER_H

#include "augment/perturb.h"
#include "data/sparse_rows.h"
#include "nn/tape.h"
#include "train/batch.h"
#include "train/head.h"
#include "train/method.h"
#include "train/row_weights.h"

/* The ways to make T(x). */
typedef enum im_augment {
    IM_AUG_VAT,
    IM_AUG_RPT,
    IM_AUG_AFFINE,
    IM_AUG_OWN,
    IM_AUGMENTS
} im_augment;

/* What tells the methods of this folder apart: the recipe of their rows. */
typedef struct im_recipe {
    double weight[IM_AUGMENTS]; /* of each in R_SAT, at most two; none: weight decay alone */
} im_recipe;

/* Scratch of one thread, for a strip of rows on their way to the network. */
typedef struct im_strip {
    float *rows;  /* (IM_STRIP,d) a prepared row, or directions */
    double *work; /* (d) of preprocessing */
} im_strip;

/* What the sizes of clusters are drawn to: docs/theory.md, section 4, the even start. */
typedef enum im_sizes {
    IM_SIZES_ASKED, /* to the prior, within delta */
    IM_SIZES_EVEN,  /* to equal ones */
    IM_SIZES_LOOSE  /* to be no less even than the prior */
} im_sizes;

struct im_trainer {
    const imsat_data *data; /* borrowed, as are the next six */
    const im_preprocess *pre;
    const imsat_options *opt; /* resolved */
    const im_recipe *recipe;
    const float *radius;    /* (rows of data), or NULL if the method needs none */
    const double *prior;    /* (k) of clusters; NULL for bits */
    im_row_weights weights; /* of rows in an even start */
    const int32_t *teacher; /* (rows of data) labels to be taught, -1: none; NULL: none at all,
                               and the network finds clusters of its own */
    im_pool *pool;          /* borrowed */
    im_net net;
    im_real *running_before; /* (nrunning) the network's running averages before this step */
    im_adam adam;
    im_tape tape;
    im_augment branch_kind[IM_MAX_BRANCHES]; /* of branch 1, 2 */
    uint64_t seed;
    double mu;      /* the weight of the marginal term that is now in force */
    im_sizes sizes; /* of clusters, in this epoch */
    im_batch batch;
    im_sparse_rows sparse_rows; /* of sparse data: prepared rows without their zeros, */
    im_real *background;        /* (d) what zeros become, if it is not 0, else NULL */
    im_sparse_input sparse;     /* and the batch of them, which tape.sparse points to */
    const im_head *head; /* what the outputs mean, and its arrays: one of the next two */
    im_head_clusters_arrays clusters;
    im_head_bits_arrays bits;
    im_strip *strip;               /* [threads] */
    const float *fixed_directions; /* (B,d) in place of random ones, for tests; else NULL */
    void *memory;                  /* what the arrays are carved from */
};

/* For a run of what the fit is given; its recipe is an im_recipe. Made in place: the tape
 * points to the network, so a trainer may not be moved. */
/* Refuse, at once, a training for which a limit on memory leaves too little. fit needs no
 * radius yet. */
imsat_status im_trainer_afford(const im_fit *fit, imsat_error *err);

imsat_status im_trainer_new(im_trainer *out, const im_fit *fit, imsat_error *err);
void im_trainer_clear(im_trainer *trainer);

/* Begin a run: weights from the seed, Adam from zero. */
void im_trainer_reset(im_trainer *trainer, uint64_t seed);

/* Run a branch, whose input is there, through the network to its prediction. */
void im_trainer_predict(im_trainer *trainer, size_t branch, im_bn_mode mode);

#endif
