/* SPDX-License-Identifier: MIT
 * See sat.h. */
#include "objective/sat.h"

#include "objective/floor.h"

#include <assert.h>

double im_sat_loss(const im_real *p, const im_real *q, size_t n, size_t k)
{
    assert(n > 0 && k > 0);
    double sum = 0;
    for (size_t i = 0; i < n * k; i++)
        sum += p[i] * (im_floor_log(p[i]) - im_floor_log(q[i]));
    return sum / (double)n;
}

void im_sat_grad(im_real *dq, const im_real *p, const im_real *q, double weight, size_t n,
                 size_t k)
{
    const double scale = -weight / (double)n;
    for (size_t i = 0; i < n * k; i++)
        dq[i] = (im_real)(scale * p[i] / (q[i] + IM_LOG_FLOOR));
}
