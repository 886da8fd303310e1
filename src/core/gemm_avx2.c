/* SPDX-License-Identifier: MIT
 *
 * The tile for AVX2 with FMA: four quarters of 6 x 16, each 12 accumulators of 8 floats,
 * two registers of B and one broadcast of A: 15 of 16 registers. */
#include "core/gemm_tiles.h"

#if defined(__x86_64__) && !defined(IM_REAL_DOUBLE)
#include <immintrin.h>

enum { ROWS = 6, COLS = 16 };

/* 2 group rows, 16 columns; group is known where this is inlined. */
__attribute__((target("avx2,fma"), always_inline)) static inline void rows_avx2(
    const int group, float *c, size_t ldc, const float *a, size_t row_step, size_t depth_step,
    const float *b, size_t depth, bool accumulate)
{
    __m256 sum[ROWS][2];
#pragma GCC unroll 6
    for (int i = 0; i < 2 * group; i++)
#pragma GCC unroll 2
        for (int j = 0; j < 2; j++)
            sum[i][j] = accumulate ? _mm256_loadu_ps(c + (size_t)i * ldc + 8 * j)
                                   : _mm256_setzero_ps();
    const float *a0 = a, *a1 = a + (size_t)group * row_step;
    for (size_t p = 0; p < depth; p++) {
        const __m256 b0 = _mm256_loadu_ps(b), b1 = _mm256_loadu_ps(b + 8);
#pragma GCC unroll 3
        for (int i = 0; i < group; i++) {
            const __m256 x0 = _mm256_set1_ps(a0[(size_t)i * row_step]);
            sum[i][0] = _mm256_fmadd_ps(x0, b0, sum[i][0]);
            sum[i][1] = _mm256_fmadd_ps(x0, b1, sum[i][1]);
            const __m256 x1 = _mm256_set1_ps(a1[(size_t)i * row_step]);
            sum[i + group][0] = _mm256_fmadd_ps(x1, b0, sum[i + group][0]);
            sum[i + group][1] = _mm256_fmadd_ps(x1, b1, sum[i + group][1]);
        }
        a0 += depth_step;
        a1 += depth_step;
        b += IM_GEMM_NR;
    }
#pragma GCC unroll 6
    for (int i = 0; i < 2 * group; i++)
#pragma GCC unroll 2
        for (int j = 0; j < 2; j++)
            _mm256_storeu_ps(c + (size_t)i * ldc + 8 * j, sum[i][j]);
}

__attribute__((target("avx2,fma"))) static void tile_avx2(float *c, size_t ldc, const float *a,
                                                          size_t row_step, size_t depth_step,
                                                          const float *b, size_t depth,
                                                          bool accumulate)
{
    for (size_t j = 0; j < IM_GEMM_NR; j += COLS)
        for (size_t i = 0; i < IM_GEMM_MR; i += ROWS)
            rows_avx2(ROWS / 2, c + i * ldc + j, ldc, a + i * row_step, row_step, depth_step,
                      b + j, depth, accumulate);
}

__attribute__((target("avx2,fma"))) static void few_avx2(float *c, size_t ldc, const float *a,
                                                         size_t row_step, size_t depth_step,
                                                         const float *b, size_t depth,
                                                         bool accumulate)
{
    for (size_t j = 0; j < IM_GEMM_NR; j += COLS)
        rows_avx2(IM_GEMM_FEW / 2, c + j, ldc, a, row_step, depth_step, b + j, depth,
                  accumulate);
}

const im_gemm_kernel *im_gemm_avx2(void)
{
    static const im_gemm_kernel kernel = {"avx2", tile_avx2, few_avx2};
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kernel : NULL;
}
#else
const im_gemm_kernel *im_gemm_avx2(void)
{
    return NULL;
}
#endif
