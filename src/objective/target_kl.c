/* SPDX-License-Identifier: MIT
 * See target_kl.h. */
#include "objective/target_kl.h"

#include "core/elementary.h"

#include <string.h>

void im_target_sharpen(im_real *q, double *shares, size_t n, size_t k)
{
    memset(shares, 0, k * sizeof *shares);
    for (size_t i = 0; i < n * k; i++)
        shares[i % k] += q[i];
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        im_real *row = q + i * k;
        for (size_t j = 0; j < k; j++)
            sum += (double)row[j] * row[j] / shares[j];
        for (size_t j = 0; j < k; j++)
            row[j] = (im_real)((double)row[j] * row[j] / shares[j] / sum);
    }
}

/* 0 log 0 is 0. */
double im_target_kl(const im_real *p, const im_real *q, size_t n, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < n * k; i++)
        if (p[i] > 0)
            sum += p[i] * im_elementary_log((double)p[i] / (double)q[i]);
    return sum;
}

/* What multiplies z_i - c_j in both gradients. */
static double pull(const im_target_codes *c, size_t i, size_t j)
{
    const double difference = (double)c->p[i * c->k + j] - (double)c->q[i * c->k + j];
    return 2 * difference / (1 + (double)c->sq[j * c->ldz + i]) / (double)c->n;
}

static void code_grad(im_real *dz, size_t lddz, const im_target_codes *c)
{
    for (size_t i = 0; i < c->n; i++)
        for (size_t u = 0; u < c->m; u++) {
            double sum = 0;
            for (size_t j = 0; j < c->k; j++)
                sum += pull(c, i, j) *
                       ((double)c->z[u * c->ldz + i] - (double)c->centers[j * c->m + u]);
            dz[u * lddz + i] = (im_real)sum;
        }
}

static void center_grad(im_real *dc, const im_target_codes *c)
{
    for (size_t j = 0; j < c->k; j++)
        for (size_t u = 0; u < c->m; u++) {
            double sum = 0;
            for (size_t i = 0; i < c->n; i++)
                sum -= pull(c, i, j) *
                       ((double)c->z[u * c->ldz + i] - (double)c->centers[j * c->m + u]);
            dc[j * c->m + u] = (im_real)sum;
        }
}

void im_target_kl_grad(im_real *dz, size_t lddz, im_real *dc, const im_target_codes *codes)
{
    code_grad(dz, lddz, codes);
    center_grad(dc, codes);
}
