/* SPDX-License-Identifier: MIT
 *
 * A batch of sparse rows, as the first layer takes it: its product with W and the gradient of
 * W, in the time of the elements that are not zero. Both have the bits of the dense batch
 * (core/sparse.h).
 *
 * Preparation may turn zeros into something else, the same for all rows, as when the mean of a
 * column is subtracted: a background b. Then a row is b + x with x sparse, and nothing is
 * filled:
 *
 *     W (b + x) = W b + W x           W b is one more weight of each unit, and every row has
 * one more input, which is 1 dW = s b^T + sum over rows of dz x^T,    s = sum over rows of dz:
 * the gradient of that weight
 *
 * This is rounded otherwise than b + x is in one row: see docs/theory.md.
 */
#ifndef IM_NN_SPARSE_INPUT_H
#define IM_NN_SPARSE_INPUT_H

#include "core/sparse.h"
#include "core/status.h"

typedef struct im_sparse_input {
    size_t dim, most, room;    /* columns, without the one more; rows and elements at most */
    const im_real *background; /* (dim) borrowed; NULL: 0 */
    size_t *start;             /* (most + 1) */
    int32_t *column;           /* (room) */
    im_real *value;            /* (room) */
    im_sparse rows;            /* the batch: (n, dim + 1) */
    size_t *turned_start;      /* (dim + 2) of the batch, turned, and its arrays */
    int32_t *turned_column;
    im_real *turned_value;
    im_sparse turned; /* (dim + 1, n) */
    im_real *
        *factor;  /* [threads] (dim + 1 or most, IM_GEMM_NR) what rows are multiplied with */
    void *memory; /* owned */
} im_sparse_input;

/* For batches of at most `most` rows of at most `longest` elements. */
imsat_status im_sparse_input_new(im_sparse_input *out, size_t dim, size_t most, size_t longest,
                                 const im_real *background, size_t threads, imsat_error *err);
void im_sparse_input_clear(im_sparse_input *input);

/* Begin a batch; then tell how many elements row 0, 1, ... has, in order. */
void im_sparse_input_begin(im_sparse_input *input);
void im_sparse_input_count(im_sparse_input *input, size_t count);

/* Where the elements of a row go, columns ascending: from any thread, when all counts are
 * told.
 */
static inline int32_t *im_sparse_input_columns(const im_sparse_input *input, size_t row)
{
    return input->column + input->start[row];
}

static inline im_real *im_sparse_input_values(const im_sparse_input *input, size_t row)
{
    return input->value + input->start[row];
}

/* All rows are there. */
void im_sparse_input_end(im_sparse_input *input);

/* z (count,n) = W (count,dim) times the batch, plus begin (count); NULL: 0. */
void im_sparse_input_forward(const im_sparse_input *input, const im_gemm_kernel *kernel,
                             im_real *z, size_t ldz, const im_real *w, size_t count,
                             const im_real *begin, int thread);

/* dw (count,columns) = columns `column` on of the gradient of W, by dz (count,n). */
void im_sparse_input_gradient(const im_sparse_input *input, const im_gemm_kernel *kernel,
                              im_real *dw, size_t lddw, size_t column, size_t columns,
                              const im_real *dz, size_t lddz, size_t count, int thread);

/* How many im_real the weights of `units` units take as a factor of sparse rows. */
size_t im_sparse_input_packed(size_t dim, size_t units);

/* factor = W (count,dim), count at most IM_GEMM_NR, and W b, as a factor of sparse rows. */
void im_sparse_input_pack(im_real *factor, const im_real *w, size_t dim, size_t count,
                          const im_real *background);

#endif
