/* SPDX-License-Identifier: MIT
 * See reconstruction.h. */
#include "objective/reconstruction.h"

#include "core/lanes.h"

#include <math.h>

IM_CLONES static void differences(im_real *restrict e, const im_real *restrict z,
                                  const im_real *restrict x, im_real floor, size_t n)
{
    for (size_t i = 0; i < n; i++)
        e[i] = (z[i] > floor ? z[i] : floor) - x[i];
}

IM_CLONES static void to_gradient(im_real *restrict e, const im_real *restrict z,
                                  im_real floor, im_real share, size_t n)
{
    for (size_t i = 0; i < n; i++)
        e[i] = z[i] > floor ? e[i] * share : 0;
}

double im_reconstruction_unit(im_real *dz, const im_real *z, const im_real *x, bool rectified,
                              size_t n, size_t d)
{
    const im_real floor = rectified ? 0 : (im_real)-INFINITY;
    const double share = 1 / ((double)n * (double)d);
    differences(dz, z, x, floor, n);
    const double loss = im_lanes_sq_deviation(dz, 0, n) * share / 2;
    to_gradient(dz, z, floor, (im_real)share, n);
    return loss;
}
