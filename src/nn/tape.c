/* SPDX-License-Identifier: MIT
 * Memory of the passes and the forward pass; see tape.h. */
#include "nn/tape.h"

#include "core/alloc.h"
#include "nn/blocks.h"

static size_t max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The largest right-hand side of any product: activations or gradients of all branches
 * (units x batch), or activations transposed (batch x units) for the weight gradient. */
static size_t packed_size(const im_net *net, size_t batch, size_t branches)
{
    size_t size = 0;
    for (size_t l = 0; l < net->layers; l++) {
        size = max_size(size, im_gemm_packed(net->layer[l].in, batch));
        size = max_size(size, im_gemm_packed(net->layer[l].out, batch));
        size = max_size(size, im_gemm_packed(batch, net->layer[l].in));
    }
    return size * branches;
}

/* One list, walked twice: to measure (base NULL) and to lay out. */
static size_t lay_out(im_tape *tape, void *base)
{
    const im_net *net = tape->net;
    const size_t threads = (size_t)im_pool_threads(tape->pool);
    im_carver c = {base, 0};
    for (size_t l = 0; l < net->layers; l++) {
        const im_layer *layer = &net->layer[l];
        tape->act[l] = im_carve(&c, layer->in * tape->ld, sizeof(im_real));
        tape->xhat[l] = im_carve(&c, layer->out * tape->ld, sizeof(im_real));
        tape->dz[l] = im_carve(&c, layer->out * tape->ld, sizeof(im_real));
        tape->inv[l] = im_carve(&c, layer->out * tape->branches, sizeof(im_real));
    }
    tape->dx = im_carve(&c, net->dim * tape->width, sizeof(im_real));
    tape->packed =
        im_carve(&c, packed_size(net, tape->batch, tape->branches), sizeof(im_real));
    tape->grad = im_carve(&c, net->nparams, sizeof(im_real));
    tape->scratch = im_carve(&c, threads, sizeof *tape->scratch);
    for (size_t i = 0; i < threads; i++) {
        im_real *scratch = im_carve(&c, IM_GEMM_SCRATCH, sizeof(im_real));
        if (base)
            tape->scratch[i] = scratch;
    }
    return c.used;
}

imsat_status im_tape_new(im_tape *out, const im_net *net, im_pool *pool,
                         const im_gemm_kernel *kernel, size_t batch, size_t branches,
                         imsat_error *err)
{
    im_tape tape = {
        .net = net, .pool = pool, .kernel = kernel, .batch = batch, .branches = branches};
    im_tape_set_rows(&tape, batch);
    tape.ld = branches * tape.width;
    if (tape.ld % 1024 == 0)
        tape.ld += 16; /* units 4 KiB apart would share cache sets */
    tape.memory = im_alloc(lay_out(&tape, NULL), 1);
    if (!tape.memory)
        return im_fail(err, IMSAT_ENOMEM,
                       "no memory for batches of %zu rows; lower the batch size", batch);
    lay_out(&tape, tape.memory);
    *out = tape;
    return IMSAT_OK;
}

void im_tape_set_rows(im_tape *tape, size_t n)
{
    tape->n = n;
    tape->width = im_gemm_panels(n) * IM_GEMM_NR;
}

void im_tape_clear(im_tape *tape)
{
    im_free(tape->memory);
    *tape = (im_tape){0};
}

typedef struct forward_pass {
    im_tape *tape;
    im_net *net;
    size_t l, branch;
    im_bn_mode mode;
} forward_pass;

/* Units first .. first + count of a hidden layer: product, normalization, ReLU. */
static void hidden_block(const forward_pass *f, size_t first, size_t count, im_real *scratch)
{
    im_tape *tape = f->tape;
    const im_layer *layer = &f->net->layer[f->l];
    const size_t ld = tape->ld, column = f->branch * tape->width;
    im_real *z = tape->xhat[f->l] + first * ld + column;
    im_gemm(tape->kernel, z, ld, layer->w + first * layer->in, layer->in, IM_NO, tape->packed,
            count, tape->n, layer->in, false, scratch);
    for (size_t u = first; u < first + count; u++) {
        const im_bn_unit unit = {layer->gain[u], layer->bias[u], layer->mean + u,
                                 layer->var + u};
        tape->inv[f->l][f->branch * layer->out + u] =
            im_batchnorm_forward(tape->act[f->l + 1] + u * ld + column,
                                 tape->xhat[f->l] + u * ld + column, unit, f->mode, tape->n);
    }
}

/* The last layer: product and bias. */
static void output_block(const forward_pass *f, size_t first, size_t count, im_real *scratch)
{
    im_tape *tape = f->tape;
    const im_layer *layer = &f->net->layer[f->l];
    im_real *z = im_tape_branch(tape, tape->xhat[f->l], f->branch);
    for (size_t u = first; u < first + count; u++)
        for (size_t i = 0; i < tape->n; i++)
            z[u * tape->ld + i] = layer->bias[u];
    im_gemm(tape->kernel, z + first * tape->ld, tape->ld, layer->w + first * layer->in,
            layer->in, IM_NO, tape->packed, count, tape->n, layer->in, true, scratch);
}

static void forward_block(void *context, size_t task, int thread)
{
    const forward_pass *f = context;
    const im_layer *layer = &f->net->layer[f->l];
    const size_t first = task * IM_UNIT_BLOCK;
    const size_t count = im_block_units(layer->out, task);
    im_real *scratch = f->tape->scratch[thread];
    if (layer->hidden)
        hidden_block(f, first, count, scratch);
    else
        output_block(f, first, count, scratch);
}

void im_tape_forward(im_tape *tape, im_net *net, size_t branch, im_bn_mode mode)
{
    forward_pass f = {tape, net, 0, branch, mode};
    tape->mode[branch] = mode;
    for (f.l = 0; f.l < net->layers; f.l++) {
        const im_layer *layer = &net->layer[f.l];
        im_pack_all(tape, im_tape_branch(tape, tape->act[f.l], branch), tape->ld, IM_NO,
                    layer->in, tape->n, 1);
        im_pool_run(tape->pool, forward_block, &f, im_block_count(layer->out));
    }
}
