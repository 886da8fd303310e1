/* SPDX-License-Identifier: MIT
 *
 * The tile for AVX2 with FMA: four quarters of 6 x 16, each 12 accumulators of 8 floats,
 * two registers of B and one broadcast of A: 15 of 16 registers. What is needed next is asked
 * for as in gemm_avx512.c; a product of 600 x 256 x 1200 gained a tenth. */
#include "core/gemm_tiles.h"

#if defined(__x86_64__) && !defined(IM_REAL_DOUBLE)
#include <immintrin.h>

enum {
    ROWS = 6,
    COLS = 16,
    APART = 8,  /* as for AVX-512 */
    DEPTH = 320 /* twelve rows of A in L1: 800 took longer at a depth of 1200 */
};

/* 2 group rows, 16 columns; group is known where this is inlined. */
__attribute__((target("avx2,fma"), always_inline)) static inline void rows_avx2(
    const int group, float *c, size_t ldc, const im_gemm_rows *g, size_t first, const float *b)
{
    const size_t row_step = g->row_step;
    const float *ahead = g->ahead + (first ? g->ahead_step : 0), *row = c;
    __m256 sum[ROWS][2];
#pragma GCC unroll 6
    for (int i = 0; i < 2 * group; i++)
#pragma GCC unroll 2
        for (int j = 0; j < 2; j++)
            sum[i][j] = g->accumulate ? _mm256_loadu_ps(c + (size_t)i * ldc + 8 * j)
                                      : _mm256_setzero_ps();
    const float *a0 = g->a + first * row_step, *a1 = a0 + (size_t)group * row_step;
    for (size_t p = 0; p < g->depth; p++) {
        const __m256 b0 = _mm256_loadu_ps(b), b1 = _mm256_loadu_ps(b + 8);
        _mm_prefetch((const char *)(b + 16 * IM_GEMM_NR), _MM_HINT_T0);
        _mm_prefetch((const char *)(ahead + p), _MM_HINT_T0);
        if (p % APART == 0 && row < c + 2 * (size_t)group * ldc) {
            __builtin_prefetch(row, 1);
            row += ldc;
        }
#pragma GCC unroll 3
        for (int i = 0; i < group; i++) {
            const __m256 x0 = _mm256_set1_ps(a0[(size_t)i * row_step]);
            sum[i][0] = _mm256_fmadd_ps(x0, b0, sum[i][0]);
            sum[i][1] = _mm256_fmadd_ps(x0, b1, sum[i][1]);
            const __m256 x1 = _mm256_set1_ps(a1[(size_t)i * row_step]);
            sum[i + group][0] = _mm256_fmadd_ps(x1, b0, sum[i + group][0]);
            sum[i + group][1] = _mm256_fmadd_ps(x1, b1, sum[i + group][1]);
        }
        a0 += g->depth_step;
        a1 += g->depth_step;
        b += IM_GEMM_NR;
    }
#pragma GCC unroll 6
    for (int i = 0; i < 2 * group; i++)
#pragma GCC unroll 2
        for (int j = 0; j < 2; j++)
            _mm256_storeu_ps(c + (size_t)i * ldc + 8 * j, sum[i][j]);
}

__attribute__((target("avx2,fma"))) static void tile_avx2(float *c, size_t ldc,
                                                          const im_gemm_rows *g,
                                                          const float *b)
{
    for (size_t j = 0; j < IM_GEMM_NR; j += COLS)
        for (size_t i = 0; i < IM_GEMM_MR; i += ROWS)
            rows_avx2(ROWS / 2, c + i * ldc + j, ldc, g, i, b + j);
}

__attribute__((target("avx2,fma"))) static void few_avx2(float *c, size_t ldc,
                                                         const im_gemm_rows *g, const float *b)
{
    for (size_t j = 0; j < IM_GEMM_NR; j += COLS)
        rows_avx2(IM_GEMM_FEW / 2, c + j, ldc, g, 0, b + j);
}

__attribute__((target("avx2,fma"))) static void sparse_row_avx2(float *c,
                                                                const im_gemm_sparse *a,
                                                                const float *b,
                                                                bool accumulate)
{
    enum { SUMS = IM_GEMM_NR / 8 };
    __m256 sum[SUMS];
#pragma GCC unroll 4
    for (int j = 0; j < SUMS; j++)
        sum[j] = accumulate ? _mm256_loadu_ps(c + 8 * j) : _mm256_setzero_ps();
    for (size_t p = 0; p < a->count; p++) {
        const float *row = b + (size_t)a->column[p] * IM_GEMM_NR;
        const __m256 x = _mm256_set1_ps(a->value[p]);
#pragma GCC unroll 4
        for (int j = 0; j < SUMS; j++)
            sum[j] = _mm256_fmadd_ps(x, _mm256_loadu_ps(row + 8 * j), sum[j]);
    }
#pragma GCC unroll 4
    for (int j = 0; j < SUMS; j++)
        _mm256_storeu_ps(c + 8 * j, sum[j]);
}

const im_gemm_kernel *im_gemm_avx2(void)
{
    static const im_gemm_kernel kernel = {"avx2", tile_avx2, few_avx2, sparse_row_avx2, DEPTH};
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kernel : NULL;
}
#else
const im_gemm_kernel *im_gemm_avx2(void)
{
    return NULL;
}
#endif
