/* SPDX-License-Identifier: MIT
 * See readout.h. */
#include "nn/readout.h"

#include "core/elementary.h"

const char *im_readout_name(im_readout readout)
{
    static const char *const names[IM_READOUTS] = {
        [IM_READOUT_PLAIN] = "plain",     [IM_READOUT_COSINE] = "cosine",
        [IM_READOUT_STUDENT] = "student", [IM_READOUT_NEAREST] = "nearest",
        [IM_READOUT_NORMALS] = "normals",
    };
    return (unsigned)readout < IM_READOUTS ? names[readout] : NULL;
}

static void take_cosine(im_real *out, const im_real *z, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double cosine, sine;
        im_elementary_turn(&cosine, &sine, 180 * (double)z[i]);
        out[i] = (im_real)cosine;
    }
}

IM_CLONES static void take_largest(im_real *restrict out, const im_real *restrict z, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = z[i] > out[i] ? z[i] : out[i];
}

/* In double: a density of many columns is a sum of many squares. */
IM_CLONES static void take_square(double *restrict sum, const im_real *restrict z, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] -= 0.5 * (double)z[i] * (double)z[i];
}

/* A unit of a group: whether it is the first one, and the last one, matters. */
static void take_grouped(im_readout_desk *w, size_t u, const im_real *z, size_t n)
{
    im_real *out = w->outputs + w->group * w->stride;
    const bool first = u == w->first[w->group], last = u + 1 == w->first[w->group + 1];
    const bool normals = w->readout == IM_READOUT_NORMALS;
    for (size_t i = 0; first && i < n; i++) {
        out[i] = z[i];
        w->sum[i] = z[i];
    }
    if (!first && normals)
        take_square(w->sum, z, n);
    else if (!first)
        take_largest(out, z, n);
    for (size_t i = 0; last && normals && i < n; i++)
        out[i] = (im_real)w->sum[i];
    w->group += last;
}

void im_readout_take(im_readout_desk *desk, size_t u, const im_real *z, size_t n)
{
    if (im_readout_groups(desk->readout)) {
        take_grouped(desk, u, z, n);
        return;
    }
    im_real *out = desk->outputs + u * desk->stride;
    if (desk->readout == IM_READOUT_COSINE)
        take_cosine(out, z, n);
    else
        for (size_t i = 0; i < n; i++)
            out[i] = z[i];
}
