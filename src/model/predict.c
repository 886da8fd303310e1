/* SPDX-License-Identifier: MIT
 *
 * Labels or codes, and probabilities, of rows. Rows are cut into blocks; a block is read,
 * prepared and run through the whole network on one thread (nn/infer.h), so a row's result
 * does not depend on the other rows nor on the number of threads. The network is the one that
 * training judges its runs by, to the bit, and a label is the first largest of the
 * probabilities as they are handed out: the argmax of the one is the other (and a bit is
 * whether it is above 0.5). Exponentials for labels alone are 0.3 % of the work of a
 * 784-1200-1200-10 network, and not worth a second definition.
 *
 * Blocks are taken in pieces, in order. After a piece its results are handed over and what it
 * has read of mapped files is given back, so memory does not grow with the number of rows.
 */
#include "core/alloc.h"
#include "core/flush.h"
#include "data/sparse_rows.h"
#include "imsat/search.h"
#include "model/model.h"
#include "nn/infer.h"
#include "nn/sigmoid.h"
#include "nn/softmax.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>

/* A piece is, for each thread, what a pass reads before it releases (im_data_piece), and at
 * most 64 blocks (fewer where a limit on memory is close): threads wait for the last one once
 * a piece, and a block is not much of it.
 */
enum { ROWS = IM_INFER_ROWS, STRIP = IM_GEMM_NR, PIECE_BLOCKS = 64 };

/* Rows on their way to the network; buffers of one thread. */
typedef struct strip {
    im_real *rows; /* (STRIP,dim) prepared */
    float *row;    /* (dim) */
    double *work;  /* (dim) of preprocessing */
    size_t *start; /* (ROWS + 1), and the next two: a block of sparse rows, if they are such */
    int32_t *column; /* (room) */
    im_real *value;  /* (room) */
} strip;

typedef struct prediction {
    const imsat_model *model;
    const imsat_data *data;
    im_pool *pool;  /* of the model */
    size_t threads; /* that may be used */
    im_infer infer;
    im_sparse_rows sparse; /* of sparse data, else empty */
    im_real *background;   /* (dim) what their zeros become, or NULL: 0 */
    strip *strips;         /* [threads] */
    void *memory;
    size_t first, count; /* rows of this piece */
    int32_t *labels;     /* (count) of this piece, or NULL */
    uint8_t *codes;      /* (count,bytes) of this piece, or NULL */
    float *proba;        /* (count,k) of this piece, or NULL */
    _Atomic size_t bad;  /* the first row that has no prediction; NO_ROW: none */
} prediction;

static const size_t NO_ROW = SIZE_MAX;

static size_t lay_out(prediction *p, void *base)
{
    const size_t dim = p->data->dim;
    const size_t room = p->sparse.data ? ROWS * (p->sparse.longest + 1) : 0;
    im_carver c = {base, 0};
    if (p->sparse.background)
        p->background = im_carve(&c, dim, sizeof *p->background);
    p->strips = im_carve(&c, p->threads, sizeof *p->strips);
    for (size_t i = 0; i < p->threads; i++) {
        const strip one = {
            im_carve(&c, STRIP * dim, sizeof(im_real)), im_carve(&c, dim, sizeof(float)),
            im_carve(&c, dim, sizeof(double)),          im_carve(&c, ROWS + 1, sizeof(size_t)),
            im_carve(&c, room, sizeof(int32_t)),        im_carve(&c, room, sizeof(im_real))};
        if (base)
            p->strips[i] = one;
    }
    return c.used;
}

static void clear(prediction *p)
{
    im_infer_clear(&p->infer);
    im_sparse_rows_clear(&p->sparse);
    im_free(p->memory);
    im_pool_cache_put(im_model_pools(p->model), p->pool);
}

/* Sparse rows, if they are such: the background, and the first layer as their factor. */
static imsat_status begin_sparse(prediction *p, imsat_error *err)
{
    for (size_t j = 0; p->background && j < p->data->dim; j++)
        p->background[j] = p->sparse.background[j];
    return p->sparse.data ? im_infer_take_sparse(&p->infer, p->background, err) : IMSAT_OK;
}

/* On failure the caller clears it. */
static imsat_status begin(prediction *p, int threads, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (p->data->dim != p->model->net.dim)
        return im_fail(err, IMSAT_EMISMATCH,
                       "the data has %zu columns, but the model was trained on %zu",
                       p->data->dim, p->model->net.dim);
    IM_TRY(im_pool_cache_take(im_model_pools(p->model), &p->pool, threads, err));
    p->threads = (size_t)im_pool_threads_of(p->pool, (p->data->rows + ROWS - 1) / ROWS);
    IM_TRY(im_infer_new(&p->infer, &p->model->net, im_gemm_select(false), p->threads,
                        p->data->rows, err));
    if (im_sparse_rows_fit(p->data, &p->model->pre))
        IM_TRY(im_sparse_rows_new(&p->sparse, p->data, &p->model->pre, err));
    p->memory = im_alloc(lay_out(p, NULL), 1);
    if (!p->memory) {
        st = im_fail_memory(err, "prediction");
        goto cleanup;
    }
    lay_out(p, p->memory);
    IM_TRY(begin_sparse(p, err));

cleanup:
    return st;
}

/* Rows of a piece: whole blocks, but no more than there are. */
static size_t piece_rows(const prediction *p)
{
    const size_t result = (p->model->net.outputs + 2) * sizeof(float); /* of a row */
    size_t blocks = im_data_piece(p->data) / ROWS;
    assert(p->threads > 0);
    blocks = im_size_min(blocks, im_alloc_left() / 4 / p->threads / result / ROWS);
    blocks = blocks < 1 ? 1 : im_size_min(blocks, PIECE_BLOCKS);
    const size_t rows = p->threads * blocks * ROWS;
    return rows < p->data->rows ? rows : p->data->rows;
}

static void read_rows(prediction *p, size_t first, size_t n, int thread)
{
    const strip *s = &p->strips[thread];
    const size_t dim = p->data->dim;
    for (size_t i = 0; i < n; i += STRIP) {
        const size_t count = n - i < STRIP ? n - i : STRIP;
        for (size_t r = 0; r < count; r++) {
            im_preprocess_read(s->row, p->data, first + i + r, &p->model->pre, s->work);
            for (size_t j = 0; j < dim; j++)
                s->rows[r * dim + j] = s->row[j];
        }
        im_infer_put(&p->infer, thread, i / STRIP, s->rows, count);
    }
}

/* Rows first on, without their zeros. */
static im_sparse read_sparse(prediction *p, size_t first, size_t n, int thread)
{
    const strip *s = &p->strips[thread];
    const size_t dim = p->data->dim;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        const im_csr_row raw = im_sparse_rows_raw(&p->sparse, first + i);
        im_sparse_rows_prepared(s->row, &p->sparse, first + i);
        for (size_t e = 0; e < raw.count; e++, at++) {
            s->column[at] = raw.column[e];
            s->value[at] =
                p->background ? s->row[e] - p->background[raw.column[e]] : s->row[e];
        }
        if (p->background) {
            s->column[at] = (int32_t)dim;
            s->value[at++] = 1;
        }
        s->start[i + 1] = at;
    }
    return (im_sparse){n, dim + 1, s->start, s->column, s->value};
}

/* The probabilities of rows first on. */
static const im_real *run_rows(prediction *p, size_t first, size_t n, int thread)
{
    if (p->sparse.data) {
        const im_sparse rows = read_sparse(p, first, n, thread);
        return im_infer_run_sparse(&p->infer, thread, &rows);
    }
    read_rows(p, first, n, thread);
    return im_infer_run(&p->infer, thread, n);
}

/* The first of all bad rows is kept, whichever thread meets it when. */
static void note_bad(prediction *p, size_t row)
{
    size_t known = atomic_load(&p->bad);
    while (row < known && !atomic_compare_exchange_weak(&p->bad, &known, row))
        ;
}

/* Say of a row that has no prediction what leads out of the range of float: a value, when it
 * is prepared, or the network. Uses the buffers of the first thread. */
static imsat_status refuse_row(const prediction *p, size_t row, imsat_error *err)
{
    const strip *s = &p->strips[0];
    size_t worst = 0;
    im_preprocess_read(s->row, p->data, row, &p->model->pre, s->work);
    for (size_t j = 0; j < p->data->dim && isfinite(s->row[worst]); j++)
        if (!(fabsf(s->row[j]) <= fabsf(s->row[worst])))
            worst = j;
    const double value = im_data_value(p->data, row, worst);
    if (!isfinite(s->row[worst]))
        return im_fail(
            err, IMSAT_EMISMATCH,
            "row %zu, column %zu (both from 0) is %g, and beyond the range of float "
            "when it is prepared as the model's data were; they were of another "
            "scale",
            row, worst, value);
    return im_fail(err, IMSAT_EMISMATCH,
                   "row %zu (from 0) has no prediction: what the network computes of it is "
                   "beyond the range of float; its largest value is %g, in column %zu. Either "
                   "the row is far from the data that the model was trained on, or the model "
                   "is damaged",
                   row, value, worst);
}

static void run_block(void *context, size_t task, int thread)
{
    prediction *p = context;
    const size_t at = task * ROWS, k = p->model->net.outputs;
    const size_t n = p->count - at < ROWS ? p->count - at : ROWS;
    const im_real *proba = run_rows(p, p->first + at, n, thread);
    const size_t bad = im_infer_overflow(&p->infer, thread, n);
    if (bad < n)
        note_bad(p, p->first + at + bad);
    for (size_t i = 0; p->labels && i < n; i++)
        p->labels[at + i] = im_softmax_label(proba + i * k, k);
    for (size_t i = 0; p->codes && i < n; i++)
        im_sigmoid_pack(p->codes + (at + i) * imsat_code_bytes(k), proba + i * k, 1, k);
    for (size_t i = 0; p->proba && i < n * k; i++)
        p->proba[at * k + i] = (float)proba[i];
}

static imsat_status run_piece(prediction *p, size_t first, size_t count, imsat_error *err)
{
    p->first = first;
    p->count = count;
    im_pool_run(p->pool, run_block, p, (count + ROWS - 1) / ROWS);
    im_data_release(p->data, first, count);
    const size_t bad = atomic_load(&p->bad);
    return im_data_check(p->data, first, count,
                         bad == NO_ROW ? IMSAT_OK : refuse_row(p, bad, err), err);
}

/* All rows, to where the caller wants them. */
static imsat_status predict_all(const imsat_model *model, const imsat_data *data,
                                int32_t *labels, uint8_t *codes, float *proba, int threads,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    prediction p = {.model = model, .data = data, .bad = NO_ROW};
    const size_t outputs = model->net.outputs;
    const im_flush before = im_flush_begin();
    IM_TRY(begin(&p, threads, err));
    const size_t rows = piece_rows(&p);
    for (size_t first = 0; first < data->rows; first += p.count) {
        p.labels = labels ? labels + first : NULL;
        p.codes = codes ? codes + first * imsat_code_bytes(outputs) : NULL;
        p.proba = proba ? proba + first * outputs : NULL;
        IM_TRY(run_piece(&p, first, im_size_min(data->rows - first, rows), err));
    }

cleanup:
    im_flush_end(before);
    clear(&p);
    return st;
}

imsat_status imsat_predict(const imsat_model *model, const imsat_data *data, int32_t *labels,
                           float *proba, int threads, imsat_error *err)
{
    IM_REQUIRE(model);
    IM_REQUIRE(data);
    if (model->net.sigmoid)
        return im_fail(err, IMSAT_EMISMATCH,
                       "the model makes codes of %zu bits and has no clusters; use "
                       "imsat_encode()",
                       model->net.outputs);
    return predict_all(model, data, labels, NULL, proba, threads, err);
}

imsat_status imsat_encode(const imsat_model *model, const imsat_data *data, uint8_t *codes,
                          float *proba, int threads, imsat_error *err)
{
    IM_REQUIRE(model);
    IM_REQUIRE(data);
    if (!model->net.sigmoid)
        return im_fail(err, IMSAT_EMISMATCH,
                       "the model has %zu clusters and makes no codes; use imsat_predict()",
                       model->net.outputs);
    return predict_all(model, data, NULL, codes, proba, threads, err);
}

/* Room for the results of a piece. */
static imsat_status take_buffers(prediction *p, size_t rows, imsat_error *err)
{
    const size_t outputs = p->model->net.outputs;
    size_t numbers;
    if (p->model->net.sigmoid)
        p->codes = im_alloc(rows, imsat_code_bytes(outputs));
    else
        p->labels = im_alloc(rows, sizeof *p->labels);
    p->proba =
        im_size_mul(&numbers, rows, outputs) ? im_alloc(numbers, sizeof *p->proba) : NULL;
    return (p->codes || p->labels) && p->proba ? IMSAT_OK : im_fail_memory(err, "prediction");
}

imsat_status imsat_predict_stream(const imsat_model *model, const imsat_data *data,
                                  imsat_predict_fn take, void *user, int threads,
                                  imsat_error *err)
{
    IM_REQUIRE(model);
    IM_REQUIRE(data);
    IM_REQUIRE(take);
    imsat_status st = IMSAT_OK;
    prediction p = {.model = model, .data = data, .bad = NO_ROW};
    const im_flush before = im_flush_begin();
    IM_TRY(begin(&p, threads, err));
    const size_t rows = piece_rows(&p);
    IM_TRY(take_buffers(&p, rows, err));
    for (size_t first = 0; first < data->rows; first += p.count) {
        IM_TRY(run_piece(&p, first, im_size_min(data->rows - first, rows), err));
        const imsat_piece piece = {first, p.count, p.labels, p.codes, p.proba};
        im_flush_end(before);
        const int stop = take(user, &piece);
        im_flush_begin();
        if (stop) {
            st = im_fail(err, IMSAT_ESTOPPED, "stopped after row %zu of %zu", first + p.count,
                         data->rows);
            goto cleanup;
        }
    }

cleanup:
    im_flush_end(before);
    im_free(p.proba);
    im_free(p.codes);
    im_free(p.labels);
    clear(&p);
    return st;
}
