/* SPDX-License-Identifier: MIT
 * See batchnorm.h. */
#include "nn/batchnorm.h"

#include "core/lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static inline im_real output(im_real xhat, im_real gain, im_real bias)
{
    const im_real y = gain * xhat + bias;
    return y > 0 ? y : 0;
}

IM_CLONES static void normalize(im_real *restrict a, im_real *restrict z, im_real mean,
                                im_real inv, im_real gain, im_real bias, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        z[i] = (z[i] - mean) * inv;
        a[i] = output(z[i], gain, bias);
    }
}

/* Returns whether all of z were finite. */
IM_CLONES static bool infer(im_real *restrict a, im_real *restrict z, im_real mean,
                            im_real inv, im_bn_fold fold, size_t n)
{
    int bad = 0;
    for (size_t i = 0; i < n; i++) {
        bad |= !(z[i] - z[i] == 0);
        a[i] = im_batchnorm_infer(z[i], fold);
        z[i] = (z[i] - mean) * inv;
    }
    return !bad;
}

static double inverse_deviation(double var)
{
    return 1 / sqrt(var + IM_BN_EPSILON);
}

im_bn_fold im_batchnorm_fold(im_bn_unit unit)
{
    const im_real scale = (im_real)(unit.gain * inverse_deviation(*unit.var));
    return (im_bn_fold){scale, (im_real)(unit.bias - (double)*unit.mean * scale)};
}

static void update_running(im_bn_unit unit, double mean, double var, size_t n)
{
    const double unbiased = n > 1 ? var * (double)n / (double)(n - 1) : var;
    *unit.mean = (im_real)(IM_BN_DECAY * *unit.mean + (1 - IM_BN_DECAY) * mean);
    *unit.var = (im_real)(IM_BN_DECAY * *unit.var + (1 - IM_BN_DECAY) * unbiased);
}

im_real im_batchnorm_forward(im_real *a, im_real *z, im_bn_unit unit, im_bn_mode mode,
                             size_t n)
{
    assert(n > 0);
    double mean = *unit.mean, var = *unit.var;
    if (mode != IM_BN_INFER) {
        mean = im_lanes_sum(z, n) / (double)n;
        var = im_lanes_sq_deviation(z, mean, n) / (double)n;
    }
    if (mode == IM_BN_TRAIN)
        update_running(unit, mean, var, n);
    const im_real inv = (im_real)inverse_deviation(var);
    if (mode == IM_BN_INFER)
        return infer(a, z, (im_real)mean, inv, im_batchnorm_fold(unit), n) ? inv
                                                                           : (im_real)NAN;
    normalize(a, z, (im_real)mean, inv, unit.gain, unit.bias, n);
    return inv;
}

/* The ReLU passes no gradient back where its output is not positive. */
static void mask(im_real *restrict da, const im_real *restrict a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        da[i] = a[i] > 0 ? da[i] : 0;
}

typedef im_real real_lanes __attribute__((vector_size(IM_LANES * sizeof(im_real))));
typedef double lanes __attribute__((vector_size(IM_LANES * sizeof(double))));

/* da becomes dy, and its two sums are taken. The output is not at hand, so its sign is
 * computed again from xhat. The vectors are written by hand: gcc makes none of a loop that
 * both chooses and sums, and doing it in four loops took a quarter longer. */
IM_CLONES static im_bn_grad mask_and_sum(im_real *da, const im_real *xhat, im_real gain,
                                         im_real bias, size_t n)
{
    lanes dots = {0}, sums = {0};
    double dot[IM_LANES], sum[IM_LANES];
    size_t i = 0;
    for (; i + IM_LANES <= n; i += IM_LANES) {
        real_lanes x, dy;
        memcpy(&x, xhat + i, sizeof x);
        memcpy(&dy, da + i, sizeof dy);
        const __typeof__(x > 0) positive = gain * x + bias > 0;
        dy = (real_lanes)((__typeof__(positive))dy & positive);
        memcpy(da + i, &dy, sizeof dy);
        const lanes wide = __builtin_convertvector(dy, lanes);
        dots += wide * __builtin_convertvector(x, lanes);
        sums += wide;
    }
    memcpy(dot, &dots, sizeof dot);
    memcpy(sum, &sums, sizeof sum);
    for (size_t l = 0; i + l < n; l++) {
        da[i + l] = output(xhat[i + l], gain, bias) > 0 ? da[i + l] : 0;
        dot[l] += (double)da[i + l] * xhat[i + l];
        sum[l] += da[i + l];
    }
    return (im_bn_grad){im_lanes_join(dot), im_lanes_join(sum)};
}

IM_CLONES static void center_grad(im_real *dz, const im_real *xhat, im_real factor,
                                  im_real mean_dy, im_real mean_dy_xhat, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dz[i] = factor * (dz[i] - mean_dy - xhat[i] * mean_dy_xhat);
}

im_bn_grad im_batchnorm_backward(im_real *da, const im_real *a, const im_real *xhat,
                                 im_bn_unit unit, im_real inv, im_bn_mode mode, size_t n)
{
    assert(n > 0 && (a || mode != IM_BN_INFER));
    const bool infer = mode == IM_BN_INFER;
    if (infer)
        mask(da, a, n);
    /* Gain 0 and bias 1 make every output positive, and so nothing is masked a second time. */
    const im_bn_grad grad =
        mask_and_sum(da, xhat, infer ? 0 : unit.gain, infer ? 1 : unit.bias, n);
    const double share = infer ? 0 : 1 / (double)n;
    center_grad(da, xhat, unit.gain * inv, (im_real)(grad.bias * share),
                (im_real)(grad.gain * share), n);
    return grad;
}
