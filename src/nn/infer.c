/* SPDX-License-Identifier: MIT
 *
 * See infer.h. A layer's units are taken UNITS at a time: their products go to a buffer that
 * is still in the cache when they are normalized and written where the next layer reads them,
 * in gemm's packed form. So activations are written once and never packed in a pass of their
 * own, but for the input. From 24 to 192 units there is no difference to measure; 48 keep the
 * buffer, 24 KiB, in L1. */
#include "nn/infer.h"

#include "core/alloc.h"
#include "nn/sigmoid.h"
#include "nn/softmax.h"
#include "nn/student.h"

#include <assert.h>
#include <string.h>

enum { UNITS = 4 * IM_GEMM_MR };

static size_t widest_input(const im_net *net)
{
    size_t units = 0;
    for (size_t l = 0; l < net->layers; l++)
        units = net->layer[l].in > units ? net->layer[l].in : units;
    return units;
}

static size_t lay_out(im_infer *f, void *base)
{
    const im_net *net = f->net;
    const size_t packed = im_gemm_packed(widest_input(net), f->rows);
    im_carver c = {base, 0};
    for (size_t l = 0; l + 1 < net->layers; l++)
        f->fold[l] = im_carve(&c, net->layer[l].out, sizeof *f->fold[l]);
    f->per_thread = im_carve(&c, f->threads, sizeof *f->per_thread);
    for (size_t i = 0; i < f->threads; i++) {
        const im_infer_buffers own = {
            {im_carve(&c, packed, sizeof(im_real)), im_carve(&c, packed, sizeof(im_real))},
            im_carve(&c, UNITS * f->rows, sizeof(im_real)),
            im_carve(&c, net->outputs * f->rows, sizeof(im_real)),
            im_carve(&c, f->rows * net->outputs, sizeof(im_real)),
            im_carve(&c, f->rows, sizeof(double)),
            im_carve(&c, f->rows, sizeof(im_real)),
            im_carve(&c, IM_GEMM_SCRATCH, sizeof(im_real))};
        if (base)
            f->per_thread[i] = own;
    }
    return c.used;
}

/* Rows of a block: whole panels, and no more than there are rows. */
static size_t block_rows(size_t rows)
{
    const size_t panels = im_gemm_panels(rows < IM_INFER_ROWS ? rows : IM_INFER_ROWS);
    return (panels ? panels : 1) * IM_GEMM_NR;
}

imsat_status im_infer_new(im_infer *out, const im_net *net, const im_gemm_kernel *kernel,
                          size_t threads, size_t rows, imsat_error *err)
{
    im_infer f = {.net = net, .kernel = kernel, .threads = threads, .rows = block_rows(rows)};
    f.memory = im_alloc(lay_out(&f, NULL), 1);
    if (!f.memory)
        return im_fail_memory(err, "prediction");
    lay_out(&f, f.memory);
    for (size_t l = 0; l + 1 < net->layers; l++) {
        const im_layer *layer = &net->layer[l];
        for (size_t u = 0; u < layer->out; u++)
            f.fold[l][u] = layer->form == IM_FORM_NORMALIZED
                               ? im_batchnorm_fold(im_layer_unit(layer, u))
                               : (im_bn_fold){1, layer->bias[u]};
    }
    *out = f;
    return IMSAT_OK;
}

void im_infer_clear(im_infer *f)
{
    im_free(f->first);
    im_free(f->memory);
    *f = (im_infer){0};
}

void im_infer_put(im_infer *f, int thread, size_t panel, const im_real *rows, size_t count)
{
    assert((size_t)thread < f->threads && panel < IM_INFER_ROWS / IM_GEMM_NR);
    assert(count > 0 && count <= IM_GEMM_NR);
    const size_t dim = f->net->dim;
    im_gemm_pack(f->per_thread[thread].packed[0] + im_gemm_packed(dim, panel * IM_GEMM_NR),
                 rows, dim, IM_TRANS, dim, count, 0, 1);
}

/* z (count,.) of a panel, rows `stride` apart, normalized, to its place in the packed output.
 * z - z is 0 or, if z is not finite, NaN, and stays so in `bad`. An output that overflows is
 * infinite, and makes every z of the next layer infinite or NaN: so it is enough to look at z.
 */
IM_CLONES static void normalize_panel(im_real *restrict to, im_real *restrict bad,
                                      const im_real *restrict z, size_t stride,
                                      const im_bn_fold *fold, size_t count)
{
    for (size_t u = 0; u < count; u++)
        for (size_t i = 0; i < IM_GEMM_NR; i++) {
            const im_real value = z[u * stride + i];
            bad[i] += value - value;
            to[u * IM_GEMM_NR + i] = im_batchnorm_infer(value, fold[u]);
        }
}

/* The same where other than a ReLU follows. */
static void activate_panel(im_real *to, im_real *bad, const im_real *z, size_t stride,
                           const im_bn_fold *fold, im_form form, size_t count)
{
    for (size_t u = 0; u < count; u++)
        for (size_t i = 0; i < IM_GEMM_NR; i++) {
            const im_real value = z[u * stride + i];
            bad[i] += value - value;
            to[u * IM_GEMM_NR + i] = im_activation(value + fold[u].shift, form);
        }
}

/* ---- products of a layer ---------------------------------------------------- */

/* z (count,.) = W a of units u on; sparse: the input of the first layer, or NULL: packed[0].
 */
static void multiply(const im_infer *f, const im_infer_buffers *b, const im_layer *layer,
                     size_t u, size_t count, size_t panels, const im_sparse *sparse)
{
    if (sparse)
        im_sparse_multiply_turned(f->kernel, b->z, f->rows, sparse, 0, sparse->rows,
                                  f->first + im_sparse_input_packed(layer->in, u), count,
                                  NULL);
    else
        im_gemm(f->kernel, b->z, f->rows, layer->w + u * layer->in, layer->in, IM_NO,
                b->packed[0], count, panels * IM_GEMM_NR, layer->in, false, b->scratch);
}

/* From packed[0], or sparse rows, to packed[1]. Sparse rows meet a panel of units at a time.
 */
static void run_hidden(const im_infer *f, const im_infer_buffers *b, size_t l, size_t panels,
                       const im_sparse *sparse)
{
    const im_layer *layer = &f->net->layer[l];
    const size_t step = sparse ? IM_GEMM_NR : UNITS;
    const bool relu = layer->form == IM_FORM_NORMALIZED || layer->form == IM_FORM_RELU;
    for (size_t u = 0; u < layer->out; u += step) {
        const size_t count = layer->out - u < step ? layer->out - u : step;
        multiply(f, b, layer, u, count, panels, sparse);
        for (size_t panel = 0; panel < panels; panel++) {
            im_real *to = b->packed[1] + (panel * layer->out + u) * IM_GEMM_NR;
            im_real *bad = b->bad + panel * IM_GEMM_NR;
            const im_real *z = b->z + panel * IM_GEMM_NR;
            if (relu)
                normalize_panel(to, bad, z, f->rows, f->fold[l] + u, count);
            else
                activate_panel(to, bad, z, f->rows, f->fold[l] + u, layer->form, count);
        }
    }
}

/* logits = bias + W a */
static void last_product(const im_infer *f, const im_infer_buffers *b, size_t n,
                         const im_sparse *sparse)
{
    const im_layer *layer = &f->net->layer[f->net->layers - 1];
    for (size_t u = 0; sparse && u < layer->out; u += IM_GEMM_NR)
        im_sparse_multiply_turned(f->kernel, b->logits + u * f->rows, f->rows, sparse, 0, n,
                                  f->first + im_sparse_input_packed(layer->in, u),
                                  layer->out - u < IM_GEMM_NR ? layer->out - u : IM_GEMM_NR,
                                  layer->bias + u);
    if (sparse)
        return;
    for (size_t u = 0; u < layer->out; u++)
        for (size_t i = 0; i < n; i++)
            b->logits[u * f->rows + i] = layer->bias[u];
    im_gemm(f->kernel, b->logits, f->rows, layer->w, layer->in, IM_NO, b->packed[0],
            layer->out, n, layer->in, true, b->scratch);
}

static void mark_bad(const im_infer_buffers *b, const im_real *z, size_t n)
{
    for (size_t i = 0; i < n; i++)
        b->bad[i] += z[i] - z[i];
}

/* z (count,rows) = bias + W a of units u on of the last layer. */
static void some_products(const im_infer *f, const im_infer_buffers *b, size_t u, size_t count,
                          size_t n, const im_sparse *sparse)
{
    const im_layer *layer = &f->net->layer[f->net->layers - 1];
    if (sparse) {
        im_sparse_multiply_turned(f->kernel, b->z, f->rows, sparse, 0, n,
                                  f->first + im_sparse_input_packed(layer->in, u), count,
                                  layer->bias + u);
        return;
    }
    for (size_t i = 0; i < count * f->rows; i++)
        b->z[i] = layer->bias[u + i / f->rows];
    im_gemm(f->kernel, b->z, f->rows, layer->w + u * layer->in, layer->in, IM_NO, b->packed[0],
            count, n, layer->in, true, b->scratch);
}

/* Units are read out a panel at a time, so that many of them take no memory. */
static void read_out(const im_infer *f, const im_infer_buffers *b, size_t n,
                     const im_sparse *sparse)
{
    const size_t units = f->net->layer[f->net->layers - 1].out;
    im_readout_desk desk = {f->net->readout, f->net->first, b->logits, f->rows, b->sum, 0};
    for (size_t u = 0; u < units; u += IM_GEMM_NR) {
        const size_t count = units - u < IM_GEMM_NR ? units - u : IM_GEMM_NR;
        some_products(f, b, u, count, n, sparse);
        for (size_t i = 0; i < count; i++) {
            mark_bad(b, b->z + i * f->rows, n);
            im_readout_take(&desk, u + i, b->z + i * f->rows, n);
        }
    }
    for (size_t u = 0; u < f->net->outputs; u++)
        mark_bad(b, b->logits + u * f->rows, n);
}

/* In place of logits the squared distances to the centers, a panel of rows at a time. */
static void last_distances(const im_infer *f, const im_infer_buffers *b, size_t n)
{
    const im_layer *layer = &f->net->layer[f->net->layers - 1];
    for (size_t i = 0; i < n; i += IM_GEMM_NR)
        im_student_sq_distances(b->logits + i, f->rows, b->packed[0] + i * layer->in,
                                IM_GEMM_NR, layer->w, n - i < IM_GEMM_NR ? n - i : IM_GEMM_NR,
                                layer->in, layer->out);
}

static void run_last(const im_infer *f, const im_infer_buffers *b, size_t n,
                     const im_sparse *sparse)
{
    if (f->net->readout == IM_READOUT_STUDENT) {
        last_distances(f, b, n);
    } else if (f->net->readout != IM_READOUT_PLAIN) {
        read_out(f, b, n, sparse);
        return;
    } else {
        last_product(f, b, n, sparse);
    }
    for (size_t u = 0; u < f->net->outputs; u++)
        mark_bad(b, b->logits + u * f->rows, n);
}

/* ---- all layers -------------------------------------------------------------- */

static const im_real *run(im_infer *f, int thread, size_t n, const im_sparse *sparse)
{
    assert((size_t)thread < f->threads && n > 0 && n <= IM_INFER_ROWS);
    im_infer_buffers *b = &f->per_thread[thread];
    memset(b->bad, 0, f->rows * sizeof *b->bad);
    for (size_t l = 0; l + 1 < f->net->layers; l++) {
        im_real *input = b->packed[0];
        run_hidden(f, b, l, im_gemm_panels(n), l == 0 ? sparse : NULL);
        b->packed[0] = b->packed[1];
        b->packed[1] = input;
    }
    run_last(f, b, n, f->net->layers == 1 ? sparse : NULL);
    if (f->net->sigmoid)
        im_sigmoid_rows(b->p, b->logits, f->rows, n, f->net->outputs);
    else if (f->net->readout == IM_READOUT_STUDENT)
        im_student_rows(b->p, b->logits, f->rows, n, f->net->outputs);
    else
        im_softmax_forward(b->p, b->logits, f->rows, n, f->net->outputs);
    return b->p;
}

const im_real *im_infer_run(im_infer *f, int thread, size_t n)
{
    return run(f, thread, n, NULL);
}

imsat_status im_infer_take_sparse(im_infer *f, const im_real *background, imsat_error *err)
{
    const im_layer *layer = &f->net->layer[0];
    assert(!f->first);
    f->first = im_alloc(im_sparse_input_packed(layer->in, layer->out), sizeof *f->first);
    if (!f->first)
        return im_fail_memory(err, "prediction");
    for (size_t u = 0; u < layer->out; u += IM_GEMM_NR)
        im_sparse_input_pack(
            f->first + im_sparse_input_packed(layer->in, u), layer->w + u * layer->in,
            layer->in, layer->out - u < IM_GEMM_NR ? layer->out - u : IM_GEMM_NR, background);
    return IMSAT_OK;
}

const im_real *im_infer_run_sparse(im_infer *f, int thread, const im_sparse *rows)
{
    assert(f->first);
    return run(f, thread, rows->rows, rows);
}

size_t im_infer_overflow(const im_infer *f, int thread, size_t n)
{
    const im_real *bad = f->per_thread[thread].bad;
    size_t row = 0;
    while (row < n && bad[row] == 0)
        row++;
    return row;
}
