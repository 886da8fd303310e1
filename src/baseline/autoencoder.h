/* SPDX-License-Identifier: MIT
 *
 * The stacked denoising auto-encoder of Xie et al. (2016, section 3.2 and their code),
 *
 *     d - h_1 - ... - h_H - m - h_H - ... - h_1 - d          L = H + 1 layers each way
 *
 * ReLU everywhere but on the code (m) and on what is compared with the data. First each pair
 * of layers for itself, from the outside in: l of the encoder and its mirror image learn to
 * restore the outputs of layer l - 1 while a share of the pair's inputs and hidden outputs is
 * dropped,
 *
 *     h = f(W drop(a) + b)      y = g(W' drop(h) + b')      min 1/2d |y - a|^2, d numbers of a
 *
 * where g is a ReLU but of the first pair, and the code is not dropped. Then all layers at
 * once, with nothing dropped. Both by gradient descent with momentum, whose rate is divided by
 * ten after every fifth of the steps that the whole takes; a pair takes half as many. The
 * momentum grows over the first hundredth of them. Where it diverges, because the rate is too
 * high for the data, all begins again with half of it.
 *
 * All runs of a call share one auto-encoder, which comes of the seed of the first.
 */
#ifndef IM_BASELINE_AUTOENCODER_H
#define IM_BASELINE_AUTOENCODER_H

#include "baseline/feed.h"

#define IM_AUTOENCODER_DEVIATION 0.01 /* of the first weights */
#define IM_AUTOENCODER_MOMENTUM  0.9

enum {
    IM_AUTOENCODER_RATES = 5,    /* how many rates the whole is trained with */
    IM_AUTOENCODER_HALVINGS = 20 /* of the rate at most */
};

typedef struct im_autoencoder {
    im_fit *fit;     /* borrowed */
    size_t layers;   /* L */
    size_t stage;    /* under way: pairs 0 .. L - 1, then L: the whole */
    size_t step;     /* finished of this stage */
    size_t steps;    /* that the whole takes */
    size_t halvings; /* of the rate, so far */
    double first;    /* the loss of the first step of this stage */
    double sum;      /* of the losses of the steps of this epoch */
    im_net whole;    /* 2L layers */
    im_tape tape;    /* of it */
    im_net pair;     /* of a stage below L: two layers, and their tape */
    im_tape small;
    im_sgd sgd; /* of what the stage trains */
    im_feed feed;
    double *loss;  /* (widest layer) by unit */
    im_real **row; /* [threads] (batch) */
    void *memory;  /* what these two are carved from */
} im_autoencoder;

/* Made in place; may not be moved. Before the first step. */
imsat_status im_autoencoder_new(im_autoencoder *out, im_fit *fit, imsat_error *err);
void im_autoencoder_clear(im_autoencoder *ae);

/* Weights of the stage that begins, and the memory to train it; and, when it is trained, its
 * place in the whole. */
imsat_status im_autoencoder_open_stage(im_autoencoder *ae, imsat_error *err);
void im_autoencoder_close_stage(im_autoencoder *ae);

/* To the first stage, with half the rate. */
void im_autoencoder_begin_again(im_autoencoder *ae);

/* How many steps a stage takes, all together, and how many are done. */
size_t im_autoencoder_stage_steps(const im_autoencoder *ae, size_t stage);
size_t im_autoencoder_all_steps(const im_autoencoder *ae);
size_t im_autoencoder_done(const im_autoencoder *ae);

/* The gradient's side of one step, and with `apply` new weights; returns the loss of the
 * batch. `drawn` counts the steps of all stages. Without `apply` the gradient is left in the
 * tape of what is trained. */
double im_autoencoder_step(im_autoencoder *ae, size_t drawn, bool apply);

/* An im_put_state, of an im_autoencoder; and read back, after im_autoencoder_new(). */
imsat_status im_autoencoder_put(im_safetensors *file, const void *state, imsat_error *err);
imsat_status im_autoencoder_get(im_autoencoder *ae, const im_safetensors *file,
                                imsat_error *err);

/* Whether the state of a run under way is that of an auto-encoder. */
bool im_autoencoder_has_state(const im_safetensors *file);

/* The encoder that the runs share, d - h_1 - ... - m, into fit->shared, if it is not there
 * yet: trained, or resumed. Takes the shares 0 .. `share` of the progress of the run. */
imsat_status im_autoencoder_fit(im_fit *fit, double share, imsat_error *err);

#endif
