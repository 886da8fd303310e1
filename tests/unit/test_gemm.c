/* SPDX-License-Identifier: MIT
 * gemm against a plain loop, and its contract: an element depends on its row and column
 * alone, whatever the kernel, the block or the neighbors. */
#include "support.h"

#include "core/flush.h"
#include "core/gemm.h"
#include "core/gemm_tiles.h"
#include "core/rng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX = 400 };

static im_real a[MAX * MAX], b[MAX * MAX], packed[MAX * (MAX + IM_GEMM_NR)];
static im_real left[MAX * (MAX + IM_GEMM_MR)];
static im_real c[MAX * MAX], other[MAX * MAX], scratch[IM_GEMM_SCRATCH];

static void fill(im_real *x, size_t n, uint32_t item)
{
    static float normal[MAX * MAX];
    im_rng_normals(normal, n, (im_rng){11, IM_STREAM_INIT, 0, 0}, item);
    for (size_t i = 0; i < n; i++)
        x[i] = normal[i];
}

static size_t kernels(const im_gemm_kernel *list[3])
{
    size_t n = 0;
    list[n++] = &im_gemm_ref;
    if (im_gemm_avx2())
        list[n++] = im_gemm_avx2();
    if (im_gemm_avx512())
        list[n++] = im_gemm_avx512();
    return n;
}

/* With ta IM_PACKED, a is stored transposed (k,m), and packed in two parts. */
static void multiply(const im_gemm_kernel *kernel, im_real *out, im_trans ta, im_trans tb,
                     size_t m, size_t n, size_t k, bool accumulate)
{
    im_gemm_pack(packed, b, tb == IM_NO ? n : k, tb, k, n, 0, im_gemm_panels(n));
    if (ta == IM_PACKED) {
        im_gemm_pack_left(left, a, m, m, k, k / 3, k - k / 3);
        im_gemm_pack_left(left, a, m, m, k, 0, k / 3);
    }
    im_gemm(kernel, out, n, ta == IM_PACKED ? left : a, k, ta, packed, m, n, k, accumulate,
            scratch);
}

static void compare(im_trans ta, im_trans tb, size_t m, size_t n, size_t k,
                    const im_real *before)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = before ? (double)before[i * n + j] : 0, size = 1;
            for (size_t p = 0; p < k; p++) {
                const double x = ta == IM_NO ? a[i * k + p] : a[p * m + i];
                const double y = tb == IM_NO ? b[p * n + j] : b[j * k + p];
                sum += x * y;
                size += fabs(x * y);
            }
            if (!(fabs(sum - c[i * n + j]) <= 1e-6 * size))
                fail_msg("(%zu,%zu) of %zu x %zu x %zu is %g, not %g", i, j, m, n, k,
                         (double)c[i * n + j], sum);
        }
}

static const size_t shapes[][3] = {{1, 1, 1},     {12, 32, 5},  {13, 33, 7},  {11, 31, 1640},
                                   {25, 40, 0},   {16, 64, 50}, {3, 32, 9},   {24, 250, 64},
                                   {37, 70, 321}, {5, 65, 801}, {48, 96, 333}};

static void test_against_loop(void **state)
{
    (void)state;
    const im_gemm_kernel *list[3];
    const size_t count = kernels(list);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const size_t m = shapes[s][0], n = shapes[s][1], k = shapes[s][2];
        fill(a, m * k, 1);
        fill(b, k * n, 2);
        for (size_t q = 0; q < count; q++)
            for (int form = 0; form < 8; form++) {
                const im_trans ta = form & 1 ? IM_PACKED : IM_NO, tb = form >> 1 & 1;
                fill(other, m * n, 3);
                memcpy(c, other, m * n * sizeof *c);
                multiply(list[q], c, ta, tb, m, n, k, form & 4);
                compare(ta, tb, m, n, k, form & 4 ? other : NULL);
            }
    }
}

/* Factors of few bits, whose products lie halfway between two floats as often as not, and what
 * they are added to too small for a double to tell on which side the sum lies. */
static void fill_halfway(size_t m, size_t n, size_t k)
{
    for (size_t i = 0; i < m * k; i++)
        a[i] = 1 + (im_real)(i % 57) * 0x1p-12F;
    for (size_t i = 0; i < k * n; i++)
        b[i] = (i % 3 ? 1 : -1) * (1 + (im_real)(i % 61) * 0x1p-12F);
    for (size_t i = 0; i < m * n; i++)
        other[i] = (im_real)((int)(i % 3) - 1) * 0x1p-80F;
}

/* One fmaf() after the other, as the contract says. */
static void compare_bits(const im_gemm_kernel *kernel, size_t m, size_t n, size_t k,
                         bool accumulate)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            float sum = accumulate ? (float)other[i * n + j] : 0;
            for (size_t p = 0; p < k; p++)
                sum = fmaf((float)a[i * k + p], (float)b[p * n + j], sum);
            const float is = (float)c[i * n + j];
            if (memcmp(&is, &sum, sizeof is) != 0)
                fail_msg("%s: (%zu,%zu) of %zu x %zu x %zu is %a, not %a", kernel->name, i, j,
                         m, n, k, (double)is, (double)sum);
        }
}

static void test_kernels_have_the_same_bits(void **state)
{
    (void)state;
    const im_gemm_kernel *list[3];
    const size_t count = kernels(list);
    const im_flush before = im_flush_begin();
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int form = 0; form < 4; form++) {
            const size_t m = shapes[s][0], n = shapes[s][1], k = shapes[s][2];
            fill(a, m * k, 4);
            fill(b, k * n, 5);
            fill(other, m * n, 6);
            if (form & 1)
                fill_halfway(m, n, k);
            for (size_t q = 0; q < count; q++) {
                memcpy(c, other, m * n * sizeof *c);
                multiply(list[q], c, IM_NO, IM_NO, m, n, k, form & 2);
                compare_bits(list[q], m, n, k, form & 2);
            }
        }
    im_flush_end(before);
}

/* Results that flush to zero, and that overflow. */
static void test_kernels_agree_at_the_ends(void **state)
{
    (void)state;
    enum { M = 13, N = 33, K = 7 };
    const float ends[] = {0x1p-64F,  0x1.fffffep-64F, 0x1p-62F,   -0x1.8p-63F,
                          0x1p-140F, 0x1p127F,        -0x1.8p126F};
    const im_gemm_kernel *list[3];
    const size_t count = kernels(list);
    const im_flush before = im_flush_begin();
    for (size_t i = 0; i < M * K; i++)
        a[i] = ends[i % 5];
    for (size_t i = 0; i < K * N; i++)
        b[i] = ends[i * i % 7];
    multiply(list[0], c, IM_NO, IM_NO, M, N, K, false);
    for (size_t q = 1; q < count; q++) {
        multiply(list[q], other, IM_NO, IM_NO, M, N, K, false);
        assert_memory_equal(c, other, M * N * sizeof *c);
    }
    compare_bits(list[0], M, N, K, false);
    im_flush_end(before);
}

/* One row at a time, one column at a time: the same bits as all at once. */
static void test_element_stands_alone(void **state)
{
    (void)state;
    enum { M = 29, N = 45, K = 341 };
    const im_gemm_kernel *list[3];
    const size_t count = kernels(list);
    fill(a, M * K, 6);
    fill(b, K * N, 7);
    for (size_t q = 0; q < count; q++) {
        multiply(list[q], c, IM_NO, IM_NO, M, N, K, false);
        for (size_t j = 0; j < N; j++) {
            im_gemm_pack(packed, b + j, N, IM_NO, K, 1, 0, 1);
            for (size_t i = 0; i < M; i++) {
                im_real alone;
                im_gemm(list[q], &alone, 1, a + i * K, K, IM_NO, packed, 1, 1, K, false,
                        scratch);
                assert_memory_equal(&alone, c + i * N + j, sizeof alone);
            }
        }
    }
}

/* Columns beyond n are left alone. */
static void test_leaves_the_rest(void **state)
{
    (void)state;
    enum { M = 13, N = 35, K = 9, LD = 64 };
    fill(a, M * K, 8);
    fill(b, K * N, 9);
    for (size_t i = 0; i < M * LD; i++)
        c[i] = 7;
    im_gemm_pack(packed, b, N, IM_NO, K, N, 0, im_gemm_panels(N));
    im_gemm(im_gemm_select(false), c, LD, a, K, IM_NO, packed, M, N, K, false, scratch);
    for (size_t i = 0; i < M; i++)
        for (size_t j = N; j < LD; j++)
            assert_true(c[i * LD + j] > 6 && c[i * LD + j] < 8);
}

/* Rows that were put one by one are those that pack puts, and come back. */
static void test_rows_of_packed(void **state)
{
    (void)state;
    enum { N = 77, K = 13 };
    im_real row[N];
    fill(b, K * N, 10);
    memset(packed, 0, sizeof packed);
    im_gemm_pack(other, b, N, IM_NO, K, N, 0, im_gemm_panels(N));
    for (size_t p = K; p-- > 0;)
        im_gemm_put_row(packed, K, N, p, b + p * N);
    assert_memory_equal(packed, other, im_gemm_packed(K, N) * sizeof *packed);
    for (size_t p = 0; p < K; p++) {
        im_gemm_get_row(row, packed, K, N, p);
        assert_memory_equal(row, b + p * N, sizeof row);
    }
}

static void test_select(void **state)
{
    (void)state;
    assert_ptr_equal(im_gemm_select(true), &im_gemm_ref);
    const im_gemm_kernel *best = im_gemm_select(false);
    assert_ptr_equal(best, im_gemm_avx512() ? im_gemm_avx512()
                           : im_gemm_avx2() ? im_gemm_avx2()
                                            : &im_gemm_ref);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_loop),
        cmocka_unit_test(test_kernels_have_the_same_bits),
        cmocka_unit_test(test_kernels_agree_at_the_ends),
        cmocka_unit_test(test_element_stands_alone),
        cmocka_unit_test(test_leaves_the_rest),
        cmocka_unit_test(test_rows_of_packed),
        cmocka_unit_test(test_select),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
