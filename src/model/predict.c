/* SPDX-License-Identifier: MIT
 *
 * Labels and probabilities of rows. Rows are cut into chunks; a chunk runs through the whole
 * network on one thread, so threads share nothing but the weights. By gemm's contract, and
 * because everything else is elementwise, a row's result does not depend on its chunk.
 */
#include "core/alloc.h"
#include "core/gemm.h"
#include "core/threads.h"
#include "model/model.h"
#include "nn/batchnorm.h"
#include "nn/softmax.h"

enum { CHUNK = 128 };

/* Buffers of one thread. */
typedef struct lane {
    im_real *act, *z; /* (widest layer, CHUNK) */
    im_real *packed;
    im_real *scratch;
    im_real *p;   /* (CHUNK, outputs) */
    float *row;   /* (dim) */
    double *work; /* (dim) */
} lane;

typedef struct prediction {
    const imsat_model *model;
    const imsat_data *data;
    const im_gemm_kernel *kernel;
    int32_t *labels;
    float *proba;
    lane *lanes;
} prediction;

static size_t widest(const im_net *net)
{
    size_t units = net->dim;
    for (size_t l = 0; l < net->layers; l++)
        units = net->layer[l].out > units ? net->layer[l].out : units;
    return units;
}

static size_t lay_out(lane *lanes, size_t count, const im_net *net, void *base)
{
    im_carver c = {base, 0};
    const size_t units = widest(net);
    for (size_t i = 0; i < count; i++) {
        const lane one = {im_carve(&c, units * CHUNK, sizeof(im_real)),
                          im_carve(&c, units * CHUNK, sizeof(im_real)),
                          im_carve(&c, im_gemm_packed(units, CHUNK), sizeof(im_real)),
                          im_carve(&c, IM_GEMM_SCRATCH, sizeof(im_real)),
                          im_carve(&c, CHUNK * net->outputs, sizeof(im_real)),
                          im_carve(&c, net->dim, sizeof(float)),
                          im_carve(&c, net->dim, sizeof(double))};
        if (base)
            lanes[i] = one;
    }
    return c.used;
}

static void load_rows(const prediction *p, lane *b, size_t first, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        im_data_row(b->row, p->data, first + i);
        im_preprocess_row(b->row, b->row, &p->model->pre, b->work);
        for (size_t j = 0; j < p->data->dim; j++)
            b->act[j * CHUNK + i] = b->row[j];
    }
}

static void run_layer(const prediction *p, lane *b, const im_layer *layer, size_t n)
{
    im_gemm_pack(b->packed, b->act, CHUNK, IM_NO, layer->in, n, 0, im_gemm_panels(n));
    for (size_t u = 0; !layer->hidden && u < layer->out; u++)
        for (size_t i = 0; i < n; i++)
            b->z[u * CHUNK + i] = layer->bias[u];
    im_gemm(p->kernel, b->z, CHUNK, layer->w, layer->in, IM_NO, b->packed, layer->out, n,
            layer->in, !layer->hidden, b->scratch);
    for (size_t u = 0; layer->hidden && u < layer->out; u++) {
        const im_bn_unit unit = {layer->gain[u], layer->bias[u], layer->mean + u,
                                 layer->var + u};
        im_batchnorm_forward(b->act + u * CHUNK, b->z + u * CHUNK, unit, IM_BN_INFER, n);
    }
}

static void run_chunk(void *context, size_t task, int thread)
{
    const prediction *p = context;
    const im_net *net = &p->model->net;
    const size_t first = task * CHUNK, k = net->outputs;
    const size_t n = p->data->rows - first < CHUNK ? p->data->rows - first : CHUNK;
    lane *b = &p->lanes[thread];
    load_rows(p, b, first, n);
    for (size_t l = 0; l < net->layers; l++)
        run_layer(p, b, &net->layer[l], n);
    im_softmax_forward(b->p, b->z, CHUNK, n, k);
    for (size_t i = 0; p->labels && i < n; i++)
        p->labels[first + i] = im_softmax_label(b->p + i * k, k);
    for (size_t i = 0; p->proba && i < n * k; i++)
        p->proba[first * k + i] = (float)b->p[i];
}

imsat_status imsat_predict(const imsat_model *model, const imsat_data *data, int32_t *labels,
                           float *proba, int threads, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_pool *pool = NULL;
    lane *lanes = NULL;
    void *memory = NULL;
    if (data->dim != model->net.dim)
        return im_fail(err, IMSAT_EMISMATCH,
                       "the data has %zu columns, but the model was trained on %zu", data->dim,
                       model->net.dim);
    IM_TRY(im_pool_new(&pool, threads, err));
    const size_t count = (size_t)im_pool_threads(pool);
    lanes = im_alloc(count, sizeof *lanes);
    memory = im_alloc(lay_out(NULL, count, &model->net, NULL), 1);
    if (!lanes || !memory) {
        st = im_fail_memory(err, "prediction");
        goto cleanup;
    }
    lay_out(lanes, count, &model->net, memory);
    prediction p = {model, data, im_gemm_select(false), labels, proba, lanes};
    im_pool_run(pool, run_chunk, &p, (data->rows + CHUNK - 1) / CHUNK);

cleanup:
    im_free(memory);
    im_free(lanes);
    im_pool_free(pool);
    return st;
}
