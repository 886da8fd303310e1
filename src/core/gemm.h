/* SPDX-License-Identifier: MIT
 *
 * Matrix products, single-threaded inside a call; callers cut the rows of C into blocks and
 * give each block to a task.
 *
 *     C (m,n) = A (m,k) B (k,n)       row-major;  or C += A B
 *
 * Contract: every element is c = fma(a_ip, b_pj, c) for p = 0, 1, ..., k - 1, in this order,
 * starting from 0 (or from the old c). So it depends on its row of A and its column of B
 * alone: not on the block it was computed in, its place there, the other rows, the number of
 * threads, or the kernel: AVX2, AVX-512 or plain C on a machine that cannot fuse. Prediction
 * of a row that does not depend on its neighbors, and training that does not depend on the
 * thread count or the machine, rest on this. (Where subnormal numbers are zero, core/flush.h,
 * as in every task of a pool.)
 *
 * Why not a BLAS: none promises any of it. OpenBLAS picks kernels by shape, so a row's result
 * depends on the rows beside it, and its thread count is a setting of the whole process.
 */
#ifndef IM_CORE_GEMM_H
#define IM_CORE_GEMM_H

#include "core/real.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IM_GEMM_NR = 32,  /* columns of a packed panel of B */
    IM_GEMM_MR = 12,  /* rows of a register tile */
    IM_GEMM_FEW = 4,  /* rows of the small one, for the last rows of A */
    IM_GEMM_KC = 800, /* most depth that a kernel takes at a time */
    IM_GEMM_SCRATCH = IM_GEMM_MR * IM_GEMM_KC + IM_GEMM_MR * IM_GEMM_NR /* im_real */
};

typedef enum im_trans {
    IM_NO,
    IM_TRANS, /* of B: stored (n,k) */
    IM_PACKED /* of A: by im_gemm_pack_left() */
} im_trans;

/* Rows of A, a slice of their depth. Element (i,p) is at a[i * row_step + p * depth_step]. */
typedef struct im_gemm_rows {
    const im_real *a;
    size_t row_step, depth_step;
    size_t rows, depth;
    bool accumulate;      /* onto what c holds, or onto 0 */
    const im_real *ahead; /* a hint: two runs of `depth` elements that are read next, to be */
    size_t ahead_step;    /* fetched while the tile runs; this far apart */
} im_gemm_rows;

/* A register tile: c (12,32) = or += A (12,depth) b (depth,32), b packed. */
typedef void (*im_gemm_tile)(im_real *c, size_t ldc, const im_gemm_rows *g, const im_real *b);

/* A row whose elements are mostly zero: the columns of the others, ascending, and their
 * values.
 */
typedef struct im_gemm_sparse {
    const int32_t *column; /* (count) */
    const im_real *value;  /* (count) */
    size_t count;
} im_gemm_sparse;

/* c (32) = or += a b, b packed. Since fma(0, b, c) is c, leaving out the zeros changes no bit
 * of what the tiles give, as long as b is finite (core/sparse.h). */
typedef void (*im_gemm_sparse_row)(im_real *c, const im_gemm_sparse *a, const im_real *b,
                                   bool accumulate);

/* One per instruction set. */
typedef struct im_gemm_kernel {
    const char *name;
    im_gemm_tile tile, few; /* of 12 rows, and of 4 */
    im_gemm_sparse_row sparse_row;
    size_t depth; /* most depth of one call */
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

/* From one panel of a packed B (k,n) to the next. Row p of a panel is p * IM_GEMM_NR on. */
static inline size_t im_gemm_panel(size_t k)
{
    return k * IM_GEMM_NR;
}

/* Write row p of a packed B (k,n), or read it: for those who have a row at hand. Columns
 * beyond n are left alone, and should be finite. */
void im_gemm_put_row(im_real *packed, size_t k, size_t n, size_t p, const im_real *row);
void im_gemm_get_row(im_real *row, const im_real *packed, size_t k, size_t n, size_t p);

/* How many im_real a packed A (m,k) takes: m is rounded up to whole tiles. */
size_t im_gemm_packed_left(size_t m, size_t k);

/* Pack A (m,k), stored transposed (k,m): depth p .. p + depth - 1 of all rows. Rows beyond m
 * are left alone, and should be finite. Rows i on, i a multiple of IM_GEMM_MR, start at
 * packed + i * k. */
void im_gemm_pack_left(im_real *packed, const im_real *a, size_t lda, size_t m, size_t k,
                       size_t p, size_t depth);

/* c (m,n) = or += A times a packed B. A is row-major, or packed (IM_PACKED; lda is not looked
 * at). Columns of c beyond n are left alone. scratch: IM_GEMM_SCRATCH im_real of this thread.
 */
void im_gemm(const im_gemm_kernel *kernel, im_real *c, size_t ldc, const im_real *a,
             size_t lda, im_trans form, const im_real *packed, size_t m, size_t n, size_t k,
             bool accumulate, im_real *scratch);

#endif
