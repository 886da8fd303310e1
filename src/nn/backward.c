/* SPDX-License-Identifier: MIT
 *
 * Backward passes; see tape.h. For each layer from the last to the first:
 *
 *     da = W^T dz,   dz' = normalization and ReLU backward       (units of the layer below)
 *     dW = sum over branches of dz a^T,   then Adam              (units of this layer)
 *
 * in this order, because Adam may only change W once da has been computed with the old one.
 */
#include "nn/blocks.h"
#include "nn/tape.h"

#include <string.h>

typedef struct backward_pass {
    im_tape *tape;
    im_net *net;
    const im_adam *adam;
    double decay;
    size_t l;                /* the layer whose dz is known */
    size_t branch, branches; /* which branches take part */
} backward_pass;

/* dz of a block of units of layer l - 1, of every branch; their gains' and biases' gradients.
 */
static void below_block(void *context, size_t task, int thread)
{
    const backward_pass *b = context;
    im_tape *tape = b->tape;
    const im_layer *above = &tape->net->layer[b->l], *layer = above - 1;
    const size_t first = task * IM_UNIT_BLOCK, count = im_block_units(layer->out, task);
    im_real *dz = tape->dz[b->l - 1];
    im_bn_grad total[IM_UNIT_BLOCK] = {{0, 0}};

    /* The panels of all branches follow each other, so one product serves them all; what it
     * writes between them, beyond a branch's n columns, is never read. */
    im_gemm(tape->kernel, dz + first * tape->ld + b->branch * tape->width, tape->ld,
            above->w + first, above->in, IM_TRANS, tape->packed, count,
            (b->branches - 1) * tape->width + tape->n, above->out, false,
            tape->scratch[thread]);
    for (size_t r = b->branch; r < b->branch + b->branches; r++) {
        const size_t column = r * tape->width;
        for (size_t i = 0; i < count; i++) {
            const size_t u = first + i, at = u * tape->ld + column;
            const im_bn_grad g = im_batchnorm_backward(
                dz + at, tape->act[b->l] + at, tape->xhat[b->l - 1] + at, layer->gain[u],
                tape->inv[b->l - 1][r * layer->out + u], tape->mode[r], tape->n);
            total[i].gain += g.gain;
            total[i].bias += g.bias;
        }
    }
    im_real *grad = tape->grad;
    for (size_t i = 0; i < count; i++) {
        grad[layer->gain - tape->net->params + (ptrdiff_t)(first + i)] =
            (im_real)total[i].gain;
        grad[layer->bias - tape->net->params + (ptrdiff_t)(first + i)] =
            (im_real)total[i].bias;
    }
}

static void descend(backward_pass *b)
{
    im_tape *tape = b->tape;
    const im_layer *layer = &tape->net->layer[b->l];
    im_pack_all(tape, im_tape_branch(tape, tape->dz[b->l], b->branch), tape->ld, IM_NO,
                layer->out, tape->n, b->branches);
    im_pool_run(tape->pool, below_block, b, im_block_count(layer->in));
}

/* The last layer's bias has no normalization below it to compute its gradient. */
static void output_bias(im_tape *tape)
{
    const im_layer *layer = &tape->net->layer[tape->net->layers - 1];
    im_real *grad = tape->grad + (layer->bias - tape->net->params);
    for (size_t u = 0; u < layer->out; u++) {
        double sum = 0;
        for (size_t r = 0; r < tape->branches; r++)
            for (size_t i = 0; i < tape->n; i++)
                sum += tape->dz[tape->net->layers - 1][u * tape->ld + r * tape->width + i];
        grad[u] = (im_real)sum;
    }
}

static void update_range(const backward_pass *b, im_real *from, size_t count)
{
    const size_t first = (size_t)(from - b->net->params);
    im_adam_update(b->adam, b->net->params, b->tape->grad + first, first, count);
}

/* dW of a block of units, and Adam on all of the block's parameters. */
static void weights_block(void *context, size_t task, int thread)
{
    const backward_pass *b = context;
    im_tape *tape = b->tape;
    const im_layer *layer = &b->net->layer[b->l];
    const size_t first = task * IM_UNIT_BLOCK, count = im_block_units(layer->out, task);
    im_real *w = layer->w + first * layer->in;
    im_real *dw = tape->grad + (w - b->net->params);
    for (size_t r = 0; r < tape->branches; r++)
        im_gemm(tape->kernel, dw, layer->in,
                tape->dz[b->l] + first * tape->ld + r * tape->width, tape->ld, IM_NO,
                tape->packed + r * im_gemm_packed(tape->n, layer->in), count, layer->in,
                tape->n, r > 0, tape->scratch[thread]);
    const im_real decay = (im_real)b->decay;
    if (b->decay > 0)
        for (size_t i = 0; i < count * layer->in; i++)
            dw[i] += decay * w[i];
    if (!b->adam)
        return;
    update_range(b, w, count * layer->in);
    update_range(b, layer->bias + first, count);
    if (layer->gain)
        update_range(b, layer->gain + first, count);
}

void im_tape_backward(im_tape *tape, im_net *net, im_adam *adam, double decay)
{
    backward_pass b = {tape, net, adam, decay, 0, 0, tape->branches};
    if (adam)
        im_adam_begin(adam);
    output_bias(tape);
    for (b.l = net->layers; b.l-- > 0;) {
        const im_layer *layer = &net->layer[b.l];
        if (b.l > 0)
            descend(&b);
        im_pack_all(tape, tape->act[b.l], tape->ld, IM_TRANS, tape->n, layer->in,
                    tape->branches);
        im_pool_run(tape->pool, weights_block, &b, im_block_count(layer->out));
    }
}

static void input_block(void *context, size_t task, int thread)
{
    const backward_pass *b = context;
    im_tape *tape = b->tape;
    const im_layer *layer = &tape->net->layer[0];
    const size_t first = task * IM_UNIT_BLOCK;
    im_gemm(tape->kernel, tape->dx + first * tape->width, tape->width, layer->w + first,
            layer->in, IM_TRANS, tape->packed, im_block_units(layer->in, task), tape->n,
            layer->out, false, tape->scratch[thread]);
}

void im_tape_backward_input(im_tape *tape, size_t branch)
{
    backward_pass b = {.tape = tape, .branch = branch, .branches = 1};
    for (b.l = tape->net->layers - 1; b.l > 0; b.l--)
        descend(&b);
    im_pack_all(tape, im_tape_branch(tape, tape->dz[0], branch), tape->ld, IM_NO,
                tape->net->layer[0].out, tape->n, 1);
    im_pool_run(tape->pool, input_block, &b, im_block_count(tape->net->dim));
}
