/* SPDX-License-Identifier: MIT
 *
 * Which rows a step sees. Both rules draw from a random permutation that is computed, not
 * stored (im_rng_permute), so any step of any epoch can be drawn at once and a resumed run
 * needs no memory of what came before.
 *
 *     by epoch   a permutation per epoch, cut into ceil(n / B) batches whose sizes differ by
 *                at most one: every row exactly once, and no small rest to normalize over
 *     afresh     a permutation per step, its first B rows; floor(n / B) steps an epoch (the
 *                authors' code)
 */
#include "train/trainer.h"

size_t im_batch_steps(const imsat_options *opt, size_t rows)
{
    return opt->fresh_batches ? rows / opt->batch : (rows + opt->batch - 1) / opt->batch;
}

typedef struct draw {
    im_trainer *t;
    im_rng rng;
    size_t first; /* of the permutation */
} draw;

static void draw_strip(void *context, size_t task, int thread)
{
    (void)thread;
    const draw *d = context;
    const size_t end = (task + 1) * IM_STRIP < d->t->n ? (task + 1) * IM_STRIP : d->t->n;
    for (size_t i = task * IM_STRIP; i < end; i++)
        d->t->rows[i] = (size_t)im_rng_permute(d->first + i, d->t->data->rows, d->rng);
}

void im_batch_draw(im_trainer *t, size_t epoch, size_t step_of_epoch)
{
    const size_t rows = t->data->rows, steps = im_batch_steps(t->opt, rows);
    const bool fresh = t->opt->fresh_batches != 0;
    const size_t permutation = fresh ? epoch * steps + step_of_epoch : epoch;
    const size_t first = fresh ? 0 : rows * step_of_epoch / steps;
    const size_t end = fresh ? t->opt->batch : rows * (step_of_epoch + 1) / steps;
    draw d = {t, {t->seed, IM_STREAM_BATCH, (uint32_t)permutation, 0}, first};
    t->n = end - first;
    im_pool_run(t->pool, draw_strip, &d, (t->n + IM_STRIP - 1) / IM_STRIP);
}
