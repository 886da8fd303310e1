/* SPDX-License-Identifier: MIT
 * See spectral_hash.h. */
#include "baseline/spectral_hash.h"

#include "baseline/whole.h"
#include "core/alloc.h"
#include "core/lanes.h"
#include "linear/principal.h"

#include <math.h>

typedef struct box {
    im_fit *fit;
    im_frame frame;
    im_principal principal;
    size_t sides, bits;
    im_real *v;    /* (n,sides) rows along the components, as scaled */
    double *least; /* (sides), as scaled */
    double *range; /* (sides) */
    size_t *next;  /* (sides) the slowest wave of each side that is no bit yet */
    double *w;     /* (bits,d) */
    double *shift; /* (bits) */
    void *memory;
} box;

static size_t lay_out(box *b, void *base)
{
    im_carver c = {base, 0};
    b->v = im_carve(&c, b->frame.n * b->sides, sizeof *b->v);
    b->least = im_carve(&c, b->sides, sizeof *b->least);
    b->range = im_carve(&c, b->sides, sizeof *b->range);
    b->next = im_carve(&c, b->sides, sizeof *b->next);
    b->w = im_carve(&c, b->bits * b->frame.d, sizeof *b->w);
    b->shift = im_carve(&c, b->bits, sizeof *b->shift);
    return c.used;
}

static void measure(box *b)
{
    for (size_t s = 0; s < b->sides; s++) {
        double most = -(double)INFINITY;
        b->least[s] = (double)INFINITY;
        for (size_t i = 0; i < b->frame.n; i++) {
            b->least[s] = fmin(b->least[s], b->v[i * b->sides + s]);
            most = fmax(most, b->v[i * b->sides + s]);
        }
        b->range[s] = most - b->least[s];
        b->next[s] = 1;
    }
}

/* The side of the slowest wave that is no bit yet; of equally slow ones, the first. */
static size_t slowest(const box *b)
{
    size_t best = 0;
    for (size_t s = 1; s < b->sides; s++)
        if ((double)b->next[s] * b->range[best] < (double)b->next[best] * b->range[s])
            best = s;
    return best;
}

/* z = m (v - least) / range, in half turns. The objective is the sum of the eigenvalues, of
 * prepared rows. */
static void choose_waves(box *b)
{
    const size_t d = b->frame.d;
    double sum = 0;
    for (size_t bit = 0; bit < b->bits; bit++) {
        const size_t s = slowest(b);
        const double turns = (double)b->next[s]++ / b->range[s];
        im_lanes_add(b->w + bit * d, turns * b->frame.factor, b->principal.directions + s * d,
                     d);
        b->shift[bit] = -turns * b->least[s];
        sum += turns * turns * b->frame.factor * b->frame.factor;
    }
    const double pi = 3.14159265358979323846;
    b->fit->run->about.objective = pi * pi * sum;
}

static imsat_status refuse_flat(const box *b, imsat_error *err)
{
    return im_fail(err, IMSAT_EINVAL,
                   "all %zu rows are the same once they are prepared, so no wave tells them "
                   "apart; look at the data, or at --scale",
                   b->frame.n);
}

static imsat_status work(box *b, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_fit *fit = b->fit;
    const im_stage stage = im_whole_stage(fit, "looking for the box of the rows");
    const im_stage first = im_stage_part(&stage, 0, 0.9), last = im_stage_part(&stage, 0.9, 1);
    IM_TRY(im_whole_frame(&b->frame, fit, &stage, err));
    IM_TRY(im_principal_fit(&b->principal, &b->frame, b->sides, fit->pool, &first, err));
    b->memory = im_alloc(lay_out(b, NULL), 1);
    if (!b->memory) {
        st = im_fail_memory(err, "the components of the rows");
        goto cleanup;
    }
    lay_out(b, b->memory);
    IM_TRY(im_principal_project(b->v, &b->principal, &b->frame, fit->pool, &last, err));
    measure(b);
    if (!(b->range[slowest(b)] > 0)) {
        st = refuse_flat(b, err);
        goto cleanup;
    }
    choose_waves(b);
    IM_TRY(im_whole_layer(fit, &b->frame, b->w, b->principal.mean, b->shift, b->bits, err));
    IM_TRY(im_net_read_out(&fit->net, IM_READOUT_COSINE, b->bits, NULL, err));

cleanup:
    return st;
}

imsat_status im_spectral_hash_fit(im_fit *fit, imsat_error *err)
{
    const size_t bits = fit->opt->bits;
    box b = {.fit = fit, .bits = bits, .sides = im_size_min(bits, fit->data->dim)};
    const imsat_status st = im_whole_end(fit, work(&b, err), err);
    im_free(b.memory);
    im_principal_clear(&b.principal);
    im_frame_clear(&b.frame);
    return st;
}
