/* SPDX-License-Identifier: MIT
 * First weights and the step; see deep_hash.h. */
#include "baseline/deep_hash.h"

#include "baseline/whole.h"
#include "core/alloc.h"
#include "linear/principal.h"
#include "objective/quantization.h"

#include <math.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------------
 */

static size_t lay_out(im_deep_hash *h, void *base)
{
    const size_t threads = (size_t)im_pool_threads(h->fit->pool);
    size_t units = 0, widest = 0;
    im_carver c = {base, 0};
    for (size_t l = 0; l < h->net.layers; l++) {
        units += h->net.layer[l].out;
        widest = h->net.layer[l].in > widest ? h->net.layer[l].in : widest;
    }
    h->share = im_carve(&c, units, sizeof *h->share);
    h->origin = im_carve(&c, h->net.dim, sizeof *h->origin);
    h->work = im_carve(&c, threads, sizeof *h->work);
    for (size_t i = 0; i < threads; i++) {
        double *work = im_carve(&c, widest, sizeof *work);
        if (base)
            h->work[i] = work;
    }
    return c.used;
}

void im_deep_hash_clear(im_deep_hash *h)
{
    im_tape_clear(&h->tape);
    im_net_clear(&h->net);
    im_sgd_clear(&h->sgd);
    im_feed_clear(&h->feed);
    im_free(h->memory);
    *h = (im_deep_hash){0};
}

/* ---- first weights -----------------------------------------------------------------------
 */

/* The components as the first layer, of rows as the feed gives them: from their mean, and
 * scaled. Where there are more units than components, the others are random. */
static void set_first(im_deep_hash *h, const im_frame *frame, const im_principal *found)
{
    const im_layer *layer = &h->net.layer[0];
    const size_t d = found->d;
    const double deviation = sqrt(found->variance[0]) / frame->factor;
    for (size_t j = 0; j < d; j++)
        h->origin[j] = frame->center[j] + found->mean[j] / frame->factor;
    h->feed.origin = h->origin;
    h->feed.factor = deviation > 0 ? IM_DEEP_HASH_REACH / deviation : 1;
    im_net_draw(layer, 1 / sqrt((double)d), (im_rng){h->fit->seed, IM_STREAM_INIT, 0, 0});
    for (size_t i = 0; i < found->m * d; i++)
        layer->w[i] = (im_real)found->directions[i];
}

/* The identity, as far as it goes; units beyond their inputs are random. */
static void set_others(im_deep_hash *h)
{
    for (size_t l = 1; l < h->net.layers; l++) {
        const im_layer *layer = &h->net.layer[l];
        im_net_draw(layer, 1 / sqrt((double)layer->in),
                    (im_rng){h->fit->seed, IM_STREAM_INIT, (uint32_t)l, 0});
        for (size_t u = 0; u < layer->out && u < layer->in; u++)
            for (size_t j = 0; j < layer->in; j++)
                layer->w[u * layer->in + j] = u == j;
    }
}

static imsat_status set_weights(im_deep_hash *h, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_frame frame = {0};
    im_principal found = {0};
    const size_t d = h->net.dim, wanted = h->net.layer[0].out;
    IM_TRY(im_whole_frame(&frame, h->fit, stage, err));
    IM_TRY(
        im_principal_fit(&found, &frame, wanted < d ? wanted : d, h->fit->pool, stage, err));
    set_first(h, &frame, &found);
    set_others(h);

cleanup:
    im_principal_clear(&found);
    im_frame_clear(&frame);
    return st;
}

imsat_status im_deep_hash_new(im_deep_hash *h, im_fit *fit, const im_stage *stage,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = fit->opt;
    im_form forms[IMSAT_MAX_HIDDEN];
    for (size_t l = 0; l < o->hidden_count; l++)
        forms[l] = IM_FORM_TANH;
    *h = (im_deep_hash){.fit = fit};
    IM_TRY(im_net_new_forms(&h->net, fit->data->dim, o->hidden, forms, o->hidden_count,
                            o->bits, err));
    h->net.sigmoid = true;
    h->memory = im_alloc(lay_out(h, NULL), 1);
    if (!h->memory) {
        st = im_fail_memory(err, "the network");
        goto cleanup;
    }
    lay_out(h, h->memory);
    IM_TRY(im_feed_new(&h->feed, fit, err));
    IM_TRY(im_sgd_new(&h->sgd, h->net.nparams, err));
    IM_TRY(im_tape_new(&h->tape, &h->net, fit->pool, im_gemm_select(o->reference_kernels != 0),
                       o->batch, 1, err));
    IM_TRY(set_weights(h, stage, err));
    h->sgd.rate = o->step_size;
    h->sgd.momentum = IM_DEEP_HASH_MOMENTUM;

cleanup:
    if (st != IMSAT_OK)
        im_deep_hash_clear(h);
    return st;
}

/* ---- a step ------------------------------------------------------------------------------
 */

/* From the number of a unit among all layers to its layer and its number there. */
static const im_layer *find_unit(const im_net *net, size_t *unit)
{
    const im_layer *layer = net->layer;
    for (; *unit >= layer->out; layer++)
        *unit -= layer->out;
    return layer;
}

/* Independence and decay of one unit: their gradient, and what J has of them. */
static void regularize(void *context, size_t task, int thread)
{
    im_deep_hash *h = context;
    size_t u = task;
    const im_layer *layer = find_unit(&h->net, &u);
    const double batch = (double)h->fit->opt->batch, decay = IM_QUANTIZATION_DECAY / batch;
    im_real *dw = h->tape.grad + (layer->w - h->net.params) + u * layer->in;
    const im_real *w = layer->w + u * layer->in;
    im_real *dbias = h->tape.grad + (layer->bias - h->net.params) + u;
    double sum = (double)layer->bias[u] * (double)layer->bias[u];
    for (size_t j = 0; j < layer->in; j++) {
        dw[j] += (im_real)(decay * (double)w[j]);
        sum += (double)w[j] * (double)w[j];
    }
    *dbias += (im_real)(decay * (double)layer->bias[u]);
    h->share[task] =
        decay / 2 * sum + im_orthonormal_row(dw, h->work[thread], layer->w, layer->out,
                                             layer->in, u, IM_QUANTIZATION_INDEPENDENCE);
}

/* Adds to the gradient in the tape; returns the terms. */
static double regularize_all(im_deep_hash *h)
{
    size_t units = 0;
    double sum = 0;
    for (size_t l = 0; l < h->net.layers; l++)
        units += h->net.layer[l].out;
    im_pool_run(h->fit->pool, regularize, h, units);
    for (size_t u = 0; u < units; u++)
        sum += h->share[u];
    return sum;
}

/* Quantization and balance of the batch that went forward; fills dz of the last layer. */
static double quantize(im_deep_hash *h)
{
    const im_tape *tape = &h->tape;
    const size_t last = h->net.layers - 1;
    const double balance = IM_QUANTIZATION_BALANCE / (double)h->fit->opt->batch;
    double sum = 0;
    for (size_t u = 0; u < h->net.outputs; u++)
        sum += im_quantization_unit(tape->dz[last] + u * tape->ld,
                                    tape->xhat[last] + u * tape->ld, balance, tape->n);
    return sum;
}

double im_deep_hash_grad(im_deep_hash *h, size_t step)
{
    im_feed_draw(&h->feed, &h->tape, h->fit->seed, step);
    im_tape_forward(&h->tape, &h->net, 0, IM_BN_INFER);
    const double loss = quantize(h);
    im_tape_backward(&h->tape, &h->net, NULL, 0);
    return loss + regularize_all(h);
}

double im_deep_hash_step(im_deep_hash *h)
{
    const double loss = im_deep_hash_grad(h, h->step);
    im_sgd_update(&h->sgd, h->net.params, h->tape.grad, 0, h->net.nparams);
    h->step++;
    return loss;
}

imsat_status im_deep_hash_assess(double *out, im_deep_hash *h, const im_stage *stage,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t rows = h->fit->data->rows;
    double sum = 0;
    for (size_t first = 0; first < rows; first += h->tape.n) {
        im_feed_take(&h->feed, &h->tape, first);
        im_tape_forward(&h->tape, &h->net, 0, IM_BN_INFER);
        sum += quantize(h) * (double)h->tape.n;
        IM_TRY(im_stage_report(stage, (double)(first + h->tape.n) / (double)rows, err));
    }
    *out = sum / (double)rows + regularize_all(h);

cleanup:
    return st;
}

size_t im_deep_hash_steps(const im_deep_hash *h)
{
    return h->fit->opt->epochs * im_batch_steps(&h->feed.batch);
}

/* W ((x - origin) factor) + c = (W factor) x + c - (W factor) origin */
void im_deep_hash_leave(im_deep_hash *h)
{
    const im_layer *first = &h->net.layer[0];
    for (size_t u = 0; u < first->out; u++) {
        double bias = first->bias[u];
        for (size_t j = 0; j < first->in; j++) {
            im_real *w = first->w + u * first->in + j;
            *w = (im_real)((double)*w * h->feed.factor);
            bias -= (double)*w * h->origin[j];
        }
        first->bias[u] = (im_real)bias;
    }
    h->fit->net = h->net;
    h->net = (im_net){0};
}
