/* SPDX-License-Identifier: MIT
 *
 * The tile for AVX-512: 12 x 2 accumulators of 16 floats, two registers of B, one broadcast
 * of A: 27 of 32 registers, and 24 independent sums hide the latency of the FMA. */
#include "core/gemm_tiles.h"

#if defined(__x86_64__) && !defined(IM_REAL_DOUBLE)
#include <immintrin.h>

enum { ROWS = IM_GEMM_MR, GROUP = 3 };

__attribute__((target("avx512f"))) static void tile_avx512(float *c, size_t ldc,
                                                           const float *a, size_t row_step,
                                                           size_t depth_step, const float *b,
                                                           size_t depth, bool accumulate)
{
    __m512 sum[ROWS][2];
#pragma GCC unroll 12
    for (int i = 0; i < ROWS; i++)
#pragma GCC unroll 2
        for (int j = 0; j < 2; j++)
            sum[i][j] = accumulate ? _mm512_loadu_ps(c + (size_t)i * ldc + 16 * j)
                                   : _mm512_setzero_ps();
    /* Four pointers three rows apart: every address is base + {0, 1, 2} row_step, which
     * the machine encodes without a register per row. */
    const float *a0 = a, *a3 = a + GROUP * row_step, *a6 = a3 + GROUP * row_step,
                *a9 = a6 + GROUP * row_step;
    for (size_t p = 0; p < depth; p++) {
        const __m512 b0 = _mm512_loadu_ps(b), b1 = _mm512_loadu_ps(b + 16);
        _mm_prefetch((const char *)(b + 16 * IM_GEMM_NR), _MM_HINT_T0);
        _mm_prefetch((const char *)(b + 16 * IM_GEMM_NR + 16), _MM_HINT_T0);
#pragma GCC unroll 3
        for (int i = 0; i < GROUP; i++) {
            const __m512 x0 = _mm512_set1_ps(a0[(size_t)i * row_step]);
            const __m512 x3 = _mm512_set1_ps(a3[(size_t)i * row_step]);
            const __m512 x6 = _mm512_set1_ps(a6[(size_t)i * row_step]);
            const __m512 x9 = _mm512_set1_ps(a9[(size_t)i * row_step]);
            sum[i][0] = _mm512_fmadd_ps(x0, b0, sum[i][0]);
            sum[i][1] = _mm512_fmadd_ps(x0, b1, sum[i][1]);
            sum[i + 3][0] = _mm512_fmadd_ps(x3, b0, sum[i + 3][0]);
            sum[i + 3][1] = _mm512_fmadd_ps(x3, b1, sum[i + 3][1]);
            sum[i + 6][0] = _mm512_fmadd_ps(x6, b0, sum[i + 6][0]);
            sum[i + 6][1] = _mm512_fmadd_ps(x6, b1, sum[i + 6][1]);
            sum[i + 9][0] = _mm512_fmadd_ps(x9, b0, sum[i + 9][0]);
            sum[i + 9][1] = _mm512_fmadd_ps(x9, b1, sum[i + 9][1]);
        }
        a0 += depth_step;
        a3 += depth_step;
        a6 += depth_step;
        a9 += depth_step;
        b += IM_GEMM_NR;
    }
#pragma GCC unroll 12
    for (int i = 0; i < ROWS; i++)
#pragma GCC unroll 2
        for (int j = 0; j < 2; j++)
            _mm512_storeu_ps(c + (size_t)i * ldc + 16 * j, sum[i][j]);
}

const im_gemm_kernel *im_gemm_avx512(void)
{
    static const im_gemm_kernel kernel = {"avx512", tile_avx512};
    return __builtin_cpu_supports("avx512f") ? &kernel : NULL;
}
#else
const im_gemm_kernel *im_gemm_avx512(void)
{
    return NULL;
}
#endif
