/* SPDX-License-Identifier: MIT
 * The softmax beside its definition, far from 0, and the label it gives. Its gradient is in
 * grad/test_losses. */
#include "nn/softmax.h"

#include "support.h"

#include <math.h>

enum { N = 7, K = 4, LDZ = N + 2 };

/* Logits around `middle`, rows in columns. */
static void fill(im_real *z, double middle)
{
    for (size_t j = 0; j < K; j++)
        for (size_t i = 0; i < LDZ; i++)
            z[j * LDZ + i] = (im_real)(middle + 2 * sin((double)(5 * j + 3 * i)));
}

static void rows_are_as_defined(void **state)
{
    (void)state;
    im_real z[K * LDZ], p[N * K];
    fill(z, 0);
    im_softmax_forward(p, z, LDZ, N, K);
    for (size_t i = 0; i < N; i++) {
        double total = 0;
        for (size_t j = 0; j < K; j++)
            total += exp((double)z[j * LDZ + i]);
        for (size_t j = 0; j < K; j++)
            assert_near((double)p[i * K + j], exp((double)z[j * LDZ + i]) / total, 1e-7);
    }
}

/* exp of such a logit is no number, the probabilities are. */
static void a_shift_of_all_logits_changes_nothing(void **state)
{
    (void)state;
    im_real near[K * LDZ], far[K * LDZ], p[N * K], q[N * K];
    fill(near, 0);
    for (size_t i = 0; i < K * LDZ; i++) {
        near[i] = (im_real)(floor((double)near[i] * 64) / 64); /* exact beside 4096, too */
        far[i] = near[i] + 4096;
    }
    im_softmax_forward(p, near, LDZ, N, K);
    im_softmax_forward(q, far, LDZ, N, K);
    assert_memory_equal(p, q, sizeof p);
}

static void the_first_of_equals_is_the_label(void **state)
{
    (void)state;
    const im_real p[] = {(im_real)0.1, (im_real)0.4, (im_real)0.4, (im_real)0.1};
    assert_int_equal(im_softmax_label(p, 4), 1);
    assert_int_equal(im_softmax_label(p + 2, 2), 0);
    assert_int_equal(im_softmax_label(p + 3, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_as_defined),
        cmocka_unit_test(a_shift_of_all_logits_changes_nothing),
        cmocka_unit_test(the_first_of_equals_is_the_label),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
