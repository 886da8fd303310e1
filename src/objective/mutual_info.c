/* SPDX-License-Identifier: MIT
 * See mutual_info.h; derivations are in docs/theory.md. */
#include "objective/mutual_info.h"

#include "objective/floor.h"

#include <assert.h>

double im_cond_entropy_loss(const im_real *p, size_t n, size_t k)
{
    assert(n > 0 && k > 0);
    double sum = 0;
    for (size_t i = 0; i < n * k; i++)
        sum -= p[i] * im_floor_log(p[i]);
    return sum / (double)n;
}

void im_cond_entropy_grad(im_real *dp, const im_real *p, double weight, size_t n, size_t k)
{
    const double scale = weight / (double)n;
    for (size_t i = 0; i < n * k; i++)
        dp[i] -= (im_real)(scale * im_floor_xlogx_grad(p[i]));
}

static double sum_of_weights(const double *w, size_t n)
{
    double sum = 0;
    for (size_t i = 0; w && i < n; i++)
        sum += w[i];
    return w ? sum : (double)n;
}

void im_marginal(double *m, const im_real *p, const double *w, size_t n, size_t k)
{
    assert(n > 0 && k > 0);
    const double total = sum_of_weights(w, n);
    for (size_t j = 0; j < k; j++)
        m[j] = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++)
            m[j] += w ? w[i] * p[i * k + j] : p[i * k + j];
    for (size_t j = 0; j < k; j++)
        m[j] /= total;
}

double im_marg_entropy(const double *m, size_t k)
{
    double sum = 0;
    for (size_t j = 0; j < k; j++)
        sum -= m[j] * im_floor_log(m[j]);
    return sum;
}

double im_prior_kl_loss(const double *m, const double *prior, size_t k)
{
    for (size_t j = 0; j < k; j++)
        assert(!(m[j] < 0) && prior[j] > 0);
    double sum = 0;
    for (size_t j = 0; j < k; j++)
        sum += m[j] * (im_floor_log(m[j]) - im_elementary_log(prior[j]));
    return sum;
}

/* KL = sum m log m - sum m log q, and of all orders of q the last sum is largest if q is in
 * the order of m (the rearrangement inequality). k^2 comparisons need no memory, and k is
 * small. */
void im_prior_kl_match(double *target, const double *m, const double *sorted, size_t k)
{
    for (size_t j = 0; j < k; j++) {
        size_t rank = 0;
        for (size_t i = 0; i < k; i++)
            rank += i < j ? m[i] >= m[j] : m[i] > m[j];
        target[j] = sorted[rank];
    }
}

void im_prior_kl_grad(im_real *dp, const double *m, const double *prior, double weight,
                      const double *w, size_t n, size_t k)
{
    const double scale = weight / sum_of_weights(w, n);
    for (size_t j = 0; j < k; j++) {
        const double g = scale * (im_floor_xlogx_grad(m[j]) - im_elementary_log(prior[j]));
        for (size_t i = 0; i < n; i++)
            dp[i * k + j] += (im_real)(w ? w[i] * g : g);
    }
}
