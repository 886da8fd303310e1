/* SPDX-License-Identifier: MIT
 * See gradcheck.h. */
#include "gradcheck.h"

#include "core/rng.h"

#include <math.h>

#ifndef IM_REAL_DOUBLE
#error "gradients are checked in the double build"
#endif

double central_difference(scalar_fn f, void *context, im_real *x)
{
    const double h = 1e-5, keep = *x;
    *x = keep + h;
    const double up = f(context);
    *x = keep - h;
    const double down = f(context);
    *x = keep;
    return (up - down) / (2 * h);
}

void assert_gradient(const char *what, scalar_fn f, void *context, im_real *x,
                     const im_real *grad, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double numeric = central_difference(f, context, x + i);
        const double scale = fmax(1e-2, fabs(numeric));
        if (!(fabs(grad[i] - numeric) <= 1e-7 * scale))
            fail_msg("%s: derivative %zu of %zu is %.12g, the difference says %.12g", what, i,
                     n, (double)grad[i], numeric);
    }
}

void fill_random(im_real *x, size_t n, uint64_t seed)
{
    const im_rng rng = {seed, IM_STREAM_INIT, 99, 0};
    for (size_t i = 0; i < n; i++) {
        double u;
        im_rng_uniforms(&u, 1, rng, (uint32_t)i);
        x[i] = 2 * u - 1;
    }
}

void fill_simplex(im_real *p, size_t n, size_t k, uint64_t seed)
{
    fill_random(p, n * k, seed);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < k; j++)
            sum += p[i * k + j] = exp(2 * p[i * k + j]);
        for (size_t j = 0; j < k; j++)
            p[i * k + j] /= sum;
    }
}
