/* SPDX-License-Identifier: MIT
 * See feed.h. */
#include "baseline/feed.h"

#include "core/alloc.h"

enum { STRIP = 16 }; /* rows that become columns together; a panel has whole ones */

static size_t lay_out(im_feed *feed, size_t threads, void *base)
{
    const size_t dim = feed->data->dim;
    im_carver c = {base, 0};
    im_batch_lay_out(&feed->batch, &c, 0);
    feed->scratch = im_carve(&c, threads, sizeof *feed->scratch);
    for (size_t i = 0; i < threads; i++) {
        const im_feed_row own = {im_carve(&c, dim, sizeof(float)),
                                 im_carve(&c, dim, sizeof(double))};
        if (base)
            feed->scratch[i] = own;
    }
    return c.used;
}

imsat_status im_feed_new(im_feed *out, const im_fit *fit, imsat_error *err)
{
    const size_t threads = (size_t)im_pool_threads(fit->pool);
    im_feed feed = {.data = fit->data,
                    .pre = fit->pre,
                    .factor = 1,
                    .batch = {.total = fit->data->rows,
                              .most = fit->opt->batch,
                              .fresh = fit->opt->fresh_batches != 0,
                              .pool = fit->pool}};
    feed.memory = im_alloc(lay_out(&feed, threads, NULL), 1);
    if (!feed.memory)
        return im_fail_memory(err, "the mini-batches; lower the batch size");
    lay_out(&feed, threads, feed.memory);
    *out = feed;
    return IMSAT_OK;
}

void im_feed_clear(im_feed *feed)
{
    im_free(feed->memory);
    *feed = (im_feed){0};
}

typedef struct fill {
    const im_feed *feed;
    im_tape *tape;
} fill;

static void move(float *row, const im_feed *feed)
{
    for (size_t j = 0; j < feed->data->dim; j++)
        row[j] = (float)((row[j] - feed->origin[j]) * feed->factor);
}

static void fill_strip(void *context, size_t task, int thread)
{
    const fill *f = context;
    const im_batch *batch = &f->feed->batch;
    const im_feed_row *own = &f->feed->scratch[thread];
    const size_t first = task * STRIP;
    const size_t count = batch->n - first < STRIP ? batch->n - first : STRIP;
    for (size_t i = first; i < first + count; i++) {
        if (i + 1 < first + count)
            im_data_prefetch(f->feed->data, batch->rows[i + 1]);
        im_preprocess_read(own->row, f->feed->data, batch->rows[i], f->feed->pre, own->work);
        if (f->feed->origin)
            move(own->row, f->feed);
        im_tape_put_row(f->tape, 0, i, own->row);
    }
    im_tape_rows_to_columns(f->tape, 0, first, count);
}

static void put(im_feed *feed, im_tape *tape)
{
    fill f = {feed, tape};
    im_tape_set_rows(tape, feed->batch.n);
    im_pool_run(tape->pool, fill_strip, &f, (feed->batch.n + STRIP - 1) / STRIP);
}

void im_feed_draw(im_feed *feed, im_tape *tape, uint64_t seed, size_t step)
{
    const size_t steps = im_batch_steps(&feed->batch);
    im_batch_draw(&feed->batch, seed, step / steps, step % steps);
    put(feed, tape);
}

void im_feed_take(im_feed *feed, im_tape *tape, size_t first)
{
    im_batch_take(&feed->batch, first);
    put(feed, tape);
}

imsat_status im_feed_embed(float *codes, im_feed *feed, im_tape *tape, im_net *net,
                           const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t rows = feed->data->rows, dim = net->outputs;
    for (size_t first = 0; first < rows; first += tape->n) {
        im_feed_take(feed, tape, first);
        im_tape_forward(tape, net, 0, IM_BN_INFER);
        for (size_t i = 0; i < tape->n; i++)
            for (size_t u = 0; u < dim; u++)
                codes[(first + i) * dim + u] =
                    (float)tape->xhat[net->layers - 1][u * tape->ld + i];
        IM_TRY(im_stage_report(stage, (double)(first + tape->n) / (double)rows, err));
    }

cleanup:
    return st;
}
