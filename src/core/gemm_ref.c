/* SPDX-License-Identifier: MIT
 *
 * The tile in plain C: the meaning of gemm, the fallback, and the kernel of the double
 * build. Product and sum are rounded apart, so its bits differ from the fused kernels'. */
#include "core/gemm_tiles.h"

static void rows_ref(size_t rows, im_real *c, size_t ldc, const im_real *a, size_t row_step,
                     size_t depth_step, const im_real *b, size_t depth, bool accumulate)
{
    for (size_t i = 0; i < rows; i++) {
        im_real sum[IM_GEMM_NR];
        for (size_t j = 0; j < IM_GEMM_NR; j++)
            sum[j] = accumulate ? c[i * ldc + j] : 0;
        for (size_t p = 0; p < depth; p++) {
            const im_real x = a[i * row_step + p * depth_step];
            for (size_t j = 0; j < IM_GEMM_NR; j++)
                sum[j] += x * b[p * IM_GEMM_NR + j];
        }
        for (size_t j = 0; j < IM_GEMM_NR; j++)
            c[i * ldc + j] = sum[j];
    }
}

static void tile_ref(im_real *c, size_t ldc, const im_real *a, size_t row_step,
                     size_t depth_step, const im_real *b, size_t depth, bool accumulate)
{
    rows_ref(IM_GEMM_MR, c, ldc, a, row_step, depth_step, b, depth, accumulate);
}

static void few_ref(im_real *c, size_t ldc, const im_real *a, size_t row_step,
                    size_t depth_step, const im_real *b, size_t depth, bool accumulate)
{
    rows_ref(IM_GEMM_FEW, c, ldc, a, row_step, depth_step, b, depth, accumulate);
}

const im_gemm_kernel im_gemm_ref = {"ref", tile_ref, few_ref};
