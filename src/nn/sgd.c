/* SPDX-License-Identifier: MIT
 * See sgd.h. */
#include "nn/sgd.h"

#include "core/alloc.h"

#include <assert.h>
#include <string.h>

imsat_status im_sgd_new(im_sgd *out, size_t n, imsat_error *err)
{
    im_real *v = im_alloc(n, sizeof *v);
    if (!v)
        return im_fail_memory(err, "the velocity of the weights");
    *out = (im_sgd){.n = n, .v = v};
    return IMSAT_OK;
}

void im_sgd_clear(im_sgd *sgd)
{
    im_free(sgd->v);
    *sgd = (im_sgd){0};
}

void im_sgd_rest(im_sgd *sgd)
{
    memset(sgd->v, 0, sgd->n * sizeof *sgd->v);
}

IM_CLONES static void update(im_real *restrict w, im_real *restrict v,
                             const im_real *restrict g, im_real rate, im_real momentum,
                             size_t n)
{
    for (size_t i = 0; i < n; i++) {
        v[i] = momentum * v[i] + rate * g[i];
        w[i] -= v[i];
    }
}

void im_sgd_update(const im_sgd *sgd, im_real *w, const im_real *g, size_t first, size_t count)
{
    assert(first <= sgd->n && count <= sgd->n - first);
    update(w + first, sgd->v + first, g, (im_real)sgd->rate, (im_real)sgd->momentum, count);
}
