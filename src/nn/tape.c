/* SPDX-License-Identifier: MIT
 * Memory of the passes and the forward pass; see tape.h. */
#include "nn/tape.h"

#include "core/alloc.h"
#include "core/transpose.h"
#include "nn/blocks.h"

#include <assert.h>
#include <math.h>

static size_t widest_input(const im_net *net)
{
    size_t width = 0;
    for (size_t l = 0; l < net->layers; l++)
        width = net->layer[l].in > width ? net->layer[l].in : width;
    return width;
}

/* How far rows of n columns are apart. A multiple of 1 KiB is avoided: rows so far apart would
 * compete for the same sets of the cache. */
static size_t spread(size_t columns)
{
    return columns % 256 ? columns : columns + 16;
}

/* Scratch of each thread. */
static void lay_out_threads(im_tape *tape, im_carver *c)
{
    const size_t threads = (size_t)im_pool_threads(tape->pool);
    tape->scratch = im_carve(c, threads, sizeof *tape->scratch);
    tape->row = im_carve(c, threads, sizeof *tape->row);
    tape->dw = im_carve(c, threads, sizeof *tape->dw);
    for (size_t i = 0; i < threads; i++) {
        im_real *scratch = im_carve(c, IM_GEMM_SCRATCH, sizeof(im_real));
        im_real *row = im_carve(c, tape->width, sizeof(im_real));
        im_real *dw = im_carve(c, im_gemm_packed(IM_UNIT_BLOCK, widest_input(tape->net)),
                               sizeof(im_real));
        if (c->base) {
            tape->scratch[i] = scratch;
            tape->row[i] = row;
            tape->dw[i] = dw;
        }
    }
}

/* One list, walked twice: to measure (base NULL) and to lay out. */
static size_t lay_out(im_tape *tape, void *base)
{
    const im_net *net = tape->net;
    const size_t branches = tape->branches;
    im_carver c = {base, 0};
    for (size_t l = 0; l < net->layers; l++) {
        const size_t in = net->layer[l].in, out = net->layer[l].out;
        tape->act[l] = im_carve(&c, branches * tape->width * in, sizeof(im_real));
        tape->dz_packed[l] = im_carve(&c, branches * tape->width * out, sizeof(im_real));
        tape->xhat[l] = im_carve(&c, out * tape->ld, sizeof(im_real));
        tape->dz[l] = im_carve(&c, out * tape->ld, sizeof(im_real));
        tape->inv[l] = im_carve(&c, out * branches, sizeof(im_real));
        tape->wt[l] = im_carve(&c, im_gemm_packed_left(in, out), sizeof(im_real));
        tape->turned[l] =
            im_carve(&c, branches * im_gemm_packed(tape->batch, in), sizeof(im_real));
    }
    tape->dx = im_carve(&c, net->dim * tape->dx_ld, sizeof(im_real));
    tape->grad = im_carve(&c, net->nparams, sizeof(im_real));
    lay_out_threads(tape, &c);
    return c.used;
}

static im_tape describe(const im_net *net, im_pool *pool, size_t batch, size_t branches)
{
    im_tape tape = {.net = net, .pool = pool, .batch = batch, .branches = branches};
    tape.parts = (size_t)im_pool_threads(pool);
    im_tape_set_rows(&tape, batch);
    tape.ld = spread(branches * tape.width);
    tape.dx_ld = spread(tape.width);
    return tape;
}

size_t im_tape_bytes(const im_net *net, im_pool *pool, size_t batch, size_t branches)
{
    im_tape tape = describe(net, pool, batch, branches);
    return lay_out(&tape, NULL);
}

imsat_status im_tape_new(im_tape *out, const im_net *net, im_pool *pool,
                         const im_gemm_kernel *kernel, size_t batch, size_t branches,
                         imsat_error *err)
{
    im_tape tape = describe(net, pool, batch, branches);
    tape.kernel = kernel;
    tape.memory = im_alloc(lay_out(&tape, NULL), 1);
    if (!tape.memory)
        return im_fail_memory(err, "batches of this size (--batch)");
    lay_out(&tape, tape.memory);
    *out = tape;
    return IMSAT_OK;
}

void im_tape_set_rows(im_tape *tape, size_t n)
{
    assert(n > 0 && n <= tape->batch);
    tape->n = n;
    tape->width = im_gemm_panels(n) * IM_GEMM_NR;
}

void im_tape_clear(im_tape *tape)
{
    im_free(tape->memory);
    *tape = (im_tape){0};
}

static size_t inputs_of_panel(const im_tape *tape, size_t panel)
{
    const size_t left = tape->net->dim - panel * IM_GEMM_NR;
    return left < IM_GEMM_NR ? left : IM_GEMM_NR;
}

void im_tape_put_row(const im_tape *tape, size_t branch, size_t row, const float *values)
{
    const size_t dim = tape->net->dim;
    im_real *to = im_tape_input_row(tape, branch, row);
    for (size_t j = 0; j < dim; j += IM_GEMM_NR, to += im_gemm_panel(tape->n))
        for (size_t c = 0; c < IM_GEMM_NR && j + c < dim; c++)
            to[c] = values[j + c];
}

void im_tape_rows_to_columns(im_tape *tape, size_t branch, size_t first, size_t count)
{
    assert(first + count <= tape->n && first % IM_GEMM_NR + count <= IM_GEMM_NR);
    const im_real *rows = im_tape_input_row(tape, branch, first);
    im_real *columns = im_tape_input(tape, branch, first);
    for (size_t q = 0; q < im_gemm_panels(tape->net->dim); q++)
        im_transpose(columns + im_gemm_panel(q * IM_GEMM_NR), IM_GEMM_NR,
                     rows + q * im_gemm_panel(tape->n), IM_GEMM_NR, count,
                     inputs_of_panel(tape, q));
}

void im_tape_columns_to_rows(im_tape *tape, size_t branch, size_t first, size_t count)
{
    assert(first + count <= tape->n && first % IM_GEMM_NR + count <= IM_GEMM_NR);
    im_real *rows = im_tape_input_row(tape, branch, first);
    const im_real *columns = im_tape_input(tape, branch, first);
    for (size_t q = 0; q < im_gemm_panels(tape->net->dim); q++)
        im_transpose(rows + q * im_gemm_panel(tape->n), IM_GEMM_NR,
                     columns + im_gemm_panel(q * IM_GEMM_NR), IM_GEMM_NR,
                     inputs_of_panel(tape, q), count);
}

typedef struct forward_pass {
    im_tape *tape;
    im_net *net;
    size_t l, branch;
    im_bn_mode mode;
} forward_pass;

/* The columns of W^T that are units first .. first + count of layer l. */
static void keep_transposed(const forward_pass *f, size_t first, size_t count)
{
    const im_layer *layer = &f->net->layer[f->l];
    if (f->branch == 0 && (f->l > 0 || f->tape->branches > 1))
        im_gemm_pack_left(f->tape->wt[f->l], layer->w, layer->in, layer->in, layer->out, first,
                          count);
}

/* Whether the input of the layer is the clean batch as sparse rows. */
static bool is_sparse(const forward_pass *f)
{
    return f->l == 0 && f->branch == 0 && f->tape->sparse;
}

/* z = W a of a block of units. */
static void multiply(const forward_pass *f, im_real *z, size_t first, size_t count, int thread)
{
    const im_tape *tape = f->tape;
    const im_layer *layer = &f->net->layer[f->l];
    const im_real *w = layer->w + first * layer->in;
    if (is_sparse(f))
        im_sparse_input_forward(tape->sparse, tape->kernel, z, tape->ld, w, count, NULL,
                                thread);
    else
        im_gemm(tape->kernel, z, tape->ld, w, layer->in, IM_NO,
                im_tape_packed(tape, tape->act[f->l], layer->in, f->branch), count,
                tape->width, layer->in, false, tape->scratch[thread]);
}

/* From z of a unit to what it gives to the next layer (n); returns what tape->inv keeps. */
static im_real activate(const forward_pass *f, im_real *a, im_real *z, size_t unit)
{
    const im_layer *layer = &f->net->layer[f->l];
    if (layer->form == IM_FORM_NORMALIZED)
        return im_batchnorm_forward(a, z, im_layer_unit(layer, unit), f->mode, f->tape->n);
    const int finite = im_activation_forward(a, z, layer->bias[unit], layer->form, f->tape->n);
    if (f->tape->dropout.rate > 0) {
        im_dropout own = f->tape->dropout;
        own.rng.branch = (uint32_t)f->l;
        im_dropout_apply(a, z, &own, (uint32_t)unit, f->tape->n);
    }
    return finite ? 1 : (im_real)NAN;
}

/* A block of units of a hidden layer: product, normalization, ReLU. */
static void hidden_block(void *context, size_t task, int thread)
{
    const forward_pass *f = context;
    im_tape *tape = f->tape;
    const im_layer *layer = &f->net->layer[f->l];
    const im_units block = im_blocks_at(layer->out, tape->parts, task);
    const size_t first = block.first, count = block.count;
    im_real *z = im_tape_branch(tape, tape->xhat[f->l], f->branch);
    im_real *a = im_tape_packed(tape, tape->act[f->l + 1], layer->out, f->branch);
    multiply(f, z + first * tape->ld, first, count, thread);
    for (size_t u = first; u < first + count; u++) {
        tape->inv[f->l][f->branch * layer->out + u] =
            activate(f, tape->row[thread], z + u * tape->ld, u);
        im_gemm_put_row(a, layer->out, tape->n, u, tape->row[thread]);
    }
    keep_transposed(f, first, count);
}

/* The last layer: product and bias. It has few units and sums nothing over the batch, so a
 * task is some of the columns. It takes two panels, because every product has to copy those
 * units that do not fill a register tile. */
enum { OUTPUT_PANELS = 2, OUTPUT_COLUMNS = OUTPUT_PANELS * IM_GEMM_NR };

/* From so many units on a task is a block of them, as in hidden layers. */
enum { WIDE = 8 * IM_UNIT_BLOCK };

static void output_columns(void *context, size_t task, int thread)
{
    const forward_pass *f = context;
    im_tape *tape = f->tape;
    const im_layer *layer = &f->net->layer[f->l];
    const size_t first = task * OUTPUT_COLUMNS, left = tape->n - first;
    const size_t columns = left < OUTPUT_COLUMNS ? left : OUTPUT_COLUMNS;
    im_real *z = im_tape_branch(tape, tape->xhat[f->l], f->branch) + first;
    const im_real *a = im_tape_packed(tape, tape->act[f->l], layer->in, f->branch);
    for (size_t u = 0; u < layer->out; u++)
        for (size_t i = 0; i < columns; i++)
            z[u * tape->ld + i] = layer->bias[u];
    im_gemm(tape->kernel, z, tape->ld, layer->w, layer->in, IM_NO, a + first * layer->in,
            layer->out, columns, layer->in, true, tape->scratch[thread]);
    if (task == 0)
        keep_transposed(f, 0, layer->out);
}

/* The last layer, if it is the first one too and its input is sparse: a task is a block of
 * units. */
static void sparse_output_block(void *context, size_t task, int thread)
{
    const forward_pass *f = context;
    const im_tape *tape = f->tape;
    const im_layer *layer = &f->net->layer[f->l];
    const im_units block = im_blocks_at(layer->out, tape->parts, task);
    im_sparse_input_forward(
        tape->sparse, tape->kernel, tape->xhat[f->l] + block.first * tape->ld, tape->ld,
        layer->w + block.first * layer->in, block.count, layer->bias + block.first, thread);
    keep_transposed(f, block.first, block.count);
}

/* The last layer, if it has many units: a task is a block of them. */
static void wide_output_block(void *context, size_t task, int thread)
{
    const forward_pass *f = context;
    const im_tape *tape = f->tape;
    const im_layer *layer = &f->net->layer[f->l];
    const im_units block = im_blocks_at(layer->out, tape->parts, task);
    im_real *z = im_tape_branch(tape, tape->xhat[f->l], f->branch) + block.first * tape->ld;
    for (size_t u = 0; u < block.count; u++)
        for (size_t i = 0; i < tape->width; i++)
            z[u * tape->ld + i] = layer->bias[block.first + u];
    im_gemm(tape->kernel, z, tape->ld, layer->w + block.first * layer->in, layer->in, IM_NO,
            im_tape_packed(tape, tape->act[f->l], layer->in, f->branch), block.count,
            tape->width, layer->in, true, tape->scratch[thread]);
    keep_transposed(f, block.first, block.count);
}

static void run_hidden(forward_pass *f, size_t layers)
{
    assert(f->branch < f->tape->branches && f->tape->n > 0);
    f->tape->mode[f->branch] = f->mode;
    for (; f->l < layers; f->l++)
        im_pool_run(f->tape->pool, hidden_block, f,
                    im_blocks_count(f->net->layer[f->l].out, f->tape->parts));
}

void im_tape_forward_to(im_tape *tape, im_net *net, size_t branch, im_bn_mode mode,
                        size_t layers)
{
    forward_pass f = {tape, net, 0, branch, mode};
    assert(layers < net->layers);
    run_hidden(&f, layers);
}

void im_tape_forward(im_tape *tape, im_net *net, size_t branch, im_bn_mode mode)
{
    forward_pass f = {tape, net, 0, branch, mode};
    run_hidden(&f, net->layers - 1);
    const size_t blocks = im_blocks_count(net->layer[f.l].out, tape->parts);
    if (is_sparse(&f))
        im_pool_run(tape->pool, sparse_output_block, &f, blocks);
    else if (net->layer[f.l].out >= WIDE)
        im_pool_run(tape->pool, wide_output_block, &f, blocks);
    else
        im_pool_run(tape->pool, output_columns, &f,
                    (tape->n + OUTPUT_COLUMNS - 1) / OUTPUT_COLUMNS);
}

/* The first column of a unit (n) that is not finite, or n. */
static size_t bad_column(const im_tape *tape, size_t layer, size_t unit)
{
    return im_net_nonfinite(tape->xhat[layer] + unit * tape->ld, tape->n);
}

bool im_tape_overflow(size_t *layer, size_t *column, const im_tape *tape)
{
    const im_net *net = tape->net;
    assert(tape->mode[0] == IM_BN_INFER);
    for (*layer = 0; *layer < net->layers; (*layer)++)
        for (size_t u = 0; u < net->layer[*layer].out; u++) {
            if (net->layer[*layer].hidden && isfinite(tape->inv[*layer][u]))
                continue;
            *column = bad_column(tape, *layer, u);
            if (*column < tape->n)
                return true;
        }
    return false;
}
