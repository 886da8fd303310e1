/* SPDX-License-Identifier: MIT
 * See sparse.h. */
#include "core/sparse.h"

#include "core/transpose.h"

#include <assert.h>
#include <string.h>

void im_sparse_multiply_row(const im_gemm_kernel *kernel, im_real *c,
                            const im_gemm_sparse *row, const im_real *packed, size_t n,
                            size_t k)
{
    size_t j = 0;
    for (; j + IM_GEMM_NR <= n; j += IM_GEMM_NR)
        kernel->sparse_row(c + j, row, packed + j * k, false);
    if (j < n) {
        im_real part[IM_GEMM_NR];
        kernel->sparse_row(part, row, packed + j * k, false);
        memcpy(c + j, part, (n - j) * sizeof *c);
    }
}

void im_sparse_multiply_turned(const im_gemm_kernel *kernel, im_real *c, size_t ldc,
                               const im_sparse *a, size_t first, size_t rows,
                               const im_real *packed, size_t n, const im_real *begin)
{
    assert(n <= IM_GEMM_NR && first + rows <= a->rows && ldc >= rows);
    im_real tile[IM_GEMM_NR][IM_GEMM_NR];
    for (size_t i = 0; i < rows; i += IM_GEMM_NR) {
        const size_t count = rows - i < IM_GEMM_NR ? rows - i : IM_GEMM_NR;
        for (size_t r = 0; r < count; r++) {
            const im_gemm_sparse row = im_sparse_row(a, first + i + r);
            if (begin)
                memcpy(tile[r], begin, n * sizeof *begin);
            kernel->sparse_row(tile[r], &row, packed, begin != NULL);
        }
        im_transpose(c + i, ldc, tile[0], IM_GEMM_NR, count, n);
    }
}

/* A counting sort by column: rows are taken in order, so they ascend in each column. */
im_sparse im_sparse_turn(const im_sparse *a, size_t *start, int32_t *column, im_real *value)
{
    const size_t count = a->start[a->rows];
    memset(start, 0, (a->columns + 1) * sizeof *start);
    for (size_t e = 0; e < count; e++)
        start[a->column[e] + 1]++;
    for (size_t j = 0; j < a->columns; j++)
        start[j + 1] += start[j];
    for (size_t i = 0; i < a->rows; i++)
        for (size_t e = a->start[i]; e < a->start[i + 1]; e++) {
            const size_t to = start[a->column[e]]++;
            column[to] = (int32_t)i;
            value[to] = a->value[e];
        }
    memmove(start + 1, start, a->columns * sizeof *start); /* filling moved each to its end */
    start[0] = 0;
    return (im_sparse){a->columns, a->rows, start, column, value};
}
