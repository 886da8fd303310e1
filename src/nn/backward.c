/* SPDX-License-Identifier: MIT
 *
 * Backward passes; see tape.h. From the last layer to the first
 *
 *     da = W^T dz,   dz' = normalization and ReLU backward       (units of the layer below)
 *
 * and then, for all layers at once, since none waits for another,
 *
 *     dW = sum over branches of dz a^T,   then Adam or SGD       (units of this layer)
 */
#include "nn/blocks.h"
#include "nn/tape.h"

#include <assert.h>

typedef struct backward_pass {
    im_tape *tape;
    im_net *net;
    const im_adam *adam; /* what takes the gradients at once: one of the two, or none */
    const im_sgd *sgd;
    double decay;
    size_t l;                /* the layer whose dz is known */
    size_t branch, branches; /* which branches take part */
    bool to_input;           /* the gradient of the input is wanted */
} backward_pass;

/* dz of a unit, of a branch, to its place in the packed form. */
static void pack_unit(const im_tape *tape, size_t l, size_t unit, size_t branch)
{
    const size_t out = tape->net->layer[l].out;
    im_gemm_put_row(im_tape_packed(tape, tape->dz_packed[l], out, branch), out, tape->n, unit,
                    im_tape_branch(tape, tape->dz[l], branch) + unit * tape->ld);
}

/* A block of units of the last layer, whose dz the objective left unpacked. */
static void pack_output(void *context, size_t task, int thread)
{
    (void)thread;
    const backward_pass *b = context;
    const size_t last = b->tape->net->layers - 1;
    const im_units block = im_blocks_at(b->tape->net->layer[last].out, b->tape->parts, task);
    for (size_t r = b->branch; r < b->branch + b->branches; r++)
        for (size_t u = block.first; u < block.first + block.count; u++)
            pack_unit(b->tape, last, u, r);
}

static size_t output_blocks(const im_tape *tape)
{
    return im_blocks_count(tape->net->layer[tape->net->layers - 1].out, tape->parts);
}

/* ---- to the units below -------------------------------------------------------- */

/* Ask for xhat of the unit after u, of a branch: it was written a pass ago, and not near the
 * cache that it is read into. A hint, also where there is no such unit. Without it the
 * normalization took a third longer on the way back, 0.4 % of a step. */
static void fetch_next(const im_tape *tape, size_t l, size_t u, size_t branch)
{
    enum { LINE = 64 / sizeof(im_real) };
    const im_real *next = im_tape_branch(tape, tape->xhat[l], branch) + (u + 1) * tape->ld;
    for (size_t i = 0; i < tape->n; i += LINE)
        __builtin_prefetch(next + i);
}

/* A unit that is not normalized, all branches; its bias's gradient. */
static void plain_backward(const backward_pass *b, size_t l, size_t u)
{
    im_tape *tape = b->tape;
    const im_layer *layer = &tape->net->layer[l];
    double bias = 0;
    for (size_t r = b->branch; r < b->branch + b->branches; r++) {
        const size_t at = u * tape->ld + r * tape->width;
        bias += im_activation_backward(tape->dz[l] + at, tape->xhat[l] + at, tape->n);
        if (l > 0 || b->to_input)
            pack_unit(tape, l, u, r);
    }
    tape->grad[layer->bias + u - tape->net->params] = (im_real)bias;
}

/* Normalization and ReLU of unit u of layer l, all branches; its gain's and bias's gradient.
 */
static void unit_backward(const backward_pass *b, size_t l, size_t u, im_real *a)
{
    im_tape *tape = b->tape;
    const im_layer *layer = &tape->net->layer[l];
    const im_bn_unit unit = im_layer_unit(layer, u);
    im_bn_grad total = {0, 0};
    for (size_t r = b->branch; r < b->branch + b->branches; r++) {
        const size_t at = u * tape->ld + r * tape->width;
        fetch_next(tape, l, u, r);
        if (tape->mode[r] == IM_BN_INFER)
            im_gemm_get_row(a, im_tape_packed(tape, tape->act[l + 1], layer->out, r),
                            layer->out, tape->n, u);
        const im_bn_grad g =
            im_batchnorm_backward(tape->dz[l] + at, a, tape->xhat[l] + at, unit,
                                  tape->inv[l][r * layer->out + u], tape->mode[r], tape->n);
        total.gain += g.gain;
        total.bias += g.bias;
        if (l > 0 || b->to_input)
            pack_unit(tape, l, u, r);
    }
    tape->grad[layer->gain + u - tape->net->params] = (im_real)total.gain;
    tape->grad[layer->bias + u - tape->net->params] = (im_real)total.bias;
}

/* dz of a block of units of layer l - 1. */
static void below_block(void *context, size_t task, int thread)
{
    const backward_pass *b = context;
    im_tape *tape = b->tape;
    const im_layer *above = &tape->net->layer[b->l];
    const im_units block = im_blocks_at(above->in, tape->parts, task);
    const size_t first = block.first, count = block.count;

    /* The panels of all branches follow each other, so one product serves them all; what it
     * writes between them, beyond a branch's n columns, is never read. */
    im_gemm(tape->kernel,
            im_tape_branch(tape, tape->dz[b->l - 1], b->branch) + first * tape->ld, tape->ld,
            tape->wt[b->l] + first * above->out, 0, IM_PACKED,
            im_tape_packed(tape, tape->dz_packed[b->l], above->out, b->branch), count,
            b->branches * tape->width, above->out, false, tape->scratch[thread]);
    for (size_t u = first; u < first + count; u++)
        if (tape->net->layer[b->l - 1].form == IM_FORM_NORMALIZED)
            unit_backward(b, b->l - 1, u, tape->row[thread]);
        else
            plain_backward(b, b->l - 1, u);
}

/* From dz of the last layer to that of the first. */
static void descend(backward_pass *b)
{
    for (b->l = b->tape->net->layers - 1; b->l > 0; b->l--)
        im_pool_run(b->tape->pool, below_block, b,
                    im_blocks_count(b->tape->net->layer[b->l].in, b->tape->parts));
}

static void input_block(void *context, size_t task, int thread)
{
    const backward_pass *b = context;
    im_tape *tape = b->tape;
    const im_layer *layer = &tape->net->layer[0];
    const im_units block = im_blocks_at(layer->in, tape->parts, task);
    im_gemm(tape->kernel, tape->dx + block.first * tape->dx_ld, tape->dx_ld,
            tape->wt[0] + block.first * layer->out, 0, IM_PACKED,
            im_tape_packed(tape, tape->dz_packed[0], layer->out, b->branch), block.count,
            tape->width, layer->out, false, tape->scratch[thread]);
}

void im_tape_backward_input(im_tape *tape, size_t branch)
{
    assert(branch < tape->branches && tape->branches > 1 && tape->n > 0);
    backward_pass b = {.tape = tape, .branch = branch, .branches = 1, .to_input = true};
    im_pool_run(tape->pool, pack_output, &b, output_blocks(tape));
    descend(&b);
    im_pool_run(tape->pool, input_block, &b, im_blocks_count(tape->net->dim, tape->parts));
}

/* ---- to the weights ------------------------------------------------------------ */

typedef size_t im_pieces_fn(const im_tape *tape, const im_layer *layer);

/* From the number of a task to its layer, and to the number of the piece in the layer. */
static const im_layer *find_task(const im_tape *tape, im_pieces_fn *pieces, size_t *task)
{
    const im_layer *layer = tape->net->layer;
    for (; *task >= pieces(tape, layer); layer++)
        *task -= pieces(tape, layer);
    return layer;
}

static size_t count_tasks(const im_tape *tape, im_pieces_fn *pieces)
{
    size_t count = 0;
    for (size_t l = 0; l < tape->net->layers; l++)
        count += pieces(tape, &tape->net->layer[l]);
    return count;
}

/* How many tasks it takes to transpose what comes out of a layer, the input of the next one.
 * (The input of the first layer, the batch, is kept in both forms from the start.) */
static size_t panels_to_turn(const im_tape *tape, const im_layer *layer)
{
    (void)tape;
    return layer->hidden ? im_gemm_panels(layer->out) : 0;
}

/* act^T of a panel of inputs, all branches: a block of act, 32 inputs x 32 columns, becomes 32
 * rows of the panel. */
static void turn_panel(const im_tape *tape, size_t l, size_t panel)
{
    const size_t in = tape->net->layer[l].in, first = panel * IM_GEMM_NR;
    const size_t units = in - first < IM_GEMM_NR ? in - first : IM_GEMM_NR;
    for (size_t r = 0; r < tape->branches; r++) {
        const im_real *a = im_tape_packed(tape, tape->act[l], in, r) + first * IM_GEMM_NR;
        im_real *to =
            tape->turned[l] + r * im_gemm_packed(tape->n, in) + panel * im_gemm_panel(tape->n);
        for (size_t i = 0; i < tape->n; i += IM_GEMM_NR) {
            const size_t columns = tape->n - i < IM_GEMM_NR ? tape->n - i : IM_GEMM_NR;
            im_gemm_pack(to + i * IM_GEMM_NR, a, IM_GEMM_NR, IM_TRANS, columns, units, 0, 1);
            a += im_gemm_panel(in);
        }
    }
}

/* What dW and the units below need: act^T of every layer, and the last dz packed. */
static void prepare(void *context, size_t task, int thread)
{
    const backward_pass *b = context;
    const size_t blocks = output_blocks(b->tape);
    if (task < blocks) {
        pack_output(context, task, thread);
        return;
    }
    task -= blocks;
    const im_layer *layer = find_task(b->tape, panels_to_turn, &task);
    turn_panel(b->tape, (size_t)(layer - b->net->layer) + 1, task);
}

/* A piece of dW: a block of units, and of the last layer, which has few, some of the inputs.
 */
enum { OUTPUT_COLUMNS = 8 * IM_GEMM_NR };

static size_t piece_columns(const im_layer *layer)
{
    return layer->hidden || layer->in < OUTPUT_COLUMNS ? layer->in : OUTPUT_COLUMNS;
}

/* How many pieces of dW one part of the units has. */
static size_t weight_pieces(const im_tape *tape, const im_layer *layer)
{
    const size_t columns = piece_columns(layer);
    return im_blocks_per_part(layer->out, tape->parts) * ((layer->in + columns - 1) / columns);
}

/* New values of parameters `first` on, whose gradient is g (count). */
static void update(const backward_pass *b, const im_real *g, size_t first, size_t count)
{
    if (b->adam)
        im_adam_update(b->adam, b->net->params, g, first, count);
    else
        im_sgd_update(b->sgd, b->net->params, g, first, count);
}

static bool updates(const backward_pass *b)
{
    return b->adam || b->sgd;
}

static void update_range(const backward_pass *b, im_real *from, size_t count)
{
    const size_t first = (size_t)(from - b->net->params);
    update(b, b->tape->grad + first, first, count);
}

/* The last layer's bias has no normalization below it to compute its gradient. */
static void output_bias(const im_tape *tape, const im_layer *layer, size_t first, size_t count)
{
    im_real *grad = tape->grad + (layer->bias - tape->net->params);
    for (size_t u = first; u < first + count; u++) {
        double sum = 0;
        for (size_t r = 0; r < tape->branches; r++)
            for (size_t i = 0; i < tape->n; i++)
                sum += tape->dz[layer - tape->net->layer][u * tape->ld + r * tape->width + i];
        grad[u] = (im_real)sum;
    }
}

/* Biases, or gains, of a block of units, whose gradient is known but for the decay. */
static void vector_block(const backward_pass *b, im_real *from, size_t count)
{
    im_real *grad = b->tape->grad + (from - b->net->params);
    if (b->decay > 0)
        for (size_t i = 0; i < count; i++)
            grad[i] += (im_real)b->decay * from[i];
    if (updates(b))
        update_range(b, from, count);
}

/* Gains and biases of a block of units. */
static void vectors_block(const backward_pass *b, const im_layer *layer, size_t first,
                          size_t count)
{
    if (!layer->hidden)
        output_bias(b->tape, layer, first, count);
    vector_block(b, layer->bias + first, count);
    if (layer->gain)
        vector_block(b, layer->gain + first, count);
}

/* A piece of dW, at first units x columns, `ld` apart. */
typedef struct piece {
    const im_layer *layer;
    size_t first, count, column, columns;
    im_real *dw;
    size_t ld, width; /* width: columns that may be written, whole panels if it can be */
} piece;

/* The gradient goes to its place, or, if it is taken at once, to where it stays in the
 * cache: through memory it cost 3 % of a step. */
static piece find_piece(const backward_pass *b, size_t task, int thread)
{
    const size_t of_part = count_tasks(b->tape, weight_pieces), part = task / of_part;
    task %= of_part;
    const im_layer *layer = find_task(b->tape, weight_pieces, &task);
    const size_t blocks = im_blocks_per_part(layer->out, b->tape->parts);
    const size_t width = piece_columns(layer), column = task / blocks * width;
    const im_units block =
        im_blocks_at(layer->out, b->tape->parts, part * blocks + task % blocks);
    piece p = {.layer = layer, .first = block.first, .count = block.count, .column = column};
    p.columns = layer->in - column < width ? layer->in - column : width;
    p.ld = updates(b) ? im_gemm_panels(p.columns) * IM_GEMM_NR : layer->in;
    p.width = updates(b) ? p.ld : p.columns;
    p.dw = updates(b) ? b->tape->dw[thread]
                      : b->tape->grad + (layer->w - b->net->params) + p.first * p.ld + column;
    return p;
}

/* New weights of a piece of W, row by row, behind the gradient of weight decay. */
static void update_piece(const backward_pass *b, const piece *p)
{
    const im_real decay = (im_real)b->decay;
    for (size_t i = 0; i < p->count; i++) {
        im_real *w = p->layer->w + (p->first + i) * p->layer->in + p->column;
        im_real *dw = p->dw + i * p->ld;
        if (b->decay > 0)
            for (size_t j = 0; j < p->columns; j++)
                dw[j] += decay * w[j];
        if (updates(b))
            update(b, dw, (size_t)(w - b->net->params), p->columns);
    }
}

static void weights_piece(void *context, size_t task, int thread)
{
    const backward_pass *b = context;
    im_tape *tape = b->tape;
    const piece p = find_piece(b, task, thread);
    const size_t l = (size_t)(p.layer - b->net->layer);
    const bool sparse = l == 0 && tape->sparse;
    if (sparse)
        im_sparse_input_gradient(tape->sparse, tape->kernel, p.dw, p.ld, p.column, p.columns,
                                 tape->dz[l] + p.first * tape->ld, tape->ld, p.count, thread);
    for (size_t r = sparse ? 1 : 0; r < tape->branches; r++)
        im_gemm(tape->kernel, p.dw, p.ld,
                im_tape_branch(tape, tape->dz[l], r) + p.first * tape->ld, tape->ld, IM_NO,
                tape->turned[l] + r * im_gemm_packed(tape->n, p.layer->in) +
                    p.column * tape->n,
                p.count, p.width, tape->n, r > 0, tape->scratch[thread]);
    update_piece(b, &p);
    if (p.column == 0)
        vectors_block(b, p.layer, p.first, p.count);
}

static void run(backward_pass *b)
{
    im_tape *tape = b->tape;
    im_pool_run(tape->pool, prepare, b,
                output_blocks(tape) + count_tasks(tape, panels_to_turn));
    descend(b);
    im_pool_run(tape->pool, weights_piece, b, tape->parts * count_tasks(tape, weight_pieces));
}

void im_tape_backward(im_tape *tape, im_net *net, im_adam *adam, double decay)
{
    assert(net->nparams == tape->net->nparams && (!adam || adam->n == net->nparams));
    backward_pass b = {
        .tape = tape, .net = net, .adam = adam, .decay = decay, .branches = tape->branches};
    if (adam)
        im_adam_begin(adam);
    run(&b);
}

void im_tape_backward_sgd(im_tape *tape, im_net *net, const im_sgd *sgd)
{
    assert(net->nparams == tape->net->nparams && sgd->n == net->nparams);
    backward_pass b = {.tape = tape, .net = net, .sgd = sgd, .branches = tape->branches};
    run(&b);
}
