/* SPDX-License-Identifier: MIT
 * The information terms of clusters by hand: sure and unsure predictions, balanced and not.
 * Their gradients are in grad/test_losses. */
#include "objective/mutual_info.h"

#include "support.h"

#include <math.h>
#include <string.h>

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
    im_marginal(m, P, NULL, N, K);
    assert_near(m[0], 5.0 / 8, 1e-15);
    assert_near(m[1], 3.0 / 8, 1e-15);
    assert_near(im_marg_entropy(m, K), entropy(5.0 / 8), 1e-7);
    assert_near(im_prior_kl_loss(m, prior, K),
                5.0 / 8 * log(5.0 / 8 / 0.25) + 3.0 / 8 * log(3.0 / 8 / 0.75), 1e-7);
    assert_near(im_prior_kl_loss(prior, prior, K), 0, 1e-7);
}

/* Rows that count 1, 2, 4 and 2 of 9. */
static void rows_count_by_their_weights(void **state)
{
    (void)state;
    const double w[N] = {1, 2, 4, 2};
    double m[K];
    im_marginal(m, P, w, N, K);
    assert_near(m[0], 4.0 / 9, 1e-15);
    assert_near(m[1], 5.0 / 9, 1e-15);
}

/* Of all orders of a prior the matched one has the least KL; equal parts go by their number.
 */
static void priors_are_matched_by_size(void **state)
{
    (void)state;
    enum { PARTS = 4 };
    const double m[PARTS] = {0.1, 0.45, 0.2, 0.25}, sorted[PARTS] = {0.5, 0.3, 0.15, 0.05};
    const double equal[PARTS] = {0.25, 0.25, 0.25, 0.25};
    double target[PARTS], order[PARTS];
    im_prior_kl_match(target, m, sorted, PARTS);
    const double least = im_prior_kl_loss(m, target, PARTS);
    assert_true(target[0] == 0.05 && target[1] == 0.5 && target[2] == 0.15 &&
                target[3] == 0.3);
    for (size_t code = 0; code < 256; code++) {
        unsigned used = 0;
        for (size_t j = 0; j < PARTS; j++) {
            const size_t entry = code >> (2 * j) & 3;
            order[j] = sorted[entry];
            used |= 1U << entry;
        }
        if (used == 15 && memcmp(order, target, sizeof order) != 0)
            assert_true(im_prior_kl_loss(m, order, PARTS) > least);
    }
    im_prior_kl_match(target, equal, sorted, PARTS);
    assert_memory_equal(target, sorted, sizeof sorted);
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
    im_marginal(m, p, NULL, N, K);
    im_cond_entropy_grad(once, p, 2, N, K);
    im_prior_kl_grad(once, m, prior, 3, NULL, N, K);
    for (int i = 0; i < 2; i++) {
        im_cond_entropy_grad(twice, p, 1, N, K);
        im_prior_kl_grad(twice, m, prior, 1.5, NULL, N, K);
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
        cmocka_unit_test(rows_count_by_their_weights),
        cmocka_unit_test(priors_are_matched_by_size),
        cmocka_unit_test(gradients_are_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
