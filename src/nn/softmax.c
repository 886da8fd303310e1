/* SPDX-License-Identifier: MIT
 * See softmax.h. */
#include "nn/softmax.h"

#include "core/elementary.h"

#include <assert.h>

void im_softmax_forward(im_real *p, const im_real *z, size_t ldz, size_t n, size_t k)
{
    assert(k > 0 && ldz >= n);
    for (size_t i = 0; i < n; i++) {
        im_real *row = p + i * k;
        im_real top = z[i];
        for (size_t j = 1; j < k; j++)
            top = z[j * ldz + i] > top ? z[j * ldz + i] : top;
        double total = 0;
        for (size_t j = 0; j < k; j++) {
            row[j] = (im_real)im_elementary_exp((double)(z[j * ldz + i] - top));
            total += row[j];
        }
        for (size_t j = 0; j < k; j++)
            row[j] = (im_real)(row[j] / total);
    }
}

void im_softmax_backward(im_real *dz, size_t ldz, const im_real *dp, const im_real *p,
                         size_t n, size_t k)
{
    assert(ldz >= n);
    for (size_t i = 0; i < n; i++) {
        double along = 0; /* sum_j dp_ij p_ij */
        for (size_t j = 0; j < k; j++)
            along += (double)dp[i * k + j] * p[i * k + j];
        for (size_t j = 0; j < k; j++)
            dz[j * ldz + i] = (im_real)(p[i * k + j] * (dp[i * k + j] - along));
    }
}

int32_t im_softmax_label(const im_real *p, size_t k)
{
    assert(k > 0);
    size_t best = 0;
    for (size_t j = 1; j < k; j++)
        if (p[j] > p[best])
            best = j;
    return (int32_t)best;
}
