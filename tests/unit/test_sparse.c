/* SPDX-License-Identifier: MIT
 * Products with sparse rows: the bits of gemm with the zeros, by every kernel. */
#include "support.h"

#include "core/flush.h"
#include "core/gemm_tiles.h"
#include "core/rng.h"
#include "core/sparse.h"

#include <string.h>

enum { M = 75, K = 83, N = 70, MOST = M * K };

static im_real dense[M * K], b[K * N], packed[K * (N + IM_GEMM_NR)];
static im_real scratch[IM_GEMM_SCRATCH];

/* Sparse rows, and the arrays they are in. */
typedef struct rows {
    size_t start[M + 1];
    int32_t column[MOST];
    im_real value[MOST];
    im_sparse sparse;
} rows;

static rows made;

/* One element in `share` is not zero; row 3 is empty and row 4 full. */
static void make_rows(uint32_t share)
{
    float normal[K];
    size_t count = 0;
    for (size_t i = 0; i < M; i++) {
        im_rng_normals(normal, K, (im_rng){5, IM_STREAM_INIT, 0, 0}, (uint32_t)i);
        for (size_t j = 0; j < K; j++) {
            uint32_t word[4];
            im_rng_block(word, (im_rng){6, IM_STREAM_INIT, 0, 0}, (uint32_t)i, (uint32_t)j);
            const bool there = i == 4 || (i != 3 && word[0] % share == 0);
            dense[i * K + j] = there ? normal[j] : 0;
            if (!there)
                continue;
            made.column[count] = (int32_t)j;
            made.value[count++] = normal[j];
        }
        made.start[i + 1] = count;
    }
    made.sparse = (im_sparse){M, K, made.start, made.column, made.value};
}

static void make_factor(void)
{
    static float normal[K * N];
    im_rng_normals(normal, (size_t)K * N, (im_rng){7, IM_STREAM_INIT, 0, 0}, 0);
    for (size_t i = 0; i < (size_t)K * N; i++)
        b[i] = normal[i];
    im_gemm_pack(packed, b, N, IM_NO, K, N, 0, im_gemm_panels(N));
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

static void test_row_has_the_bits_of_gemm(void **state)
{
    (void)state;
    const im_gemm_kernel *list[3];
    const size_t count = kernels(list);
    const im_flush before = im_flush_begin();
    make_rows(9);
    make_factor();
    for (size_t q = 0; q < count; q++)
        for (size_t i = 0; i < M; i++) {
            im_real expected[N], got[N + 1];
            const im_gemm_sparse row = im_sparse_row(&made.sparse, i);
            got[N] = 7;
            im_gemm(im_gemm_select(false), expected, N, dense + i * K, K, IM_NO, packed, 1, N,
                    K, false, scratch);
            im_sparse_multiply_row(list[q], got, &row, packed, N, K);
            assert_memory_equal(expected, got, sizeof expected);
            assert_true(got[N] > 6 && got[N] < 8);
        }
    im_flush_end(before);
}

/* Rows 2 .. 62, turned, with and without something to start from. */
static void test_turned_has_the_bits_of_gemm(void **state)
{
    (void)state;
    enum { FIRST = 2, ROWS = 61, UNITS = 24, LD = 70 };
    static im_real expected[ROWS * UNITS], got[UNITS * LD];
    const im_gemm_kernel *list[3];
    const size_t count = kernels(list);
    const im_flush before = im_flush_begin();
    im_real begin[UNITS];
    make_rows(5);
    make_factor();
    im_gemm_pack(packed, b, N, IM_NO, K, UNITS, 0, 1);
    for (size_t u = 0; u < UNITS; u++)
        begin[u] = (im_real)u / 7;
    for (size_t q = 0; q < 2 * count; q++) {
        const bool begun = q % 2;
        for (size_t i = 0; i < ROWS; i++)
            memcpy(expected + i * UNITS, begin, sizeof begin);
        im_gemm(im_gemm_select(false), expected, UNITS, dense + FIRST * K, K, IM_NO, packed,
                ROWS, UNITS, K, begun, scratch);
        im_sparse_multiply_turned(list[q / 2], got, LD, &made.sparse, FIRST, ROWS, packed,
                                  UNITS, begun ? begin : NULL);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t u = 0; u < UNITS; u++)
                assert_memory_equal(expected + i * UNITS + u, got + u * LD + i, sizeof *got);
    }
    im_flush_end(before);
}

static void test_turn(void **state)
{
    (void)state;
    static size_t start[K + 1];
    static int32_t column[MOST];
    static im_real value[MOST], seen[M * K];
    make_rows(4);
    const im_sparse turned = im_sparse_turn(&made.sparse, start, column, value);
    assert_int_equal(turned.rows, K);
    assert_int_equal(turned.columns, M);
    assert_int_equal(start[K], made.start[M]);
    for (size_t j = 0; j < K; j++)
        for (size_t e = start[j]; e < start[j + 1]; e++) {
            assert_true(e == start[j] || column[e - 1] < column[e]);
            seen[(size_t)column[e] * K + j] = value[e];
        }
    assert_memory_equal(seen, dense, sizeof seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_has_the_bits_of_gemm),
        cmocka_unit_test(test_turned_has_the_bits_of_gemm),
        cmocka_unit_test(test_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
