/* SPDX-License-Identifier: MIT
 *
 * See itq.h. For signs B (n,c) of V R the best rotation makes trace(R^T V^T B) largest: it is
 * the rotation nearest to V^T B (linear/polar.h). A pass over the rows finds signs, error and
 * V^T B at a time, in PARTS sums, whatever the number of threads, which are added in order.
 */
#include "baseline/itq.h"

#include "baseline/whole.h"
#include "core/alloc.h"
#include "core/lanes.h"
#include "core/rng.h"
#include "imsat/search.h"
#include "linear/polar.h"
#include "linear/principal.h"

#include <math.h>

enum {
    PARTS = 16, /* sums, each the work of a task */
    SPAN = 1024 /* rows of a task between two looks at whether to stop */
};

typedef struct quantizer {
    im_fit *fit;
    im_frame frame;
    im_principal principal;
    size_t bits;
    im_real *v;       /* (n,bits) rows along the components, as scaled */
    double *rotation; /* (bits,bits) R */
    double *best;     /* (bits,bits) the R of the lowest error so far */
    double *product;  /* (PARTS,bits,bits) V^T B */
    double *error;    /* (PARTS) sums of squared errors */
    double *turned;   /* (threads,bits) R^T v of a row */
    size_t first;     /* row of this round */
    void *memory;
} quantizer;

static size_t lay_out(quantizer *q, void *base)
{
    const size_t square = q->bits * q->bits;
    const size_t threads = (size_t)im_pool_threads(q->fit->pool);
    im_carver c = {base, 0};
    q->v = im_carve(&c, q->frame.n * q->bits, sizeof *q->v);
    q->rotation = im_carve(&c, square, sizeof(double));
    q->best = im_carve(&c, square, sizeof(double));
    q->product = im_carve(&c, PARTS * square, sizeof(double));
    q->error = im_carve(&c, PARTS, sizeof(double));
    q->turned = im_carve(&c, threads * q->bits, sizeof(double));
    return c.used;
}

static void clear(quantizer *q)
{
    im_free(q->memory);
    im_principal_clear(&q->principal);
    im_frame_clear(&q->frame);
}

/* ---- a pass: signs, error, V^T B ------------------------------------------------------ */

/* turned (bits) = R^T v; then its signs, and the squared error is returned, v being in units
 * of `unit`. */
static double quantize(double *turned, const im_real *v, const double *rotation, size_t bits,
                       double unit)
{
    double error = 0;
    memset(turned, 0, bits * sizeof *turned);
    for (size_t a = 0; a < bits; a++)
        im_lanes_add(turned, v[a], rotation + a * bits, bits);
    for (size_t b = 0; b < bits; b++) {
        const double sign = turned[b] > 0 ? 1 : -1;
        error += (sign - turned[b] * unit) * (sign - turned[b] * unit);
        turned[b] = sign;
    }
    return error;
}

static void pass_task(void *context, size_t task, int thread)
{
    quantizer *q = context;
    const size_t bits = q->bits, n = q->frame.n, first = q->first + task * SPAN;
    double *turned = q->turned + (size_t)thread * bits;
    for (size_t i = first; i < n && i < first + SPAN; i++) {
        const im_real *v = q->v + i * bits;
        q->error[task] += quantize(turned, v, q->rotation, bits, 1 / q->frame.factor);
        for (size_t a = 0; a < bits; a++)
            im_lanes_add(q->product + (task * bits + a) * bits, v[a], turned, bits);
    }
}

/* *error of the rotation, and V^T B in the first part. */
static imsat_status pass(double *error, quantizer *q, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t square = q->bits * q->bits;
    double sum = 0;
    memset(q->product, 0, PARTS * square * sizeof *q->product);
    memset(q->error, 0, PARTS * sizeof *q->error);
    for (q->first = 0; q->first < q->frame.n; q->first += (size_t)PARTS * SPAN)
        IM_TRY(im_stage_run(stage, q->fit->pool, pass_task, q, PARTS, SIZE_MAX, err));
    for (size_t part = 0; part < PARTS; part++) {
        sum += q->error[part];
        if (part > 0)
            im_lanes_add(q->product, 1, q->product + part * square, square);
    }
    *error = sum / (double)q->frame.n;

cleanup:
    return st;
}

/* ---- rotations -------------------------------------------------------------------------- */

/* A random rotation, all equally likely: the nearest to a matrix of normals. */
static imsat_status begin(quantizer *q, size_t restart, imsat_error *err)
{
    const im_rng rng = {q->fit->seed, IM_STREAM_PLANES, 0, (uint32_t)restart};
    for (size_t b = 0; b < q->bits; b++) {
        float normal[IMSAT_MAX_BITS];
        im_rng_normals(normal, q->bits, rng, (uint32_t)b);
        for (size_t a = 0; a < q->bits; a++)
            q->product[b * q->bits + a] = normal[a];
    }
    return im_polar_rotation(q->rotation, q->product, q->bits, err);
}

/* Iterate from one start; *error and *rounds are of where it ends. */
static imsat_status iterate(double *error, size_t *rounds, quantizer *q, const im_stage *stage,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = q->fit->opt;
    double before = (double)INFINITY;
    for (*rounds = 0;; ++*rounds, before = *error) {
        const double share = (double)*rounds / (double)(o->iterations + 1);
        const im_stage now = im_stage_part(stage, share, share);
        IM_TRY(pass(error, q, &now, err));
        if (*rounds == o->iterations || before - *error <= o->tolerance * *error)
            break;
        IM_TRY(im_polar_rotation(q->rotation, q->product, q->bits, err));
    }

cleanup:
    return st;
}

/* The best of the restarts. */
static imsat_status rotate(quantizer *q, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t restarts = q->fit->opt->restarts;
    imsat_run *run = &q->fit->run->about;
    run->objective = (double)INFINITY;
    for (size_t r = 0; r < restarts; r++) {
        const im_stage part = im_stage_part(stage, (double)r / (double)restarts,
                                            (double)(r + 1) / (double)restarts);
        double error = 0;
        size_t rounds = 0;
        IM_TRY(begin(q, r, err));
        IM_TRY(iterate(&error, &rounds, q, &part, err));
        if (error < run->objective) {
            run->objective = error;
            run->epochs = rounds;
            memcpy(q->best, q->rotation, q->bits * q->bits * sizeof *q->best);
        }
    }

cleanup:
    return st;
}

/* The rotated components as the weights of a layer. */
static imsat_status make_net(quantizer *q, imsat_error *err)
{
    const size_t d = q->frame.d, bits = q->bits;
    double *w = im_alloc(bits * d, sizeof *w);
    if (!w)
        return im_fail_memory(err, "the network");
    for (size_t b = 0; b < bits; b++)
        for (size_t a = 0; a < bits; a++)
            im_lanes_add(w + b * d, q->best[a * bits + b], q->principal.directions + a * d, d);
    const imsat_status st =
        im_whole_layer(q->fit, &q->frame, w, q->principal.mean, NULL, bits, err);
    im_free(w);
    return st;
}

static imsat_status work(quantizer *q, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage stage = im_whole_stage(q->fit, "rotating the components of the rows");
    const im_stage first = im_stage_part(&stage, 0, 0.5), last = im_stage_part(&stage, 0.5, 1);
    const im_stage still = im_stage_part(&first, 1, 1);
    IM_TRY(im_whole_frame(&q->frame, q->fit, &stage, err));
    IM_TRY(im_principal_fit(&q->principal, &q->frame, q->bits, q->fit->pool, &first, err));
    q->memory = im_alloc(lay_out(q, NULL), 1);
    if (!q->memory) {
        st = im_fail_memory(err, "the components of the rows");
        goto cleanup;
    }
    lay_out(q, q->memory);
    IM_TRY(im_principal_project(q->v, &q->principal, &q->frame, q->fit->pool, &still, err));
    IM_TRY(rotate(q, &last, err));
    IM_TRY(make_net(q, err));

cleanup:
    return st;
}

imsat_status im_itq_fit(im_fit *fit, imsat_error *err)
{
    quantizer q = {.fit = fit, .bits = fit->opt->bits};
    if (fit->opt->bits > fit->data->dim)
        return im_fail(err, IMSAT_EINVAL,
                       "method itq makes at most a bit of each column, and the data has %zu "
                       "columns, fewer than %zu bits; take fewer bits, or method lsh",
                       fit->data->dim, fit->opt->bits);
    const imsat_status st = im_whole_end(fit, work(&q, err), err);
    clear(&q);
    return st;
}
