/* SPDX-License-Identifier: MIT
 *
 * The unsupervised deep hashing of Erin Liong et al. (2015) under way: d - 60 - 30 - 16 (for
 * 16 bits) with tanh behind every layer, trained by gradient descent on quantization, balance
 * and independence (objective/quantization.h). The first layer begins as the principal
 * components of the rows, the others as identities, so that the codes begin as signs of
 * components.
 *
 * Rows are taken from their mean, and scaled so that the first component has
 * IM_DEEP_HASH_REACH as its deviation: what tanh makes of them must not depend on the units of
 * the data.
 */
#ifndef IM_BASELINE_DEEP_HASH_H
#define IM_BASELINE_DEEP_HASH_H

#include "baseline/feed.h"

#define IM_DEEP_HASH_REACH    3.0
#define IM_DEEP_HASH_MOMENTUM 0.9

typedef struct im_deep_hash {
    im_fit *fit; /* borrowed */
    im_net net;
    im_tape tape;
    im_sgd sgd;
    im_feed feed;
    size_t step;    /* finished */
    double sum;     /* of J over the steps of this epoch */
    double *share;  /* (all units of all layers) what J has of each */
    double *origin; /* (d) the mean of the rows */
    double **work;  /* [threads] (widest input) */
    void *memory;   /* what these are carved from */
} im_deep_hash;

/* Weights as they begin; reads the rows for their components. Made in place; may not be moved.
 */
imsat_status im_deep_hash_new(im_deep_hash *out, im_fit *fit, const im_stage *stage,
                              imsat_error *err);
void im_deep_hash_clear(im_deep_hash *hash);

size_t im_deep_hash_steps(const im_deep_hash *hash);

/* The gradient of the batch of a step, into the tape; returns J. */
double im_deep_hash_grad(im_deep_hash *hash, size_t step);

/* A step: the gradient, and new weights. Returns J. */
double im_deep_hash_step(im_deep_hash *hash);

/* J over all rows. */
imsat_status im_deep_hash_assess(double *out, im_deep_hash *hash, const im_stage *stage,
                                 imsat_error *err);

/* The network, of prepared rows, to fit->net. */
void im_deep_hash_leave(im_deep_hash *hash);

/* An im_put_state, of an im_deep_hash; and read back, after im_deep_hash_new(). */
imsat_status im_deep_hash_put(im_safetensors *file, const void *state, imsat_error *err);
imsat_status im_deep_hash_get(im_deep_hash *hash, const im_safetensors *file,
                              imsat_error *err);

/* The method deep-hash. */
imsat_status im_deep_hash_fit(im_fit *fit, imsat_error *err);

#endif
