/* SPDX-License-Identifier: MIT
 * Memory and stages; see autoencoder.h. */
#include "baseline/autoencoder.h"

#include "core/alloc.h"

#include <string.h>

/* ---- shape and memory --------------------------------------------------------------------
 */

/* Widths and forms of the 2L - 1 hidden layers. */
static void describe(size_t *width, im_form *form, const imsat_options *o)
{
    const size_t hidden = o->hidden_count;
    for (size_t l = 0; l < hidden; l++)
        width[l] = width[2 * hidden - l] = o->hidden[l];
    width[hidden] = o->code;
    for (size_t l = 0; l < 2 * hidden + 1; l++)
        form[l] = l == hidden ? IM_FORM_LINEAR : IM_FORM_RELU;
}

static size_t widest(const im_net *net)
{
    size_t width = net->dim;
    for (size_t l = 0; l < net->layers; l++)
        width = net->layer[l].out > width ? net->layer[l].out : width;
    return width;
}

static size_t lay_out(im_autoencoder *ae, void *base)
{
    const size_t threads = (size_t)im_pool_threads(ae->fit->pool);
    im_carver c = {base, 0};
    ae->loss = im_carve(&c, widest(&ae->whole), sizeof *ae->loss);
    ae->row = im_carve(&c, threads, sizeof *ae->row);
    for (size_t i = 0; i < threads; i++) {
        im_real *row = im_carve(&c, ae->fit->opt->batch, sizeof **ae->row);
        if (base)
            ae->row[i] = row;
    }
    return c.used;
}

imsat_status im_autoencoder_new(im_autoencoder *ae, im_fit *fit, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = fit->opt;
    size_t width[IM_MAX_LAYERS];
    im_form form[IM_MAX_LAYERS];
    *ae = (im_autoencoder){.fit = fit, .layers = o->hidden_count + 1};
    describe(width, form, o);
    IM_TRY(im_net_new_forms(&ae->whole, fit->data->dim, width, form, 2 * ae->layers - 1,
                            fit->data->dim, err));
    ae->memory = im_alloc(lay_out(ae, NULL), 1);
    if (!ae->memory) {
        st = im_fail_memory(err, "the auto-encoder");
        goto cleanup;
    }
    lay_out(ae, ae->memory);
    IM_TRY(im_feed_new(&ae->feed, fit, err));
    ae->steps = o->epochs * im_batch_steps(&ae->feed.batch);
    IM_TRY(im_tape_new(&ae->tape, &ae->whole, fit->pool,
                       im_gemm_select(o->reference_kernels != 0), o->batch, 1, err));

cleanup:
    if (st != IMSAT_OK)
        im_autoencoder_clear(ae);
    return st;
}

void im_autoencoder_clear(im_autoencoder *ae)
{
    im_tape_clear(&ae->small);
    im_tape_clear(&ae->tape);
    im_net_clear(&ae->pair);
    im_net_clear(&ae->whole);
    im_sgd_clear(&ae->sgd);
    im_feed_clear(&ae->feed);
    im_free(ae->memory);
    *ae = (im_autoencoder){0};
}

/* ---- stages ------------------------------------------------------------------------------
 */

size_t im_autoencoder_stage_steps(const im_autoencoder *ae, size_t stage)
{
    return stage < ae->layers ? (ae->steps + 1) / 2 : ae->steps;
}

size_t im_autoencoder_all_steps(const im_autoencoder *ae)
{
    return ae->layers * im_autoencoder_stage_steps(ae, 0) + ae->steps;
}

size_t im_autoencoder_done(const im_autoencoder *ae)
{
    return ae->stage * im_autoencoder_stage_steps(ae, 0) + ae->step;
}

static imsat_status open_pair(im_autoencoder *ae, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_layer *layer = &ae->whole.layer[ae->stage];
    const imsat_options *o = ae->fit->opt;
    IM_TRY(
        im_net_new_forms(&ae->pair, layer->in, &layer->out, &layer->form, 1, layer->in, err));
    for (size_t l = 0; l < 2; l++)
        im_net_draw(
            &ae->pair.layer[l], IM_AUTOENCODER_DEVIATION,
            (im_rng){ae->fit->opt->seed, IM_STREAM_INIT, (uint32_t)(2 * ae->stage + l), 0});
    IM_TRY(im_tape_new(&ae->small, &ae->pair, ae->fit->pool,
                       im_gemm_select(o->reference_kernels != 0), o->batch, 1, err));

cleanup:
    return st;
}

imsat_status im_autoencoder_open_stage(im_autoencoder *ae, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const bool pair = ae->stage < ae->layers;
    if (pair)
        IM_TRY(open_pair(ae, err));
    IM_TRY(im_sgd_new(&ae->sgd, pair ? ae->pair.nparams : ae->whole.nparams, err));

cleanup:
    return st;
}

static void copy_layer(const im_layer *to, const im_layer *from)
{
    memcpy(to->w, from->w, to->in * to->out * sizeof *to->w);
    memcpy(to->bias, from->bias, to->out * sizeof *to->bias);
}

static void leave_stage(im_autoencoder *ae)
{
    im_tape_clear(&ae->small);
    im_net_clear(&ae->pair);
    im_sgd_clear(&ae->sgd);
    ae->step = 0;
}

void im_autoencoder_close_stage(im_autoencoder *ae)
{
    if (ae->stage < ae->layers) {
        copy_layer(&ae->whole.layer[ae->stage], &ae->pair.layer[0]);
        copy_layer(&ae->whole.layer[2 * ae->layers - 1 - ae->stage], &ae->pair.layer[1]);
    }
    leave_stage(ae);
    ae->stage++;
}

void im_autoencoder_begin_again(im_autoencoder *ae)
{
    leave_stage(ae);
    ae->stage = 0;
    ae->sum = ae->first = 0;
    ae->halvings++;
}
