/* SPDX-License-Identifier: MIT
 * See batch.h. */
#include "train/batch.h"

#include "core/rng.h"

#include <assert.h>

enum { ROWS_A_TASK = 16 };

void im_batch_lay_out(im_batch *b, im_carver *c, size_t dim)
{
    b->rows = im_carve(c, b->most, sizeof *b->rows);
    if (dim) {
        b->raw = im_carve(c, b->most * dim, sizeof *b->raw);
        b->augmented = im_carve(c, b->most * dim, sizeof *b->augmented);
    }
}

size_t im_batch_steps(const im_batch *b)
{
    return b->fresh ? b->total / b->most : (b->total + b->most - 1) / b->most;
}

typedef struct draw {
    im_batch *batch;
    im_rng rng;
    size_t first; /* of the permutation */
} draw;

static void draw_rows(void *context, size_t task, int thread)
{
    (void)thread;
    const draw *d = context;
    im_batch *b = d->batch;
    const size_t end = (task + 1) * ROWS_A_TASK < b->n ? (task + 1) * ROWS_A_TASK : b->n;
    for (size_t i = task * ROWS_A_TASK; i < end; i++)
        b->rows[i] = (size_t)im_rng_permute(d->first + i, b->total, d->rng);
}

void im_batch_draw(im_batch *b, uint64_t seed, size_t epoch, size_t step_of_epoch)
{
    const size_t steps = im_batch_steps(b);
    assert(step_of_epoch < steps);
    const size_t permutation = b->fresh ? epoch * steps + step_of_epoch : epoch;
    const size_t first = b->fresh ? 0 : b->total * step_of_epoch / steps;
    const size_t end = b->fresh ? b->most : b->total * (step_of_epoch + 1) / steps;
    draw d = {b, {seed, IM_STREAM_BATCH, (uint32_t)permutation, 0}, first};
    b->n = end - first;
    im_pool_run(b->pool, draw_rows, &d, (b->n + ROWS_A_TASK - 1) / ROWS_A_TASK);
}

void im_batch_take(im_batch *b, size_t first)
{
    assert(first < b->total);
    b->n = b->total - first < b->most ? b->total - first : b->most;
    for (size_t i = 0; i < b->n; i++)
        b->rows[i] = first + i;
}
