/* SPDX-License-Identifier: MIT
 * See bound.h. */
#include "neighbors/bound.h"

#include <assert.h>
#include <math.h>

static const double UNIT = 0x1p-24; /* u: half the spacing of floats at 1 */

double im_bound_sq(const im_bound *bound, double sq_norm, double distance)
{
    assert(sq_norm >= 0 && distance >= 0);
    const double q = bound->factor * distance;
    const double s = 2 * sqrt(sq_norm) + q; /* the other row's norm is at most |x| + q */
    const double k = ((double)bound->dim + 16) * UNIT;
    const double reach = q + bound->slope * s;
    const double error = k / (1 - k) * s * s / 2 + (double)bound->dim * 0x1p-140;
    return k < 0.5 ? reach * reach + error : INFINITY;
}
