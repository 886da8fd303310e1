/* SPDX-License-Identifier: MIT
 * See activation.h. */
#include "nn/activation.h"

#include "core/elementary.h"
#include "core/lanes.h"

#include <math.h>

const char *im_form_name(im_form form)
{
    static const char *const names[IM_FORMS] = {[IM_FORM_NORMALIZED] = "normalized",
                                                [IM_FORM_RELU] = "relu",
                                                [IM_FORM_TANH] = "tanh",
                                                [IM_FORM_LINEAR] = "linear"};
    return (unsigned)form < IM_FORMS ? names[form] : NULL;
}

/* The exponent is never positive, so nothing overflows. Near 0, where 1 - e loses digits, four
 * terms of the series are exact to the last place of a double. */
static double hyperbolic_tangent(double y)
{
    const double size = fabs(y), sq = y * y;
    if (size < 1e-3)
        return y * (1 + sq * (-1.0 / 3 + sq * (2.0 / 15 + sq * (-17.0 / 315))));
    const double e = im_elementary_exp(-2 * size), t = (1 - e) / (1 + e);
    return y < 0 ? -t : t;
}

im_real im_activation(im_real y, im_form form)
{
    if (form == IM_FORM_TANH)
        return (im_real)hyperbolic_tangent(y);
    return form == IM_FORM_LINEAR || y > 0 ? y : 0;
}

/* z - z is 0, or NaN if z is not finite; a sum of them tells of all. */
IM_CLONES static im_real rectify(im_real *restrict a, im_real *restrict z, im_real bias,
                                 size_t n)
{
    im_real bad = 0;
    for (size_t i = 0; i < n; i++) {
        const im_real y = z[i] + bias, nothing = z[i] - z[i];
        a[i] = y > 0 ? y : 0;
        z[i] = (y > 0 ? 1 : 0) + nothing;
        bad += nothing;
    }
    return bad;
}

int im_activation_forward(im_real *a, im_real *z, im_real bias, im_form form, size_t n)
{
    im_real bad = 0;
    if (form == IM_FORM_RELU)
        return rectify(a, z, bias, n) == 0;
    for (size_t i = 0; i < n; i++) {
        const im_real nothing = z[i] - z[i];
        a[i] = im_activation(z[i] + bias, form);
        z[i] = nothing + (form == IM_FORM_TANH ? 1 - a[i] * a[i] : 1);
        bad += nothing;
    }
    return bad == 0;
}

IM_CLONES static void multiply(im_real *restrict da, const im_real *restrict slope, size_t n)
{
    for (size_t i = 0; i < n; i++)
        da[i] *= slope[i];
}

double im_activation_backward(im_real *da, const im_real *slope, size_t n)
{
    multiply(da, slope, n);
    return im_lanes_sum(da, n);
}
