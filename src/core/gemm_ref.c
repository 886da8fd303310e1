/* SPDX-License-Identifier: MIT
 *
 * The tile in plain C: the meaning of gemm, the fallback, and the kernel of the double build.
 * It has the bits of the fused kernels on every machine (but in the double build, where there
 * is nothing to compare it with).
 *
 * Where the machine cannot fuse, a product of floats is still exact in double, and the sum is
 * rounded to double and then to float. Rounding twice differs from rounding once only where
 * the double lies halfway between two floats, as it seldom does; then fmaf() decides, which is
 * right everywhere and slow. (Halfway between two subnormal numbers is not looked for: tasks
 * take these as zero, core/flush.h.) An element takes 0.49 ns a step so, where rounding
 * product and sum apart takes 0.05, and fmaf() of glibc without the instruction 40.
 */
#include "core/gemm_tiles.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { NR = IM_GEMM_NR };

#if defined(IM_REAL_DOUBLE)

/* sum += x b, both (32), every element rounded once. */
static void add_product(im_real *sum, im_real x, const im_real *b)
{
    for (size_t j = 0; j < NR; j++)
        sum[j] += x * b[j];
}

#elif defined(__FP_FAST_FMAF)

static void add_product(im_real *sum, im_real x, const im_real *b)
{
    for (size_t j = 0; j < NR; j++)
        sum[j] = fmaf(x, b[j], sum[j]);
}

#else

/* Of the 52 bits behind the point a float keeps 23: is what it drops 1000...? */
static uint32_t is_halfway(double s)
{
    uint64_t bits;
    memcpy(&bits, &s, sizeof bits);
    return ((uint32_t)bits & 0x1FFFFFFF) == 0x10000000;
}

static void add_product(im_real *sum, im_real x, const im_real *b)
{
    double twice[NR];
    uint32_t halfway = 0;
    for (size_t j = 0; j < NR; j++)
        twice[j] = (double)x * b[j] + sum[j];
    for (size_t j = 0; j < NR; j++)
        halfway |= is_halfway(twice[j]);
    if (halfway)
        for (size_t j = 0; j < NR; j++)
            sum[j] = fmaf(x, b[j], sum[j]);
    else
        for (size_t j = 0; j < NR; j++)
            sum[j] = (im_real)twice[j];
}

#endif

static void rows_ref(size_t rows, im_real *c, size_t ldc, const im_gemm_rows *g,
                     const im_real *b)
{
    for (size_t i = 0; i < rows; i++) {
        im_real sum[NR];
        for (size_t j = 0; j < NR; j++)
            sum[j] = g->accumulate ? c[i * ldc + j] : 0;
        for (size_t p = 0; p < g->depth; p++)
            add_product(sum, g->a[i * g->row_step + p * g->depth_step], b + p * NR);
        for (size_t j = 0; j < NR; j++)
            c[i * ldc + j] = sum[j];
    }
}

static void tile_ref(im_real *c, size_t ldc, const im_gemm_rows *g, const im_real *b)
{
    rows_ref(IM_GEMM_MR, c, ldc, g, b);
}

static void few_ref(im_real *c, size_t ldc, const im_gemm_rows *g, const im_real *b)
{
    rows_ref(IM_GEMM_FEW, c, ldc, g, b);
}

static void sparse_row_ref(im_real *c, const im_gemm_sparse *a, const im_real *b,
                           bool accumulate)
{
    im_real sum[NR];
    for (size_t j = 0; j < NR; j++)
        sum[j] = accumulate ? c[j] : 0;
    for (size_t p = 0; p < a->count; p++)
        add_product(sum, a->value[p], b + (size_t)a->column[p] * NR);
    memcpy(c, sum, sizeof sum);
}

const im_gemm_kernel im_gemm_ref = {"ref", tile_ref, few_ref, sparse_row_ref, IM_GEMM_KC};
