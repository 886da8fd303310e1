/* SPDX-License-Identifier: MIT
 *
 * Deep embedded clustering (Xie et al. 2016) of one run under way: from the encoder of an
 * auto-encoder and centers by k-means, both are moved by gradient descent so that soft
 * assignments come nearer to a target that is sharper than they are (objective/target_kl.h).
 * The target is made anew, of all rows, every `interval` steps, and the momentum begins at 0
 * again, as in the authors' code. It ends when at most the share `changes` of the rows has
 * another nearest center than at the target before, or after options.epochs epochs.
 */
#ifndef IM_BASELINE_DEC_H
#define IM_BASELINE_DEC_H

#include "baseline/embedding.h"

#define IM_DEC_RATE     0.01
#define IM_DEC_MOMENTUM 0.9

typedef struct im_dec {
    im_embedding e;
    im_sgd weights, centers; /* of the encoder, and of the centers */
    size_t step;             /* finished */
    double kl;               /* KL[P || Q] by row, at the last target */
    double sum;              /* of L over the steps of this epoch */
    int32_t *labels;         /* (n) at the last target */
    im_real *target;         /* (n,k) p of all rows */
    im_real *assigned;       /* (n,k) scratch: q of all rows */
    im_real *p, *q;          /* (B,k) of a batch */
    im_real *sq;             /* (k,ld) squared distances of its codes */
    im_real *dc;             /* (k,m) */
    double *shares;          /* (k) */
    void *memory;            /* what these are carved from */
} im_dec;

/* Made in place; may not be moved. */
imsat_status im_dec_new(im_dec *out, im_fit *fit, imsat_error *err);
void im_dec_clear(im_dec *dec);

/* Steps at most, and whether a target is due before the next step. */
size_t im_dec_most_steps(const im_dec *dec);
bool im_dec_due(const im_dec *dec);

/* A target of the codes as they are now. changed: how many rows have another label than at the
 * one before, all at the first. */
imsat_status im_dec_aim(im_dec *dec, size_t *changed, const im_stage *stage, imsat_error *err);

/* One step; without `apply` the gradients are left in the tape and in dc. Returns L. */
double im_dec_step(im_dec *dec, bool apply);

/* An im_put_state, of an im_dec; and read back, after im_dec_new(). */
imsat_status im_dec_put(im_safetensors *file, const void *state, imsat_error *err);
imsat_status im_dec_get(im_dec *dec, const im_safetensors *file, imsat_error *err);
bool im_dec_has_state(const im_safetensors *file);

#endif
