/* SPDX-License-Identifier: MIT
 * One step of an auto-encoder; see autoencoder.h. */
#include "baseline/autoencoder.h"

#include "nn/blocks.h"
#include "objective/reconstruction.h"

/* What is restored: a packed array (units,n), by the last layer of a tape. */
typedef struct comparison {
    im_autoencoder *ae;
    im_tape *tape;
    const im_real *target;
    size_t units;
    bool rectified;
} comparison;

static void compare_block(void *context, size_t task, int thread)
{
    const comparison *c = context;
    const im_tape *tape = c->tape;
    const size_t last = tape->net->layers - 1;
    const im_units block = im_blocks_at(c->units, tape->parts, task);
    im_real *x = c->ae->row[thread];
    for (size_t u = block.first; u < block.first + block.count; u++) {
        im_gemm_get_row(x, c->target, c->units, tape->n, u);
        c->ae->loss[u] = im_reconstruction_unit(tape->dz[last] + u * tape->ld,
                                                tape->xhat[last] + u * tape->ld, x,
                                                c->rectified, tape->n, c->units);
    }
}

/* Fills dz of the last layer; returns the loss. */
static double compare(comparison *c)
{
    double loss = 0;
    im_pool_run(c->tape->pool, compare_block, c, im_blocks_count(c->units, c->tape->parts));
    for (size_t u = 0; u < c->units; u++)
        loss += c->ae->loss[u];
    return loss;
}

/* ---- a pair of layers ---------------------------------------------------------- */

/* What a pair is given: the outputs of the layers before it, and what is dropped of them. */
typedef struct handover {
    im_autoencoder *ae;
    const im_real *from; /* (units,n) packed */
    size_t units;
    im_dropout dropout;
} handover;

static void hand_over_block(void *context, size_t task, int thread)
{
    const handover *h = context;
    const im_tape *to = &h->ae->small;
    const im_units block = im_blocks_at(h->units, to->parts, task);
    im_real *row = h->ae->row[thread];
    for (size_t u = block.first; u < block.first + block.count; u++) {
        im_gemm_get_row(row, h->from, h->units, to->n, u);
        if (h->dropout.rate > 0)
            im_dropout_apply(row, NULL, &h->dropout, (uint32_t)u, to->n);
        im_gemm_put_row(to->act[0], h->units, to->n, u, row);
    }
}

static void turn_strip(void *context, size_t task, int thread)
{
    (void)thread;
    const handover *h = context;
    const size_t first = task * IM_GEMM_NR, left = h->ae->small.n - first;
    im_tape_columns_to_rows(&h->ae->small, 0, first, left < IM_GEMM_NR ? left : IM_GEMM_NR);
}

/* The numbers of the dropout of a step: those of a layer's inputs are apart from those of its
 * outputs, which the tape draws as layer 0. */
static im_dropout dropout_of(const im_autoencoder *ae, size_t drawn)
{
    const imsat_options *o = ae->fit->opt;
    return (im_dropout){o->dropout, {o->seed, IM_STREAM_DROPOUT, (uint32_t)drawn, 0}};
}

/* The authors' code leaves the data as it is; the paper's text drops of it, too. */
static bool keeps_input(const im_autoencoder *ae)
{
    return ae->stage == 0 && ae->fit->opt->preset != IMSAT_PRESET_PAPER;
}

static void hand_over(im_autoencoder *ae, size_t drawn)
{
    handover h = {ae, ae->tape.act[ae->stage], ae->pair.dim, dropout_of(ae, drawn)};
    h.dropout.rng.branch = 1;
    if (keeps_input(ae))
        h.dropout.rate = 0;
    im_tape_set_rows(&ae->small, ae->tape.n);
    im_pool_run(ae->small.pool, hand_over_block, &h,
                im_blocks_count(h.units, ae->small.parts));
    im_pool_run(ae->small.pool, turn_strip, &h, im_gemm_panels(ae->small.n));
}

static double step_pair(im_autoencoder *ae, size_t drawn, bool apply)
{
    comparison c = {ae, &ae->small, ae->tape.act[ae->stage], ae->pair.dim, ae->stage > 0};
    im_tape_forward_to(&ae->tape, &ae->whole, 0, IM_BN_INFER, ae->stage);
    hand_over(ae, drawn);
    ae->small.dropout = dropout_of(ae, drawn);
    if (ae->stage + 1 == ae->layers)
        ae->small.dropout.rate = 0;
    im_tape_forward(&ae->small, &ae->pair, 0, IM_BN_INFER);
    const double loss = compare(&c);
    if (apply)
        im_tape_backward_sgd(&ae->small, &ae->pair, &ae->sgd);
    else
        im_tape_backward(&ae->small, &ae->pair, NULL, 0);
    return loss;
}

/* ---- all layers ---------------------------------------------------------------- */

static double step_whole(im_autoencoder *ae, bool apply)
{
    comparison c = {ae, &ae->tape, ae->tape.act[0], ae->whole.dim, false};
    im_tape_forward(&ae->tape, &ae->whole, 0, IM_BN_INFER);
    const double loss = compare(&c);
    if (apply)
        im_tape_backward_sgd(&ae->tape, &ae->whole, &ae->sgd);
    else
        im_tape_backward(&ae->tape, &ae->whole, NULL, 0);
    return loss;
}

double im_autoencoder_step(im_autoencoder *ae, size_t drawn, bool apply)
{
    im_feed_draw(&ae->feed, &ae->tape, ae->fit->opt->seed, drawn);
    return ae->stage < ae->layers ? step_pair(ae, drawn, apply) : step_whole(ae, apply);
}
