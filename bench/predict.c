/* SPDX-License-Identifier: MIT
 * Prediction beside PyTorch's evaluation of the same network, as usually written and lean,
 * with the normalization folded into the weights; and calls on one row. */
#include "account.h"
#include "bench.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "model/model.h"

#include <stdio.h>

enum { ROWS = 20000, DIM = 784, CALLS = 1000 };

typedef struct predicting {
    const imsat_model *model;
    const imsat_data *data;
    int32_t *labels;
    int threads;
} predicting;

static void run_predict(void *context)
{
    predicting *p = context;
    if (imsat_predict(p->model, p->data, p->labels, NULL, p->threads, NULL) != IMSAT_OK)
        fprintf(stderr, "bench: prediction failed\n");
}

/* Our predictions, then PyTorch's, as usually written and lean. */
static void take_turn(bench *b, predicting *p, bench_row *rows[2], const char *name,
                      double operations)
{
    const im_net *net = &p->model->net;
    const size_t hidden = net->layer[0].out;
    const double seconds = bench_best(run_predict, p, 5);
    char arguments[64];
    for (int lean = 0; lean < 2; lean++) {
        if (!rows[lean])
            rows[lean] = bench_add(b, name, seconds, operations);
        bench_again(rows[lean], seconds);
        snprintf(arguments, sizeof arguments, "predict%s %d %zu %zu", lean ? "-lean" : "", DIM,
                 hidden, net->outputs);
        bench_peer(b, rows[lean], lean ? "PyTorch, lean" : "PyTorch", "torch_peer.py",
                   arguments);
    }
}

static void bench_network(bench *b, predicting p, size_t hidden, size_t outputs)
{
    imsat_model model = {.pre = {.dim = DIM, .scale = 1, .factor = 1}};
    const size_t widths[2] = {hidden, hidden};
    char name[64];
    if (im_net_new(&model.net, DIM, widths, 2, outputs, NULL) != IMSAT_OK)
        return;
    im_net_init(&model.net, 1, 1, 1);
    p.model = &model;
    snprintf(name, sizeof name, "predict %d rows, %d-%zu-%zu-%zu", ROWS, DIM, hidden, hidden,
             outputs);
    const double operations = 2.0 * ROWS * (double)hidden * (double)(DIM + hidden + outputs);
    bench_row *rows[2] = {NULL, NULL};
    for (int turn = 0; turn < BENCH_TURNS; turn++)
        take_turn(b, &p, rows, name, operations);
    account_take(b, name, run_predict, &p, 1, LEDGER_BATCH, operations);
    im_pool_cache_clear(&model.pools);
    im_net_clear(&model.net);
}

/* Calls on one row: what a call costs besides the network, with the threads of this benchmark
 * and with one. */
static void run_calls(void *context)
{
    for (int i = 0; i < CALLS; i++)
        run_predict(context);
}

static void bench_calls(bench *b, const float *x)
{
    enum { SMALL = 64, HIDDEN = 100 };
    imsat_model model = {.pre = {.dim = SMALL, .scale = 1, .factor = 1}};
    const size_t widths[2] = {HIDDEN, HIDDEN};
    const int threads[2] = {b->threads, 1};
    imsat_data *row = NULL;
    int32_t label;
    char name[64];
    if (im_net_new(&model.net, SMALL, widths, 2, 10, NULL) == IMSAT_OK &&
        imsat_data_view(&row, x, 1, SMALL, SMALL, NULL) == IMSAT_OK) {
        im_net_init(&model.net, 1, 1, 1);
        for (int i = 0; i < 2; i++) {
            predicting p = {&model, row, &label, threads[i]};
            snprintf(name, sizeof name, "predict 1 row %d times, threads: %d", CALLS,
                     threads[i]);
            bench_add(b, name, bench_best(run_calls, &p, 5), 0);
        }
    }
    imsat_data_free(row);
    im_pool_cache_clear(&model.pools);
    im_net_clear(&model.net);
}

void bench_predict(bench *b)
{
    imsat_data *data = NULL;
    float *x = im_alloc((size_t)ROWS * DIM, sizeof *x);
    int32_t *labels = im_alloc(ROWS, sizeof *labels);
    for (size_t i = 0; x && i < ROWS; i++)
        im_rng_normals(x + i * DIM, DIM, (im_rng){3, IM_STREAM_INIT, 0, 0}, (uint32_t)i);
    if (x && labels && imsat_data_view(&data, x, ROWS, DIM, DIM, NULL) == IMSAT_OK) {
        const predicting p = {NULL, data, labels, b->threads};
        bench_network(b, p, 1200, 10);
        bench_network(b, p, 400, 16);
        bench_calls(b, x);
    }
    imsat_data_free(data);
    im_free(x);
    im_free(labels);
}
