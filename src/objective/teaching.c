/* SPDX-License-Identifier: MIT
 * See teaching.h. */
#include "objective/teaching.h"

#include "objective/floor.h"

double im_teaching_loss(const im_real *p, const int32_t *labels, const size_t *rows, size_t n,
                        size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        if (labels[rows[i]] >= 0)
            sum -= im_floor_log((double)p[i * k + (size_t)labels[rows[i]]]);
    return sum / (double)n;
}

void im_teaching_grad(im_real *dp, const im_real *p, const int32_t *labels, const size_t *rows,
                      size_t n, size_t k)
{
    for (size_t i = 0; i < n * k; i++)
        dp[i] = 0;
    for (size_t i = 0; i < n; i++) {
        if (labels[rows[i]] < 0)
            continue;
        const size_t at = i * k + (size_t)labels[rows[i]];
        dp[at] = (im_real)(-1 / ((double)p[at] + IM_LOG_FLOOR) / (double)n);
    }
}
