/* SPDX-License-Identifier: MIT
 * See bit_sat.h. */
#include "objective/bit_sat.h"

#include "objective/floor.h"

double im_bit_sat_sum(im_bit_proba clean, im_bit_proba augmented, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += clean.one[i] * im_floor_log_ratio(clean.one[i], augmented.one[i]);
        sum += clean.zero[i] * im_floor_log_ratio(clean.zero[i], augmented.zero[i]);
    }
    return sum;
}

/* p / (p + floor): 1, but for the smallest p. */
static inline double share(double p)
{
    return p / (p + IM_LOG_FLOOR);
}

/* Functions with clones are static, because the resolvers of others would be exported. */
IM_CLONES static void grad(im_real *restrict dz, im_bit_proba clean, im_bit_proba augmented,
                           double scale, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double one = augmented.one[i], zero = augmented.zero[i];
        dz[i] = (im_real)(scale * (clean.zero[i] * one * share(zero) -
                                   clean.one[i] * zero * share(one)));
    }
}

void im_bit_sat_grad(im_real *dz, im_bit_proba clean, im_bit_proba augmented, double scale,
                     size_t n)
{
    grad(dz, clean, augmented, scale, n);
}
