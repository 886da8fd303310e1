/* SPDX-License-Identifier: MIT
 * The information terms of clusters by hand: sure and unsure predictions, balanced and not.
 * Their gradients are in grad/test_losses. */
#include "objective/mutual_info.h"

#include "support.h"

#include <math.h>

enum { N = 4, K = 2 };

/* Three rows are sure, one is not: H(Y|X) = log 2 / 4; the marginal is (5, 3) / 8. */
static const im_real P[N * K] = {1, 0, 1, 0, 0, 1, (im_real)0.5, (im_real)0.5};

static double entropy(double p)
{
    return -p * log(p) - (1 - p) * log(1 - p);
}

static void terms_are_as_defined(void **state)
{
    (void)state;
    double m[K];
    const double prior[K] = {0.25, 0.75};
    assert_near(im_cond_entropy_loss(P, N, K), log(2) / 4, 1e-7);
    im_marginal(m, P, N, K);
    assert_near(m[0], 5.0 / 8, 1e-15);
    assert_near(m[1], 3.0 / 8, 1e-15);
    assert_near(im_marg_entropy(m, K), entropy(5.0 / 8), 1e-7);
    assert_near(im_prior_kl_loss(m, prior, K),
                5.0 / 8 * log(5.0 / 8 / 0.25) + 3.0 / 8 * log(3.0 / 8 / 0.75), 1e-7);
    assert_near(im_prior_kl_loss(prior, prior, K), 0, 1e-7);
}

/* `grad` functions add: the terms of an objective share dp. */
static void gradients_are_added(void **state)
{
    (void)state;
    im_real once[N * K] = {0}, twice[N * K] = {0};
    const im_real p[N * K] = {(im_real)0.75, (im_real)0.25, (im_real)0.5,   (im_real)0.5,
                              (im_real)0.25, (im_real)0.75, (im_real)0.125, (im_real)0.875};
    const double prior[K] = {0.25, 0.75};
    double m[K];
    im_marginal(m, p, N, K);
    im_cond_entropy_grad(once, p, 2, N, K);
    im_prior_kl_grad(once, m, prior, 3, N, K);
    for (int i = 0; i < 2; i++) {
        im_cond_entropy_grad(twice, p, 1, N, K);
        im_prior_kl_grad(twice, m, prior, 1.5, N, K);
    }
    for (size_t i = 0; i < N * K; i++) {
        assert_near((double)once[i], (double)twice[i], 1e-6);
        assert_true(fabs((double)once[i]) > 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_as_defined),
        cmocka_unit_test(gradients_are_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
