/* SPDX-License-Identifier: MIT
 *
 * One training run: the network, its optimizer, and everything a step needs, allocated once.
 * B: rows of a batch, k: outputs (clusters or bits), d: columns of the data.
 */
#ifndef IM_TRAIN_TRAINER_H
#define IM_TRAIN_TRAINER_H

#include "augment/perturb.h"
#include "data/preprocess.h"
#include "nn/tape.h"
#include "objective/bit_info.h"
#include "train/methods.h"

/* The objective and its terms. */
typedef struct im_terms {
    double objective; /* see im_objective() */
    double sat, decay, cond_entropy, marg_entropy;
    double marginal_kl; /* of clusters, else 0 */
    double pair_info;   /* of bits, else 0 */
} im_terms;

/* Scratch of one thread. */
typedef struct im_strip {
    float *rows;  /* (IM_STRIP,d) a prepared row, or directions */
    double *work; /* (d) of preprocessing */
} im_strip;

typedef struct im_trainer {
    const imsat_data *data; /* borrowed, as are the next four */
    const im_preprocess *pre;
    const imsat_options *opt; /* resolved */
    const float *radius;      /* (rows of data), or NULL if the method needs none */
    const double *prior;      /* (k) of clusters; NULL for bits */
    im_pool *pool;            /* borrowed */
    im_net net;
    im_adam adam;
    im_tape tape;
    im_augment branch_kind[IM_MAX_BRANCHES]; /* of branch 1, 2 */
    uint64_t seed;
    double mu; /* the weight now in force */

    size_t n;                    /* rows in the batch, at most B */
    size_t *rows;                /* (B) their numbers in the data */
    float *raw;                  /* (B,d) as read, if T(x) starts from there; else NULL */
    float *augmented;            /* (B,d) T(x) before preprocessing; else NULL */
    im_real *p[IM_MAX_BRANCHES]; /* (n,k) predictions of each branch, of clusters */
    im_real *dp;                 /* (n,k) gradient of a prediction */
    double *marginal;            /* (k) */
    im_bit_proba bit[IM_MAX_BRANCHES]; /* (k,n) predictions of each branch, of bits */
    double *bit_sum;                   /* (k) sums of single bits */
    im_bit_info bit_info;
    im_strip *strip;               /* [threads] */
    const float *fixed_directions; /* (B,d) in place of random ones, for tests; else NULL */
    void *memory;                  /* what the arrays are carved from */
} im_trainer;

/* Made in place: the tape points to the network, so a trainer may not be moved. */
imsat_status im_trainer_new(im_trainer *out, const imsat_data *data, const im_preprocess *pre,
                            const imsat_options *resolved, const float *radius,
                            const double *prior, im_pool *pool, imsat_error *err);
void im_trainer_clear(im_trainer *trainer);

/* Begin a run: weights from the seed, Adam from zero. */
void im_trainer_reset(im_trainer *trainer, uint64_t seed);

/* Mini-batches: how many steps an epoch has, and the rows of one step of it. */
size_t im_batch_steps(const imsat_options *opt, size_t rows);
void im_batch_draw(im_trainer *trainer, size_t epoch, size_t step_of_epoch);

/* The network's inputs, into act[0]: the batch itself (branch 0), and T(x). */
void im_inputs_clean(im_trainer *trainer);
imsat_status im_inputs_augment(im_trainer *trainer, size_t branch, im_rng rng,
                               imsat_error *err);

/* VAT (and RPT): x + r into the branch; mode is that of the probe's passes. */
void im_vat_perturb(im_trainer *trainer, size_t branch, im_bn_mode mode, im_rng rng);
void im_rpt_perturb(im_trainer *trainer, size_t branch, im_rng rng);

/* T(x) into the branch, by whichever way the branch has. */
imsat_status im_branch_augment(im_trainer *trainer, size_t branch, im_bn_mode mode, im_rng rng,
                               imsat_error *err);

/* Run a branch through the network to its prediction. */
void im_branch_predict(im_trainer *trainer, size_t branch, im_bn_mode mode);

/* From the logits of a branch to its prediction. */
void im_head_predict(im_trainer *trainer, size_t branch);

/* R_SAT of a branch against the clean prediction, which is held constant; the gradient of
 * weight R_SAT, handed to the network as that of the branch's logits; or both at a time. */
double im_head_sat(im_trainer *trainer, size_t branch);
void im_head_sat_grad(im_trainer *trainer, size_t branch, double weight);
double im_head_sat_both(im_trainer *trainer, size_t branch, double weight);

/* The information terms of the clean batch, and their gradient to its logits. */
void im_head_information(im_trainer *trainer, im_terms *terms);

/* The information terms over many batches. */
typedef struct im_head_totals {
    double rows, cond;
    double *marginal; /* (k) of clusters */
    im_bit_totals bits;
} im_head_totals;

imsat_status im_head_totals_new(im_head_totals *out, const im_trainer *trainer,
                                imsat_error *err);
void im_head_totals_clear(im_head_totals *totals);
void im_head_totals_add(im_head_totals *totals, im_trainer *trainer);

/* Sets the information terms, leaves the others. Once. */
void im_head_totals_terms(im_head_totals *totals, im_terms *terms, const im_trainer *trainer);

/* Where the labels (rows) or the codes (rows, bytes) of the data's rows go; the other is NULL,
 * or both are. */
typedef struct im_assigned {
    int32_t *labels;
    uint8_t *codes;
} im_assigned;

/* Put down what the clean batch's rows were assigned to. */
void im_head_assign(im_assigned to, const im_trainer *trainer);

/* One step of training on the batch that was drawn. */
imsat_status im_step_run(im_trainer *trainer, uint32_t step, im_terms *terms,
                         imsat_error *err);

/* The objective without a step, on this batch, its gradient in tape.grad: what a step does
 * before Adam. */
imsat_status im_step_grad(im_trainer *trainer, uint32_t step, im_terms *terms,
                          imsat_error *err);

/* sat + decay + lambda cond_entropy + mu max(marginal_kl - delta, 0)         clusters
 * sat + decay + lambda (cond_entropy - marg_entropy + pair_info)             bits */
double im_objective(const im_trainer *trainer, const im_terms *terms);

/* The objective over the whole data, with running averages (no batch statistics), and the
 * label or code of every row. Called now and then: progress (may be NULL) with the share done;
 * not 0 stops. */
imsat_status im_assess(im_trainer *trainer, im_terms *terms, im_assigned assigned,
                       int (*progress)(void *, double), void *user, imsat_error *err);

#endif
