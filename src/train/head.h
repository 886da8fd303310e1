/* SPDX-License-Identifier: MIT
 *
 * A head: what the network's outputs mean, and the terms of the objective that depend on it.
 * There are two, each in a file of its own: softmax over k clusters (head_clusters.c) and a
 * sigmoid for each of D bits (head_bits.c). The rest of training does not know which.
 *
 * Branch 0 is the clean batch, the others are T(x). R_SAT of a branch is taken against the
 * clean prediction, which is held constant. Gradients go to the logits of a branch, where the
 * network's backward pass starts.
 */
#ifndef IM_TRAIN_HEAD_H
#define IM_TRAIN_HEAD_H

#include "core/alloc.h"
#include "nn/tape.h"
#include "objective/bit_info.h"
#include "objective/terms.h"

typedef struct im_trainer im_trainer;

/* Arrays of the head of clusters. */
typedef struct im_head_clusters_arrays {
    im_real *p[IM_MAX_BRANCHES]; /* (n,k) predictions of each branch */
    im_real *dp;                 /* (n,k) gradient of a prediction */
    double *marginal;            /* (k) */
    double *prior;               /* (k) the entries of the prior, largest first */
    double *target;              /* (k) what the marginal is drawn to */
    double *weight;              /* (n) what each row of the batch counts in an even start */
} im_head_clusters_arrays;

/* Arrays of the head of bits. */
typedef struct im_head_bits_arrays {
    im_bit_proba p[IM_MAX_BRANCHES]; /* (k,n) predictions of each branch */
    double *sum;                     /* (k) sums of single bits */
    im_bit_info info;
} im_head_bits_arrays;

/* The information terms over many batches. */
typedef struct im_head_totals {
    double rows, cond;
    double mass;        /* what the rows of clusters count together */
    double *marginal;   /* (k) owned, of clusters */
    im_bit_totals bits; /* owned, of bits */
} im_head_totals;

/* Where the labels (rows) or the codes (rows, bytes) of the data's rows go; the other is NULL,
 * or both are. */
typedef struct im_assigned {
    int32_t *labels;
    uint8_t *codes;
} im_assigned;

typedef struct im_head {
    bool sigmoid; /* outputs are bits, each of its own */

    /* Memory: arrays that are carved with the trainer's, and what has memory of its own. */
    void (*lay_out)(im_trainer *trainer, im_carver *carver);
    imsat_status (*open)(im_trainer *trainer, imsat_error *err);
    void (*close)(im_trainer *trainer);

    /* From the logits of a branch to its prediction. */
    void (*predict)(im_trainer *trainer, size_t branch);

    /* R_SAT of a branch; the gradient of weight R_SAT; or both at a time. */
    double (*sat)(im_trainer *trainer, size_t branch);
    void (*sat_grad)(im_trainer *trainer, size_t branch, double weight);
    double (*sat_both)(im_trainer *trainer, size_t branch, double weight);

    /* The information terms of the clean batch, and their gradient to its logits. */
    void (*information)(im_trainer *trainer, im_terms *terms);

    /* The objective of the terms. */
    double (*objective)(const im_trainer *trainer, const im_terms *terms);

    /* The information terms of all data: begin with a zeroed struct, add the clean batches,
     * and ask for the terms one time, at the end. */
    imsat_status (*totals_open)(im_head_totals *totals, const im_trainer *trainer,
                                imsat_error *err);
    void (*totals_add)(im_head_totals *totals, im_trainer *trainer);
    void (*totals_terms)(im_head_totals *totals, im_terms *terms, const im_trainer *trainer);

    /* Put down what the clean batch's rows were assigned to. */
    void (*assign)(im_assigned to, const im_trainer *trainer);
} im_head;

extern const im_head im_head_clusters, im_head_bits;

void im_head_totals_clear(im_head_totals *totals);

/* Gradient of the branch's logits (outputs,ld), and the logits. */
im_real *im_head_dz(const im_trainer *trainer, size_t branch);
const im_real *im_head_logits(const im_trainer *trainer, size_t branch);

#endif
