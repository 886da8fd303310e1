/* SPDX-License-Identifier: MIT
 *
 * One step of training, the same for PyTorch. The least arithmetic of a VAT step is 8F - 2F1:
 * F = 2 batch times all weights, F1 the first layer's share (docs/theory.md).
 */
#include "bench.h"

#include "train/trainer.h"

#include "core/alloc.h"

#include <stdio.h>

enum { ROWS = 5000, BATCH = 250 };

typedef struct stepping {
    im_trainer t;
    size_t step;
} stepping;

static void run_step(void *context)
{
    stepping *s = context;
    im_terms terms;
    im_batch_draw(&s->t, s->step / 20, s->step % 20);
    if (im_step_run(&s->t, (uint32_t)s->step, &terms, NULL) != IMSAT_OK)
        fprintf(stderr, "bench: a step failed\n");
    s->step++;
}

static double least_operations(const im_net *net)
{
    double all = 0;
    for (size_t l = 0; l < net->layers; l++)
        all += (double)net->layer[l].in * (double)net->layer[l].out;
    const double first = (double)net->layer[0].in * (double)net->layer[0].out;
    return 2.0 * BATCH * (8 * all - 2 * first);
}

static void bench_network(bench *b, const imsat_data *data, const float *radius, size_t hidden,
                          size_t outputs)
{
    imsat_options opt;
    im_preprocess pre = {0};
    stepping s = {.step = 0};
    double *prior = im_alloc(outputs, sizeof *prior);
    char name[64], arguments[128];
    imsat_options_init(&opt, hidden ? IMSAT_VAT : IMSAT_LINEAR_VAT, IMSAT_PRESET_REFERENCE);
    opt.k = outputs;
    opt.hidden[0] = opt.hidden[1] = hidden;
    opt = im_options_resolve(&opt, data);
    for (size_t j = 0; prior && j < outputs; j++)
        prior[j] = 1 / (double)outputs;
    if (prior && im_preprocess_fit(&pre, data, &opt, NULL) == IMSAT_OK &&
        im_trainer_new(&s.t, data, &pre, &opt, radius, prior, b->pool, NULL) == IMSAT_OK) {
        im_trainer_reset(&s.t, 1);
        const double seconds = bench_best(run_step, &s, hidden ? 60 : 300);
        if (hidden)
            snprintf(name, sizeof name, "step %zu-%zu-%zu-%zu", data->dim, hidden, hidden,
                     outputs);
        else
            snprintf(name, sizeof name, "step %zu-%zu", data->dim, outputs);
        bench_row *row = bench_add(b, name, seconds, least_operations(&s.t.net));
        snprintf(arguments, sizeof arguments, "step %zu %zu %zu %d", data->dim, hidden,
                 outputs, b->threads);
        bench_peer(b, row, "PyTorch", "torch_peer.py", arguments);
    }
    im_trainer_clear(&s.t);
    im_preprocess_clear(&pre);
    im_free(prior);
}

void bench_step(bench *b)
{
    enum { DIM = 784 };
    imsat_data *data = NULL;
    float *x = im_alloc((size_t)ROWS * DIM, sizeof *x),
          *radius = im_alloc(ROWS, sizeof *radius);
    for (size_t i = 0; x && radius && i < ROWS; i++) {
        im_rng_normals(x + i * DIM, DIM, (im_rng){1, IM_STREAM_INIT, 0, 0}, (uint32_t)i);
        radius[i] = 8;
    }
    if (x && radius && imsat_data_view(&data, x, ROWS, DIM, DIM, NULL) == IMSAT_OK) {
        bench_network(b, data, radius, 1200, 10);
        bench_network(b, data, radius, 400, 16);
        bench_network(b, data, radius, 0, 10);
    }
    imsat_data_free(data);
    im_free(x);
    im_free(radius);
}
