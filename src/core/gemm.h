/* SPDX-License-Identifier: MIT
 *
 * Matrix products, single-threaded inside a call; callers cut the rows of C into blocks and
 * give each block to a task.
 *
 *     C (m,n) = op(A) (m,k) B (k,n)       row-major;  or C += op(A) B
 *
 * Contract: every element is c = fma(a_ip, b_pj, c) for p = 0, 1, ..., k - 1, in this order,
 * starting from 0 (or from the old c). So it depends on its row of A and its column of B
 * alone: not on the block it was computed in, its place there, the other rows, the number of
 * threads, or whether AVX2 or AVX-512 ran. (The plain C kernel rounds product and sum apart.)
 * Prediction of a row that does not depend on its neighbors, and training that does not
 * depend on the thread count, rest on this.
 *
 * Why not a BLAS: none promises any of it. OpenBLAS picks kernels by shape, so a row's result
 * depends on the rows beside it, and its thread count is a setting of the whole process.
 */
#ifndef IM_CORE_GEMM_H
#define IM_CORE_GEMM_H

#include "core/real.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    IM_GEMM_NR = 32,  /* columns of a packed panel of B */
    IM_GEMM_MR = 12,  /* rows of a register tile */
    IM_GEMM_KC = 320, /* depth taken at a time: a tile's rows of A stay in L1 (15 KiB) */
    IM_GEMM_SCRATCH = IM_GEMM_MR * IM_GEMM_KC + IM_GEMM_MR * IM_GEMM_NR /* im_real */
};

typedef enum im_trans { IM_NO, IM_TRANS } im_trans;

/* A register tile: c (12,32) = or += a (12,depth) b (depth,32). Element (i,p) of a is at
 * a[i * row_step + p * depth_step]; b is packed; one function per instruction set. */
typedef struct im_gemm_kernel {
    const char *name;
    void (*tile)(im_real *c, size_t ldc, const im_real *a, size_t row_step, size_t depth_step,
                 const im_real *b, size_t depth, bool accumulate);
} im_gemm_kernel;

/* The fastest kernel this machine runs, or the plain C one. */
const im_gemm_kernel *im_gemm_select(bool reference);

/* How many im_real a packed B (k,n) takes: n is rounded up to whole panels. */
size_t im_gemm_packed(size_t k, size_t n);
size_t im_gemm_panels(size_t n);

/* Pack `count` panels of B from panel `first` on. With IM_TRANS, b is stored (n,k).
 * Columns beyond n are zero. Panels may be packed by different threads. */
void im_gemm_pack(im_real *packed, const im_real *b, size_t ldb, im_trans trans, size_t k,
                  size_t n, size_t first, size_t count);

/* c (m,n) = or += op(A) times a packed B. With IM_TRANS, a is stored (k,m). Columns of c
 * beyond n are left alone. scratch: IM_GEMM_SCRATCH im_real of this thread. */
void im_gemm(const im_gemm_kernel *kernel, im_real *c, size_t ldc, const im_real *a,
             size_t lda, im_trans trans, const im_real *packed, size_t m, size_t n, size_t k,
             bool accumulate, im_real *scratch);

#endif
