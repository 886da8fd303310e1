/* SPDX-License-Identifier: MIT
 *
 * The network: d - hidden ... - outputs. Each hidden layer is
 *
 *     z = W a,   xhat = (z - mean) / sqrt(var + eps),   a' = max(gain xhat + bias, 0)
 *
 * and the last is z = W a + bias, read out (nn/readout.h) to a softmax or to sigmoids. Hidden
 * layers have no bias of their own before the normalization: it would be subtracted again.
 * There are hidden layers without normalization, too (nn/activation.h).
 *
 * Prefixes: im_layer_.
 */
#ifndef IM_NN_NET_H
#define IM_NN_NET_H

#include "core/real.h"
#include "core/rng.h"
#include "core/status.h"
#include "nn/activation.h"
#include "nn/batchnorm.h"
#include "nn/readout.h"

#include <stdbool.h>

/* An auto-encoder has every layer twice, and a code in the middle. */
enum { IM_MAX_LAYERS = 2 * (IMSAT_MAX_HIDDEN + 1) };

typedef struct im_layer {
    size_t in, out;
    bool hidden;   /* not the last */
    im_form form;  /* what follows the product; of the last layer IM_FORM_LINEAR */
    im_real *w;    /* (out,in)  views into net->params */
    im_real *bias; /* (out) */
    im_real *gain; /* (out)     NULL unless normalized */
    im_real *mean; /* (out)     views into net->running; NULL unless normalized */
    im_real *var;  /* (out) */
} im_layer;

/* The normalization of a unit of a hidden layer that has it. */
static inline im_bn_unit im_layer_unit(const im_layer *layer, size_t u)
{
    return (im_bn_unit){layer->gain[u], layer->bias[u], layer->mean + u, layer->var + u};
}

typedef struct im_net {
    size_t layers, dim, outputs;
    bool sigmoid;       /* outputs are bits, each of its own; else clusters, by softmax */
    im_readout readout; /* how outputs are made of the units of the last layer */
    uint64_t *first;    /* (outputs + 1) owned: where the units of each begin, if they are
                           several; else NULL */
    im_layer layer[IM_MAX_LAYERS];
    size_t nparams, nrunning;
    im_real *params;  /* (nparams) owned: per layer w, bias, gain */
    im_real *running; /* (nrunning) owned: running mean and variance of each hidden layer */
} im_net;

/* A network without memory: what its shape says. */
imsat_status im_net_shape(im_net *out, size_t dim, const size_t *hidden, size_t hidden_count,
                          size_t outputs, imsat_error *err);

/* All zero but the running variance, which is 1, and the gains, which are 1. */
imsat_status im_net_new(im_net *out, size_t dim, const size_t *hidden, size_t hidden_count,
                        size_t outputs, imsat_error *err);
void im_net_clear(im_net *net);

/* Read a new network's last layer, whose units were its outputs so far, out to `outputs`.
 * first (outputs + 1): where the units of each begin, and the end; not looked at if each has
 * one. */
imsat_status im_net_read_out(im_net *net, im_readout readout, size_t outputs,
                             const uint64_t *first, imsat_error *err);

/* The same with hidden layers of these forms; NULL: all are normalized. */
imsat_status im_net_new_forms(im_net *out, size_t dim, const size_t *hidden,
                              const im_form *forms, size_t hidden_count, size_t outputs,
                              imsat_error *err);

/* Normal weights of one layer, of this deviation. */
void im_net_draw(const im_layer *layer, double deviation, im_rng rng);

/* Normal weights of deviation scale / sqrt(fan_in), all else as in im_net_new(). */
void im_net_init(im_net *net, double scale_hidden, double scale_output, uint64_t seed);

/* The first `layers` layers of a network, none of them normalized, with their parameters, and,
 * unless outputs is 0, one more of zeros. */
imsat_status im_net_begin(im_net *out, const im_net *from, size_t layers, size_t outputs,
                          imsat_error *err);

/* Copy parameters and running averages; shapes must be equal. */
void im_net_copy(im_net *to, const im_net *from);

/* A number that no network may hold: one that is not finite, or a variance below 0. Subnormal
 * numbers are 0, in whatever mode the thread is. */
typedef struct im_net_fault {
    char tensor[32]; /* that it is in: "layer.0.var" */
    size_t element;
    double value;
} im_net_fault;

/* Look for the first one; false if there is none. In everything, or in the running averages
 * alone, which are few: a training step shows there whether it went wrong. */
bool im_net_find_fault(im_net_fault *out, const im_net *net);
bool im_net_find_running_fault(im_net_fault *out, const im_net *net);

/* For arrays that are laid out as params: the first of x (n) that is not finite, or n; and the
 * layer of an element. */
size_t im_net_nonfinite(const im_real *x, size_t n);
size_t im_net_layer_of(const im_net *net, size_t param);

#endif
