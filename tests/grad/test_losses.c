/* SPDX-License-Identifier: MIT
 * The gradients of the objective's terms, of the softmax and of the batch normalization. */
#include "gradcheck.h"

#include "nn/batchnorm.h"
#include "nn/softmax.h"
#include "objective/mutual_info.h"
#include "objective/sat.h"
#include "objective/teaching.h"

#include <math.h>
#include <string.h>

enum { N = 7, K = 4 };

static const double prior[K] = {0.1, 0.2, 0.3, 0.4};

static double cond_entropy(void *p)
{
    return 3 * im_cond_entropy_loss(p, N, K);
}

static void test_cond_entropy(void **state)
{
    (void)state;
    im_real p[N * K], dp[N * K] = {0};
    fill_simplex(p, N, K, 1);
    im_cond_entropy_grad(dp, p, 3, N, K);
    assert_gradient("H(Y|X)", cond_entropy, p, p, dp, N * K);
}

static double prior_kl(void *p)
{
    double m[K];
    im_marginal(m, p, NULL, N, K);
    return 2 * im_prior_kl_loss(m, prior, K);
}

static void test_prior_kl(void **state)
{
    (void)state;
    im_real p[N * K], dp[N * K] = {0};
    double m[K];
    fill_simplex(p, N, K, 2);
    im_marginal(m, p, NULL, N, K);
    im_prior_kl_grad(dp, m, prior, 2, NULL, N, K);
    assert_gradient("KL[p(y) || q(y)]", prior_kl, p, p, dp, N * K);
}

static const double counts[N] = {2, 0.5, 1, 0.1, 3, 1.5, 0.7};

/* Rows that do not count alike. */
static double weighted_kl(void *p)
{
    double m[K];
    im_marginal(m, p, counts, N, K);
    return 2 * im_prior_kl_loss(m, prior, K);
}

static void test_weighted_kl(void **state)
{
    (void)state;
    im_real p[N * K], dp[N * K] = {0};
    double m[K];
    fill_simplex(p, N, K, 2);
    im_marginal(m, p, counts, N, K);
    im_prior_kl_grad(dp, m, prior, 2, counts, N, K);
    assert_gradient("KL[weighted p(y) || q(y)]", weighted_kl, p, p, dp, N * K);
}

static const double sorted_prior[K] = {0.4, 0.3, 0.2, 0.1};

/* To the prior in the order in which it is nearest. */
static double matched_kl(void *p)
{
    double m[K], target[K];
    im_marginal(m, p, NULL, N, K);
    im_prior_kl_match(target, m, sorted_prior, K);
    return 2 * im_prior_kl_loss(m, target, K);
}

static void test_matched_kl(void **state)
{
    (void)state;
    im_real p[N * K], dp[N * K] = {0};
    double m[K], target[K];
    fill_simplex(p, N, K, 2);
    im_marginal(m, p, NULL, N, K);
    im_prior_kl_match(target, m, sorted_prior, K);
    im_prior_kl_grad(dp, m, target, 2, NULL, N, K);
    assert_gradient("KL[p(y) || matched q(y)]", matched_kl, p, p, dp, N * K);
}

/* H(Y) = log k - KL for a uniform prior. */
static void test_marginal_entropy(void **state)
{
    (void)state;
    im_real p[N * K];
    double m[K];
    const double uniform[K] = {0.25, 0.25, 0.25, 0.25};
    fill_simplex(p, N, K, 3);
    im_marginal(m, p, NULL, N, K);
    assert_near(im_marg_entropy(m, K), log(K) - im_prior_kl_loss(m, uniform, K), 1e-12);
}

typedef struct sat_pair {
    im_real p[N * K], q[N * K];
} sat_pair;

static double sat(void *context)
{
    sat_pair *s = context;
    return 0.5 * im_sat_loss(s->p, s->q, N, K);
}

/* With respect to q alone: p is held constant in training. */
static void test_sat(void **state)
{
    (void)state;
    sat_pair s;
    im_real dq[N * K];
    fill_simplex(s.p, N, K, 4);
    fill_simplex(s.q, N, K, 5);
    im_sat_grad(dq, s.p, s.q, 0.5, N, K);
    assert_gradient("R_SAT", sat, &s, s.q, dq, N * K);
    assert_near(im_sat_loss(s.p, s.p, N, K), 0, 1e-15);
    assert_true(sat(&s) > 0);
}

/* Rows 3, 8, 1, .. of the data; two of them have no label. */
static const int32_t labels[] = {-1, 2, 0, 3, 3, -1, 1, 0, 2, 1};
static const size_t batch[N] = {3, 8, 1, 0, 6, 5, 2};

static double teaching(void *p)
{
    return im_teaching_loss(p, labels, batch, N, K);
}

static void test_teaching(void **state)
{
    (void)state;
    im_real p[N * K], dp[N * K];
    fill_simplex(p, N, K, 6);
    im_teaching_grad(dp, p, labels, batch, N, K);
    assert_gradient("cross-entropy to labels", teaching, p, p, dp, N * K);
    const double first = -log(p[0 * K + 3]), last = -log(p[6 * K + 0]);
    assert_true(teaching(p) > (first + last) / N);
    assert_near(dp[3 * K + 2], 0, 0); /* row 0 has none */
}

enum { LDZ = N + 2 };

typedef struct softmax_case {
    im_real z[K * LDZ], weight[N * K];
} softmax_case;

static double softmax_sum(void *context)
{
    softmax_case *c = context;
    im_real p[N * K];
    double sum = 0;
    im_softmax_forward(p, c->z, LDZ, N, K);
    for (size_t i = 0; i < N * K; i++)
        sum += c->weight[i] * p[i];
    return sum;
}

static void test_softmax(void **state)
{
    (void)state;
    softmax_case c;
    im_real p[N * K], dz[K * LDZ] = {0};
    fill_random(c.z, K * LDZ, 6);
    fill_random(c.weight, N * K, 7);
    im_softmax_forward(p, c.z, LDZ, N, K);
    im_softmax_backward(dz, LDZ, c.weight, p, N, K);
    assert_gradient("softmax", softmax_sum, &c, c.z, dz, K * LDZ);
}

enum { B = 11 };

typedef struct bn_case {
    im_real z[B], weight[B], gain, bias, mean, var;
    im_bn_mode mode;
} bn_case;

static double bn_sum(void *context)
{
    const bn_case *c = context;
    im_real z[B], a[B], mean = c->mean, var = c->var;
    double sum = 0;
    memcpy(z, c->z, sizeof z);
    im_batchnorm_forward(a, z, (im_bn_unit){c->gain, c->bias, &mean, &var}, c->mode, B);
    for (size_t i = 0; i < B; i++)
        sum += c->weight[i] * a[i];
    return sum;
}

static void check_batchnorm(im_bn_mode mode, const char *what)
{
    bn_case c = {.gain = 0.8, .bias = 0.3, .mean = 0.2, .var = 1.7, .mode = mode};
    im_real xhat[B], a[B], dz[B], mean = c.mean, var = c.var;
    fill_random(c.z, B, 8);
    fill_random(c.weight, B, 9);
    memcpy(xhat, c.z, sizeof xhat);
    memcpy(dz, c.weight, sizeof dz);
    const im_bn_unit unit = {c.gain, c.bias, &mean, &var};
    const im_real inv = im_batchnorm_forward(a, xhat, unit, mode, B);
    const im_bn_grad g = im_batchnorm_backward(dz, a, xhat, unit, inv, mode, B);
    assert_gradient(what, bn_sum, &c, c.z, dz, B);
    assert_gradient(what, bn_sum, &c, &c.gain, &g.gain, 1);
    assert_gradient(what, bn_sum, &c, &c.bias, &g.bias, 1);
    const bool moved = mean < c.mean || mean > c.mean || var < c.var || var > c.var;
    assert_int_equal(moved, mode == IM_BN_TRAIN);
}

static void test_batchnorm(void **state)
{
    (void)state;
    check_batchnorm(IM_BN_TRAIN, "batch normalization, training");
    check_batchnorm(IM_BN_BATCH, "batch normalization, no update");
    check_batchnorm(IM_BN_INFER, "batch normalization, running averages");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cond_entropy),     cmocka_unit_test(test_prior_kl),
        cmocka_unit_test(test_weighted_kl),      cmocka_unit_test(test_matched_kl),
        cmocka_unit_test(test_marginal_entropy), cmocka_unit_test(test_sat),
        cmocka_unit_test(test_softmax),          cmocka_unit_test(test_batchnorm),
        cmocka_unit_test(test_teaching),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
