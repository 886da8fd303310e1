/* SPDX-License-Identifier: MIT
 *
 * The tile in plain C: the meaning of gemm, the fallback, and the kernel of the double
 * build. Product and sum are rounded apart, so its bits differ from the fused kernels'. */
#include "core/gemm_tiles.h"

static void rows_ref(size_t rows, im_real *c, size_t ldc, const im_gemm_rows *g,
                     const im_real *b)
{
    for (size_t i = 0; i < rows; i++) {
        im_real sum[IM_GEMM_NR];
        for (size_t j = 0; j < IM_GEMM_NR; j++)
            sum[j] = g->accumulate ? c[i * ldc + j] : 0;
        for (size_t p = 0; p < g->depth; p++) {
            const im_real x = g->a[i * g->row_step + p * g->depth_step];
            for (size_t j = 0; j < IM_GEMM_NR; j++)
                sum[j] += x * b[p * IM_GEMM_NR + j];
        }
        for (size_t j = 0; j < IM_GEMM_NR; j++)
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

const im_gemm_kernel im_gemm_ref = {"ref", tile_ref, few_ref, IM_GEMM_KC};
