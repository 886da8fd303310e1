/* SPDX-License-Identifier: MIT
 *
 * Products with sparse rows: of each row only the elements that are not zero are there.
 *
 *     C (m,n) = A (m,k) B (k,n)       A sparse, B packed as for im_gemm()
 *
 * They have the bits that im_gemm() gives with the zeros in A: an element is fma(a_ip, b_pj,
 * c) for ascending p, and fma(0, b, c) is c. (It holds while B is finite, since 0 times
 * infinity is not 0, and but for the sign of a sum that is 0.) So a network that sees its data
 * as sparse rows is the same, to the bit, as one that sees the zeros.
 */
#ifndef IM_CORE_SPARSE_H
#define IM_CORE_SPARSE_H

#include "core/gemm.h"

/* Row i has the elements start[i] .. start[i + 1] - 1; in it, columns ascend. */
typedef struct im_sparse {
    size_t rows, columns;
    const size_t *start;   /* (rows + 1) */
    const int32_t *column; /* (start[rows]), from 0 on */
    const im_real *value;  /* (start[rows]) */
} im_sparse;

static inline im_gemm_sparse im_sparse_row(const im_sparse *a, size_t i)
{
    return (im_gemm_sparse){.column = a->column + a->start[i],
                            .value = a->value + a->start[i],
                            .count = a->start[i + 1] - a->start[i]};
}

/* c (n) = row times a packed B (k,n). Elements of c beyond n are left alone. */
void im_sparse_multiply_row(const im_gemm_kernel *kernel, im_real *c,
                            const im_gemm_sparse *row, const im_real *packed, size_t n,
                            size_t k);

/* c (n,rows) = the product of rows first .. first + rows - 1 of A with a B (k,n) of one panel,
 * n at most IM_GEMM_NR, turned; begin (n): what every row of the product starts from, NULL: 0.
 */
void im_sparse_multiply_turned(const im_gemm_kernel *kernel, im_real *c, size_t ldc,
                               const im_sparse *a, size_t first, size_t rows,
                               const im_real *packed, size_t n, const im_real *begin);

/* A^T, into arrays of the caller: start (columns + 1), column and value as many as A has.
 * Afterwards `start`, `column` and `value` are those of the sparse matrix that is returned. */
im_sparse im_sparse_turn(const im_sparse *a, size_t *start, int32_t *column, im_real *value);

#endif
