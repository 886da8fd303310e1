/* SPDX-License-Identifier: MIT
 *
 * The tile for AVX-512: 12 x 2 accumulators of 16 floats, two registers of B, one broadcast
 * of A: 27 of 32 registers, and 24 independent sums hide the latency of the FMA.
 *
 * C, and the next rows of A, are used once and come from memory. Both are asked for while the
 * sums run, a line or two at a time: many at once fill the queue of misses, and B, from L2,
 * waits behind them. With A and C out of the cache a product of 24 x 256 x 400 took 46.1 us
 * without, 45.2 with all asked for before each tile, and takes 42.8 so, as with both at hand.
 */
#include "core/gemm_tiles.h"

#if defined(__x86_64__) && !defined(IM_REAL_DOUBLE)
#include <immintrin.h>

enum {
    APART = 8,  /* steps of depth from one row of C to the next */
    DEPTH = 800 /* in L2 with B: 320, in L1, took 2 % longer in a step */
};

/* 4 group rows; group is known where this is inlined, so that all sums are in registers. Four
 * pointers, group rows apart: every address is base + {0, 1, 2} row_step, which the machine
 * encodes without a register per row. */
__attribute__((target("avx512f"), always_inline)) static inline void rows_avx512(
    const int group, float *c, size_t ldc, const im_gemm_rows *g, const float *b)
{
    const size_t row_step = g->row_step, depth_step = g->depth_step, depth = g->depth;
    __m512 sum[IM_GEMM_MR][2];
#pragma GCC unroll 12
    for (int i = 0; i < 4 * group; i++)
#pragma GCC unroll 2
        for (int j = 0; j < 2; j++)
            sum[i][j] = g->accumulate ? _mm512_loadu_ps(c + (size_t)i * ldc + 16 * j)
                                      : _mm512_setzero_ps();
    const size_t apart = (size_t)group * row_step;
    const float *a0 = g->a, *a1 = a0 + apart, *a2 = a1 + apart, *a3 = a2 + apart;
    const float *ahead = g->ahead, *beside = ahead + g->ahead_step, *row = c;
    for (size_t p = 0; p < depth; p++) {
        const __m512 b0 = _mm512_loadu_ps(b), b1 = _mm512_loadu_ps(b + 16);
        _mm_prefetch((const char *)(b + 16 * IM_GEMM_NR), _MM_HINT_T0);
        _mm_prefetch((const char *)(b + 16 * IM_GEMM_NR + 16), _MM_HINT_T0);
        _mm_prefetch((const char *)(ahead + p), _MM_HINT_T0);
        _mm_prefetch((const char *)(beside + p), _MM_HINT_T0);
        /* Its last row is known by p: of an address for it, gcc made a move from a vector
         * register in every step, to where multiply-adds run on Intel's processors. */
        if (p % APART == 0 && p < (size_t)(4 * group) * APART) {
            __builtin_prefetch(row, 1);
            __builtin_prefetch(row + 16, 1);
            row += ldc;
        }
#pragma GCC unroll 3
        for (int i = 0; i < group; i++) {
            const __m512 x0 = _mm512_set1_ps(a0[(size_t)i * row_step]);
            const __m512 x1 = _mm512_set1_ps(a1[(size_t)i * row_step]);
            const __m512 x2 = _mm512_set1_ps(a2[(size_t)i * row_step]);
            const __m512 x3 = _mm512_set1_ps(a3[(size_t)i * row_step]);
            sum[i][0] = _mm512_fmadd_ps(x0, b0, sum[i][0]);
            sum[i][1] = _mm512_fmadd_ps(x0, b1, sum[i][1]);
            sum[i + group][0] = _mm512_fmadd_ps(x1, b0, sum[i + group][0]);
            sum[i + group][1] = _mm512_fmadd_ps(x1, b1, sum[i + group][1]);
            sum[i + 2 * group][0] = _mm512_fmadd_ps(x2, b0, sum[i + 2 * group][0]);
            sum[i + 2 * group][1] = _mm512_fmadd_ps(x2, b1, sum[i + 2 * group][1]);
            sum[i + 3 * group][0] = _mm512_fmadd_ps(x3, b0, sum[i + 3 * group][0]);
            sum[i + 3 * group][1] = _mm512_fmadd_ps(x3, b1, sum[i + 3 * group][1]);
        }
        a0 += depth_step;
        a1 += depth_step;
        a2 += depth_step;
        a3 += depth_step;
        b += IM_GEMM_NR;
    }
#pragma GCC unroll 12
    for (int i = 0; i < 4 * group; i++)
#pragma GCC unroll 2
        for (int j = 0; j < 2; j++)
            _mm512_storeu_ps(c + (size_t)i * ldc + 16 * j, sum[i][j]);
}

__attribute__((target("avx512f"))) static void tile_avx512(float *c, size_t ldc,
                                                           const im_gemm_rows *g,
                                                           const float *b)
{
    rows_avx512(IM_GEMM_MR / 4, c, ldc, g, b);
}

__attribute__((target("avx512f"))) static void few_avx512(float *c, size_t ldc,
                                                          const im_gemm_rows *g,
                                                          const float *b)
{
    rows_avx512(IM_GEMM_FEW / 4, c, ldc, g, b);
}

/* Two sums at a time do not hide the latency of the FMA, but the next rows do: they do not
 * depend on this one, and the machine is ahead by some of them. */
__attribute__((target("avx512f"))) static void sparse_row_avx512(float *c,
                                                                 const im_gemm_sparse *a,
                                                                 const float *b,
                                                                 bool accumulate)
{
    __m512 sum0 = accumulate ? _mm512_loadu_ps(c) : _mm512_setzero_ps();
    __m512 sum1 = accumulate ? _mm512_loadu_ps(c + 16) : _mm512_setzero_ps();
    for (size_t p = 0; p < a->count; p++) {
        const float *row = b + (size_t)a->column[p] * IM_GEMM_NR;
        const __m512 x = _mm512_set1_ps(a->value[p]);
        sum0 = _mm512_fmadd_ps(x, _mm512_loadu_ps(row), sum0);
        sum1 = _mm512_fmadd_ps(x, _mm512_loadu_ps(row + 16), sum1);
    }
    _mm512_storeu_ps(c, sum0);
    _mm512_storeu_ps(c + 16, sum1);
}

const im_gemm_kernel *im_gemm_avx512(void)
{
    static const im_gemm_kernel kernel = {"avx512", tile_avx512, few_avx512, sparse_row_avx512,
                                          DEPTH};
    return __builtin_cpu_supports("avx512f") ? &kernel : NULL;
}
#else
const im_gemm_kernel *im_gemm_avx512(void)
{
    return NULL;
}
#endif
