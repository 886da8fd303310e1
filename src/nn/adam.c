/* SPDX-License-Identifier: MIT
 * See adam.h. */
#include "nn/adam.h"

#include "core/alloc.h"
#include "core/elementary.h"

#include <assert.h>
#include <math.h>

imsat_status im_adam_new(im_adam *out, size_t n, double rate, imsat_error *err)
{
    im_adam adam = {.n = n, .rate = rate};
    adam.m = im_alloc(n, sizeof *adam.m);
    adam.v = im_alloc(n, sizeof *adam.v);
    if (!adam.m || !adam.v) {
        im_adam_clear(&adam);
        return im_fail_memory(err, "Adam's moments");
    }
    *out = adam;
    return IMSAT_OK;
}

void im_adam_clear(im_adam *adam)
{
    im_free(adam->m);
    im_free(adam->v);
    *adam = (im_adam){0};
}

void im_adam_begin(im_adam *adam)
{
    adam->t++;
    const double left1 = im_elementary_power(IM_ADAM_BETA1, adam->t);
    const double left2 = im_elementary_power(IM_ADAM_BETA2, adam->t);
    adam->rate_t = adam->rate * sqrt(1 - left2) / (1 - left1);
}

IM_CLONES static void update(im_real *restrict w, im_real *restrict m, im_real *restrict v,
                             const im_real *restrict g, im_real rate, size_t n)
{
    const im_real b1 = (im_real)IM_ADAM_BETA1, b2 = (im_real)IM_ADAM_BETA2;
    const im_real eps = (im_real)IM_ADAM_EPSILON;
    for (size_t i = 0; i < n; i++) {
        m[i] += (1 - b1) * (g[i] - m[i]);
        v[i] += (1 - b2) * (g[i] * g[i] - v[i]);
#ifdef IM_REAL_DOUBLE
        w[i] -= rate * m[i] / (sqrt(v[i]) + eps);
#else
        w[i] -= rate * m[i] / (sqrtf(v[i]) + eps);
#endif
    }
}

void im_adam_update(const im_adam *adam, im_real *w, const im_real *g, size_t first,
                    size_t count)
{
    assert(adam->t > 0 && first <= adam->n && count <= adam->n - first);
    update(w + first, adam->m + first, adam->v + first, g, (im_real)adam->rate_t, count);
}
