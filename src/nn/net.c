/* SPDX-License-Identifier: MIT
 * The network's memory and initial weights; see net.h. */
#include "nn/net.h"

#include "core/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* Count the parameters, or, once there is memory, point the layers into it. */
static void lay_out(im_net *net)
{
    size_t p = 0, r = 0;
    for (size_t l = 0; l < net->layers; l++) {
        im_layer *layer = &net->layer[l];
        const bool normalized = layer->form == IM_FORM_NORMALIZED;
        if (net->params) {
            layer->w = net->params + p;
            layer->bias = layer->w + layer->out * layer->in;
            layer->gain = normalized ? layer->bias + layer->out : NULL;
            layer->mean = normalized ? net->running + r : NULL;
            layer->var = normalized ? layer->mean + layer->out : NULL;
        }
        p += layer->out * (layer->in + (normalized ? 2 : 1));
        r += normalized ? 2 * layer->out : 0;
    }
    net->nparams = p;
    net->nrunning = r;
}

static void set_ones(im_net *net)
{
    for (size_t l = 0; l < net->layers; l++)
        for (size_t i = 0; net->layer[l].gain && i < net->layer[l].out; i++)
            net->layer[l].gain[i] = net->layer[l].var[i] = 1;
}

static imsat_status shape(im_net *out, size_t dim, const size_t *hidden, const im_form *forms,
                          size_t hidden_count, size_t outputs, imsat_error *err)
{
    assert(hidden_count < IM_MAX_LAYERS);
    im_net net = {.layers = hidden_count + 1, .dim = dim, .outputs = outputs};
    for (size_t l = 0; l < net.layers; l++) {
        net.layer[l].hidden = l < hidden_count;
        net.layer[l].form = l == hidden_count ? IM_FORM_LINEAR
                            : forms           ? forms[l]
                                              : IM_FORM_NORMALIZED;
        net.layer[l].in = l ? hidden[l - 1] : dim;
        net.layer[l].out = l < hidden_count ? hidden[l] : outputs;
        size_t weights;
        if (!im_size_mul(&weights, net.layer[l].in + 2, net.layer[l].out) ||
            weights > SIZE_MAX / 256)
            return im_fail(err, IMSAT_EINVAL, "layer %zu of %zu x %zu weights is too large",
                           l + 1, net.layer[l].out, net.layer[l].in);
    }
    lay_out(&net);
    *out = net;
    return IMSAT_OK;
}

imsat_status im_net_shape(im_net *out, size_t dim, const size_t *hidden, size_t hidden_count,
                          size_t outputs, imsat_error *err)
{
    return shape(out, dim, hidden, NULL, hidden_count, outputs, err);
}

imsat_status im_net_new_forms(im_net *out, size_t dim, const size_t *hidden,
                              const im_form *forms, size_t hidden_count, size_t outputs,
                              imsat_error *err)
{
    im_net net = {0};
    const imsat_status st = shape(&net, dim, hidden, forms, hidden_count, outputs, err);
    if (st != IMSAT_OK)
        return st;
    net.params = im_alloc(net.nparams, sizeof *net.params);
    net.running = im_alloc(net.nrunning, sizeof *net.running);
    if (!net.params || !net.running) {
        im_net_clear(&net);
        return im_fail_memory(err, "the network");
    }
    lay_out(&net);
    set_ones(&net);
    *out = net;
    return IMSAT_OK;
}

imsat_status im_net_read_out(im_net *net, im_readout readout, size_t outputs,
                             const uint64_t *first, imsat_error *err)
{
    assert(!net->first);
    net->readout = readout;
    net->outputs = outputs;
    if (!im_readout_groups(readout))
        return IMSAT_OK;
    net->first = im_alloc(outputs + 1, sizeof *net->first);
    if (!net->first)
        return im_fail_memory(err, "the network");
    memcpy(net->first, first, (outputs + 1) * sizeof *first);
    return IMSAT_OK;
}

imsat_status im_net_new(im_net *out, size_t dim, const size_t *hidden, size_t hidden_count,
                        size_t outputs, imsat_error *err)
{
    return im_net_new_forms(out, dim, hidden, NULL, hidden_count, outputs, err);
}

void im_net_clear(im_net *net)
{
    im_free(net->first);
    im_free(net->params);
    im_free(net->running);
    *net = (im_net){0};
}

/* Each chunk of a row is an item of its own to the generator. */
void im_net_draw(const im_layer *layer, double deviation, im_rng rng)
{
    enum { CHUNK = 256 };
    const size_t chunks = (layer->in + CHUNK - 1) / CHUNK;
    for (size_t u = 0; u < layer->out; u++)
        for (size_t j = 0; j < layer->in; j += CHUNK) {
            float normal[CHUNK];
            const size_t count = layer->in - j < CHUNK ? layer->in - j : CHUNK;
            im_rng_normals(normal, count, rng, (uint32_t)(u * chunks + j / CHUNK));
            for (size_t i = 0; i < count; i++)
                layer->w[u * layer->in + j + i] = (im_real)(deviation * normal[i]);
        }
}

void im_net_init(im_net *net, double scale_hidden, double scale_output, uint64_t seed)
{
    memset(net->params, 0, net->nparams * sizeof *net->params);
    memset(net->running, 0, net->nrunning * sizeof *net->running);
    set_ones(net);
    for (size_t l = 0; l < net->layers; l++) {
        const im_layer *layer = &net->layer[l];
        const double scale = layer->hidden ? scale_hidden : scale_output;
        const double deviation = scale / sqrt((double)layer->in);
        im_net_draw(layer, deviation, (im_rng){seed, IM_STREAM_INIT, (uint32_t)l, 0});
    }
}

imsat_status im_net_begin(im_net *out, const im_net *from, size_t layers, size_t outputs,
                          imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t width[IM_MAX_LAYERS];
    im_form form[IM_MAX_LAYERS];
    assert(layers > 0 && layers <= from->layers && from->nrunning == 0);
    for (size_t l = 0; l < layers; l++) {
        width[l] = from->layer[l].out;
        form[l] = from->layer[l].form;
    }
    IM_TRY(im_net_new_forms(out, from->dim, width, form, outputs ? layers : layers - 1,
                            outputs ? outputs : width[layers - 1], err));
    const im_layer *last = &out->layer[layers - 1];
    memcpy(out->params, from->params,
           (size_t)(last->bias + last->out - out->params) * sizeof *out->params);

cleanup:
    return st;
}

void im_net_copy(im_net *to, const im_net *from)
{
    assert(to->nparams == from->nparams && to->nrunning == from->nrunning);
    memcpy(to->params, from->params, from->nparams * sizeof *to->params);
    memcpy(to->running, from->running, from->nrunning * sizeof *to->running);
}

/* ---- numbers that must not be ------------------------------------------------ */

/* The largest subnormal number of float. All of them are zero while we compute (core/flush.h),
 * and then a negative one is not below 0; so it must not be when a network is saved or loaded.
 */
static const im_real SUBNORMAL = (im_real)0x0.fffffep-126;

/* Whether one of x (n) is below `least` or not finite. */
IM_CLONES static int any_faulty(const im_real *x, im_real least, size_t n)
{
    int found = 0;
    for (size_t i = 0; i < n; i++)
        found |= !(x[i] - x[i] == 0) | !(x[i] >= least);
    return found;
}

static bool look_in(im_net_fault *out, size_t layer, const char *name, const im_real *x,
                    bool positive, size_t n)
{
    const im_real least = positive ? -SUBNORMAL : (im_real)-INFINITY;
    if (!x || !any_faulty(x, least, n))
        return false;
    size_t i = 0;
    while (isfinite(x[i]) && x[i] >= least)
        i++;
    *out = (im_net_fault){.element = i, .value = x[i]};
    snprintf(out->tensor, sizeof out->tensor, "layer.%zu.%s", layer, name);
    return true;
}

size_t im_net_nonfinite(const im_real *x, size_t n)
{
    size_t i = any_faulty(x, (im_real)-INFINITY, n) ? 0 : n;
    while (i < n && isfinite(x[i]))
        i++;
    return i;
}

size_t im_net_layer_of(const im_net *net, size_t param)
{
    assert(param < net->nparams);
    size_t layer = net->layers - 1;
    while (net->params + param < net->layer[layer].w)
        layer--;
    return layer;
}

bool im_net_find_running_fault(im_net_fault *out, const im_net *net)
{
    for (size_t l = 0; l < net->layers; l++) {
        const im_layer *layer = &net->layer[l];
        if (look_in(out, l, "mean", layer->mean, false, layer->out) ||
            look_in(out, l, "var", layer->var, true, layer->out))
            return true;
    }
    return false;
}

bool im_net_find_fault(im_net_fault *out, const im_net *net)
{
    for (size_t l = 0; l < net->layers; l++) {
        const im_layer *layer = &net->layer[l];
        if (look_in(out, l, "weight", layer->w, false, layer->out * layer->in) ||
            look_in(out, l, "bias", layer->bias, false, layer->out) ||
            look_in(out, l, "gain", layer->gain, false, layer->out))
            return true;
    }
    return im_net_find_running_fault(out, net);
}
