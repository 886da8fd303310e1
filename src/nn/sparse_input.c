/* SPDX-License-Identifier: MIT
 *
 * See sparse_input.h. W is turned a block of units at a time, to be read by inputs. With few
 * elements a row that takes longer than the product itself, and is still a small part of a
 * step: the alternative, to gather the weights of each element from the rows of W, touches a
 * line of the cache for each of them.
 */
#include "nn/sparse_input.h"

#include "core/alloc.h"
#include "core/lanes.h"
#include "core/transpose.h"

#include <assert.h>

/* ---- memory ---------------------------------------------------------------- */

static size_t lay_out(im_sparse_input *in, void *base, size_t threads)
{
    const size_t depth = in->dim + 1 > in->most ? in->dim + 1 : in->most;
    im_carver c = {base, 0};
    in->start = im_carve(&c, in->most + 1, sizeof *in->start);
    in->column = im_carve(&c, in->room, sizeof *in->column);
    in->value = im_carve(&c, in->room, sizeof *in->value);
    in->turned_start = im_carve(&c, in->dim + 2, sizeof *in->turned_start);
    in->turned_column = im_carve(&c, in->room, sizeof *in->turned_column);
    in->turned_value = im_carve(&c, in->room, sizeof *in->turned_value);
    in->factor = im_carve(&c, threads, sizeof *in->factor);
    for (size_t i = 0; i < threads; i++) {
        im_real *factor = im_carve(&c, depth * IM_GEMM_NR, sizeof *factor);
        if (base)
            in->factor[i] = factor;
    }
    return c.used;
}

imsat_status im_sparse_input_new(im_sparse_input *out, size_t dim, size_t most, size_t longest,
                                 const im_real *background, size_t threads, imsat_error *err)
{
    im_sparse_input in = {.dim = dim, .most = most, .background = background};
    if (im_size_mul(&in.room, most, longest + 1))
        in.memory = im_alloc(lay_out(&in, NULL, threads), 1);
    if (!in.memory)
        return im_fail_memory(err, "the mini-batches; lower the batch size");
    lay_out(&in, in.memory, threads);
    *out = in;
    return IMSAT_OK;
}

void im_sparse_input_clear(im_sparse_input *input)
{
    im_free(input->memory);
    *input = (im_sparse_input){0};
}

/* ---- filling --------------------------------------------------------------- */

void im_sparse_input_begin(im_sparse_input *in)
{
    in->rows = (im_sparse){0, in->dim + 1, in->start, in->column, in->value};
    in->start[0] = 0;
}

void im_sparse_input_count(im_sparse_input *in, size_t count)
{
    assert(in->rows.rows < in->most);
    const size_t row = in->rows.rows++, more = in->background ? 1 : 0;
    in->start[row + 1] = in->start[row] + count + more;
    assert(in->start[row + 1] <= in->room);
    if (more) {
        in->column[in->start[row] + count] = (int32_t)in->dim;
        in->value[in->start[row] + count] = 1;
    }
}

void im_sparse_input_end(im_sparse_input *in)
{
    in->turned =
        im_sparse_turn(&in->rows, in->turned_start, in->turned_column, in->turned_value);
}

/* Factors are one panel of which the columns beyond `count` are not set: what comes of them is
 * not looked at. */

/* ---- products -------------------------------------------------------------- */

size_t im_sparse_input_packed(size_t dim, size_t units)
{
    return im_gemm_packed(dim + 1, units);
}

IM_CLONES static double dot(const im_real *x, const im_real *y, size_t n)
{
    double lane[IM_LANES] = {0};
    size_t i = 0;
    for (; i + IM_LANES <= n; i += IM_LANES)
        for (size_t l = 0; l < IM_LANES; l++)
            lane[l] += (double)x[i + l] * y[i + l];
    for (size_t l = 0; i + l < n; l++)
        lane[l] += (double)x[i + l] * y[i + l];
    return im_lanes_join(lane);
}

void im_sparse_input_pack(im_real *factor, const im_real *w, size_t dim, size_t count,
                          const im_real *background)
{
    assert(count <= IM_GEMM_NR);
    im_transpose(factor, IM_GEMM_NR, w, dim, count, dim);
    for (size_t u = 0; background && u < count; u++)
        factor[dim * IM_GEMM_NR + u] = (im_real)dot(w + u * dim, background, dim);
}

void im_sparse_input_forward(const im_sparse_input *in, const im_gemm_kernel *kernel,
                             im_real *z, size_t ldz, const im_real *w, size_t count,
                             const im_real *begin, int thread)
{
    im_real *factor = in->factor[thread];
    if (count == 0)
        return;
    im_sparse_input_pack(factor, w, in->dim, count, in->background);
    im_sparse_multiply_turned(kernel, z, ldz, &in->rows, 0, in->rows.rows, factor, count,
                              begin);
}

/* dw += s b^T, s (count) being the gradient of the one more weight. */
static void add_background(const im_sparse_input *in, const im_gemm_kernel *kernel,
                           im_real *dw, size_t lddw, size_t column, size_t columns,
                           const im_real *factor, size_t count)
{
    im_real s[IM_GEMM_NR];
    im_sparse_multiply_turned(kernel, s, 1, &in->turned, in->dim, 1, factor, count, NULL);
    for (size_t u = 0; u < count; u++)
        for (size_t j = 0; j < columns; j++)
            dw[u * lddw + j] += s[u] * in->background[column + j];
}

void im_sparse_input_gradient(const im_sparse_input *in, const im_gemm_kernel *kernel,
                              im_real *dw, size_t lddw, size_t column, size_t columns,
                              const im_real *dz, size_t lddz, size_t count, int thread)
{
    im_real *factor = in->factor[thread];
    if (count == 0)
        return;
    im_transpose(factor, IM_GEMM_NR, dz, lddz, count, in->rows.rows);
    im_sparse_multiply_turned(kernel, dw, lddw, &in->turned, column, columns, factor, count,
                              NULL);
    if (in->background)
        add_background(in, kernel, dw, lddw, column, columns, factor, count);
}
