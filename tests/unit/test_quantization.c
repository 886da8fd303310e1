/* SPDX-License-Identifier: MIT
 * The terms of deep hashing against their definitions. Gradients are in grad/test_autoencoder.
 */
#include "objective/quantization.h"

#include "support.h"

#include <math.h>

enum { N = 7, ROWS = 3, COLUMNS = 4 };

static void quantization_and_balance_are_as_defined(void **state)
{
    (void)state;
    const im_real z[N] = {(im_real)0.3, -1, 2, (im_real)-0.1, 0, 1, -3};
    im_real dz[N];
    const double balance = 0.4;
    double mean = 0, expected = 0;
    for (size_t i = 0; i < N; i++)
        mean += tanh((double)z[i]) / N;
    for (size_t i = 0; i < N; i++) {
        const double h = tanh((double)z[i]), b = z[i] > 0 ? 1 : -1;
        expected += (pow(b - h, 2) - balance * pow(h - mean, 2)) / (2 * N);
    }
    assert_near(im_quantization_unit(dz, z, balance, N), expected, 1e-6);
}

/* A bit that is always the same is worse than one that tells rows apart. */
static void constant_bits_do_not_pay(void **state)
{
    (void)state;
    const im_real same[2] = {4, 4}, apart[2] = {4, -4};
    im_real dz[2];
    assert_true(im_quantization_unit(dz, apart, 0.4, 2) <
                im_quantization_unit(dz, same, 0.4, 2) - 0.1);
}

static void orthonormal_rows_cost_nothing(void **state)
{
    (void)state;
    const im_real unit[ROWS * COLUMNS] = {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0};
    const im_real other[ROWS * COLUMNS] = {1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0};
    im_real dw[COLUMNS];
    double scratch[COLUMNS], sum = 0;
    for (size_t u = 0; u < ROWS; u++) {
        for (size_t j = 0; j < COLUMNS; j++)
            dw[j] = 5;
        assert_near(im_orthonormal_row(dw, scratch, unit, ROWS, COLUMNS, u, 3), 0, 0);
        for (size_t j = 0; j < COLUMNS; j++)
            assert_true(dw[j] == 5);
        sum += im_orthonormal_row(dw, scratch, other, ROWS, COLUMNS, u, 3);
    }
    /* W W^T - I is (1 1 0; 1 0 0; 0 0 3) */
    assert_near(sum, 3.0 / 2 * (1 + 1 + 1 + 9), 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantization_and_balance_are_as_defined),
        cmocka_unit_test(constant_bits_do_not_pay),
        cmocka_unit_test(orthonormal_rows_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
