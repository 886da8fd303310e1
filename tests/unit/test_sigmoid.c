/* SPDX-License-Identifier: MIT
 * The sigmoid, precise at both ends, and the packing of codes. */
#include "support.h"

#include "imsat/search.h"
#include "nn/sigmoid.h"

#include <math.h>

enum { N = 5, BITS = 11 };

static void test_both_ends(void **state)
{
    (void)state;
    const im_real z[N] = {-30, -0.5F, 0, 0.5F, 800};
    im_real p[N], q[N];
    im_sigmoid_forward(p, q, z, N);
    assert_near((double)p[0], 9.357622968840175e-14, 1e-20);
    assert_near((double)q[0], 1, 0);
    assert_near((double)p[1], 0.3775406687981454, 1e-7);
    assert_near((double)p[2], 0.5, 0);
    assert_near((double)q[4], 0, 0);
    for (size_t i = 0; i < N; i++) { /* a bit is its complement, turned round */
        const im_real back = -z[i];
        im_real p2, q2;
        im_sigmoid_forward(&p2, &q2, &back, 1);
        assert_true(!(p2 < q[i]) && !(p2 > q[i]) && !(q2 < p[i]) && !(q2 > p[i]));
    }
}

/* Rows of a transposed layout, by the same numbers. */
static void test_rows(void **state)
{
    (void)state;
    enum { K = 3, LDZ = 7 };
    im_real z[K * LDZ], rows[N * K], p[N];
    for (size_t i = 0; i < K * LDZ; i++)
        z[i] = (im_real)i / 4 - 2;
    im_sigmoid_rows(rows, z, LDZ, N, K);
    for (size_t j = 0; j < K; j++) {
        im_sigmoid_forward(p, NULL, z + j * LDZ, N);
        for (size_t i = 0; i < N; i++)
            assert_true(!(rows[i * K + j] < p[i]) && !(rows[i * K + j] > p[i]));
    }
}

/* 0.5 is not above 0.5; the bits behind the last are 0; the first is the highest. */
static void test_pack(void **state)
{
    (void)state;
    enum { STRIDE = 2 };
    const int bits[BITS] = {1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1};
    im_real p[BITS * STRIDE];
    uint8_t code[3] = {0xff, 0xff, 0xff};
    for (size_t d = 0; d < BITS; d++) {
        p[d * STRIDE] = bits[d] ? 0.75F : 0.5F;
        p[d * STRIDE + 1] = 1;
    }
    im_sigmoid_pack(code, p, STRIDE, BITS);
    assert_int_equal(imsat_code_bytes(BITS), 2);
    assert_int_equal(code[0], 0x83);
    assert_int_equal(code[1], 0x20);
    assert_int_equal(code[2], 0xff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_ends),
                                       cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_pack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
