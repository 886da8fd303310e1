/* SPDX-License-Identifier: MIT
 *
 * One step of training, of clusters and of hash codes, the same for PyTorch: as it is usually
 * written, and lean, with the clean pass shared (bench/peers/torch_peer.py). A time is the
 * mean over a run of steps, which is what training takes. The least arithmetic of a VAT step
 * is 8F - 2F1: F = 2 batch times all weights, F1 the first layer's share; bits need 4 batch
 * bits^2 more for their pairs (docs/theory.md).
 */
#include "account.h"
#include "bench.h"

#include "model/check.h"
#include "train/step.h"

#include "core/alloc.h"

#include <stdio.h>

enum { ROWS = 5000, BATCH = 250, WARM = 10 };

typedef struct stepping {
    im_trainer t;
    size_t step;
    int count; /* steps of a run */
} stepping;

static void run_step(void *context)
{
    stepping *s = context;
    im_terms terms;
    im_batch_draw(&s->t.batch, s->t.seed, s->step / 20, s->step % 20);
    if (im_step_run(&s->t, (uint32_t)s->step, &terms, NULL, NULL) != IMSAT_OK)
        fprintf(stderr, "bench: a step failed\n");
    s->step++;
}

static void run_steps(void *context)
{
    for (int i = 0; i < ((stepping *)context)->count; i++)
        run_step(context);
}

static double least_operations(const im_net *net)
{
    const double bits = net->sigmoid ? (double)net->outputs : 0;
    double all = 0;
    for (size_t l = 0; l < net->layers; l++)
        all += (double)net->layer[l].in * (double)net->layer[l].out;
    const double first = (double)net->layer[0].in * (double)net->layer[0].out;
    return 2.0 * BATCH * (8 * all - 2 * first + 2 * bits * bits);
}

static imsat_options choose(imsat_task task, size_t hidden, size_t outputs)
{
    imsat_options opt;
    const char *method = hidden ? "imsat-vat" : "linear-imsat-vat";
    if (task == IMSAT_TASK_HASH)
        imsat_options_init_hash(&opt, method, IMSAT_PRESET_REFERENCE);
    else
        imsat_options_init(&opt, method, IMSAT_PRESET_REFERENCE);
    *(task == IMSAT_TASK_HASH ? &opt.bits : &opt.k) = outputs;
    opt.hidden[0] = opt.hidden[1] = hidden;
    return opt;
}

static void name_step(char *name, size_t size, const im_trainer *t)
{
    const im_net *net = &t->net;
    if (net->layers > 1)
        snprintf(name, size, "%sstep %zu-%zu-%zu-%zu", net->sigmoid ? "hash " : "", net->dim,
                 net->layer[0].out, net->layer[1].out, net->outputs);
    else
        snprintf(name, size, "step %zu-%zu", net->dim, net->outputs);
}

/* A run of our steps, then of PyTorch's, as usually written and lean. The first steps of a run
 * are not timed on either side. */
static void take_turn(bench *b, stepping *s, bench_row *rows[2])
{
    const im_net *net = &s->t.net;
    const size_t hidden = net->layers > 1 ? net->layer[0].out : 0;
    s->count = WARM;
    run_steps(s);
    s->count = hidden ? 100 : 1000;
    const double seconds = bench_best(run_steps, s, 1) / s->count;
    char name[64], arguments[128];
    name_step(name, sizeof name, &s->t);
    for (int lean = 0; lean < 2; lean++) {
        if (!rows[lean])
            rows[lean] = bench_add(b, name, seconds, least_operations(net));
        bench_again(rows[lean], seconds);
        snprintf(arguments, sizeof arguments, "%s%s %zu %zu %zu %d %d",
                 net->sigmoid ? "hash" : "step", lean ? "-lean" : "", net->dim, hidden,
                 net->outputs, WARM, s->count);
        bench_peer(b, rows[lean], lean ? "PyTorch, lean" : "PyTorch", "torch_peer.py",
                   arguments);
    }
}

static void bench_network(bench *b, const imsat_data *data, const float *radius,
                          imsat_task task, size_t hidden, size_t outputs)
{
    imsat_options opt = choose(task, hidden, outputs);
    im_preprocess pre = {0};
    stepping s = {.step = 0};
    double *prior = im_alloc(outputs, sizeof *prior);
    opt = im_check_decide(&opt, data);
    for (size_t j = 0; prior && j < outputs; j++)
        prior[j] = 1 / (double)outputs;
    const im_fit fit = {.method = im_methods_find(opt.method),
                        .opt = &opt,
                        .data = data,
                        .pre = &pre,
                        .radius = radius,
                        .prior = prior,
                        .pool = b->pool};
    if (prior && im_preprocess_fit(&pre, data, &opt, NULL, NULL) == IMSAT_OK &&
        im_trainer_new(&s.t, &fit, NULL) == IMSAT_OK) {
        im_trainer_reset(&s.t, 1);
        bench_row *rows[2] = {NULL, NULL};
        for (int turn = 0; turn < BENCH_TURNS; turn++)
            take_turn(b, &s, rows);
        char name[64];
        name_step(name, sizeof name, &s.t);
        account_take(b, name, run_steps, &s, s.count, LEDGER_OBJECTIVE,
                     least_operations(&s.t.net));
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
        bench_network(b, data, radius, IMSAT_TASK_CLUSTER, 1200, 10);
        bench_network(b, data, radius, IMSAT_TASK_CLUSTER, 0, 10);
        bench_network(b, data, radius, IMSAT_TASK_HASH, 400, 16);
        bench_network(b, data, radius, IMSAT_TASK_HASH, 400, 256);
    }
    imsat_data_free(data);
    im_free(x);
    im_free(radius);
}
