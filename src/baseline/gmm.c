/* SPDX-License-Identifier: MIT
 * See gmm.h. */
#include "baseline/gmm.h"

#include "baseline/whole.h"
#include "core/alloc.h"
#include "core/elementary.h"
#include "core/lanes.h"
#include "linear/gaussians.h"
#include "linear/kmeans.h"

#include <math.h>

/* Weights of the network, 1 GiB of them: more is a mistake about the columns. */
static const size_t MOST_WEIGHTS = (size_t)1 << 28;

/* ---- fitting ------------------------------------------------------------------------------
 */

/* From the labels of k-means, from one start of it. */
static imsat_status fit_once(im_gaussians *out, im_fit *fit, const im_frame *frame,
                             size_t restart, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = fit->opt;
    const im_stage first = im_stage_part(stage, 0, 0.1), last = im_stage_part(stage, 0.1, 1);
    const im_rows rows = {frame, NULL, frame->n};
    im_kmeans start = {0};
    im_kmeans_options of_start = im_kmeans_defaults(o->k, fit->seed ^ (uint64_t)restart << 32);
    of_start.restarts = 1;
    of_start.repair_empty = true;
    IM_TRY(im_kmeans_fit(&start, &rows, &of_start, fit->pool, &first, err));
    const im_gaussians_options options = {.k = o->k,
                                          .covariance = o->covariance,
                                          .regularization = o->regularization * frame->factor *
                                                            frame->factor,
                                          .iterations = o->iterations,
                                          .tolerance = o->tolerance,
                                          .start = start.labels};
    IM_TRY(im_gaussians_fit(out, frame, &options, fit->pool, &last, err));

cleanup:
    im_kmeans_clear(&start);
    return st;
}

/* The likeliest of the restarts. */
static imsat_status fit_best(im_gaussians *out, im_fit *fit, const im_frame *frame,
                             const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t restarts = fit->opt->restarts;
    im_gaussians best = {0}, next = {0};
    for (size_t r = 0; r < restarts; r++) {
        const im_stage part = im_stage_part(stage, (double)r / (double)restarts,
                                            (double)(r + 1) / (double)restarts);
        IM_TRY(fit_once(&next, fit, frame, r, &part, err));
        if (r == 0 || next.log_likelihood > best.log_likelihood) {
            im_gaussians_clear(&best);
            best = next;
        } else {
            im_gaussians_clear(&next);
        }
        next = (im_gaussians){0};
    }
    *out = best;
    best = (im_gaussians){0};

cleanup:
    im_gaussians_clear(&best);
    return st;
}

/* ---- the network --------------------------------------------------------------------------
 */

/* What a layer is made of, about the center of the frame. */
typedef struct layer {
    size_t units;
    double *w;       /* (units,d) of prepared rows */
    double *shift;   /* (units) */
    double *point;   /* (d) 0: the center */
    uint64_t *first; /* (k + 1) */
} layer;

static void clear_layer(layer *l)
{
    im_free(l->w);
    im_free(l->shift);
    im_free(l->point);
    im_free(l->first);
}

/* A unit for each cluster: w = S^-1 mean, shift = log weight - mean S^-1 mean / 2. */
static void set_tied(layer *l, const im_gaussians *g, const im_frame *frame)
{
    const double *a = g->whiten;
    for (size_t c = 0; c < g->k; c++) {
        double sq = 0;
        for (size_t i = 0; i < g->d; i++) {
            const double z = im_lanes_dot(a + i * g->d, g->mean + c * g->d, i + 1);
            im_lanes_add(l->w + c * g->d, z * frame->factor, a + i * g->d, i + 1);
            sq += z * z;
        }
        l->shift[c] = g->log_weight[c] - sq / 2;
    }
}

/* The row i of A of a component, into w (d) of prepared rows; its product with the mean. */
static double set_row(double *w, const im_gaussians *g, size_t c, size_t i, double factor)
{
    const double *a = im_gaussians_whiten(g, c), *mean = g->mean + c * g->d;
    if (g->covariance == IMSAT_COVARIANCE_DIAGONAL) {
        w[i] = a[i] * factor;
        return a[i] * mean[i];
    }
    im_lanes_add(w, factor, a + i * g->d, i + 1);
    return im_lanes_dot(a + i * g->d, mean, i + 1);
}

/* 1 + d units for each cluster: the first is a constant, the others A (x - mean). */
static void set_normals(layer *l, const im_gaussians *g, const im_frame *frame)
{
    for (size_t c = 0; c < g->k; c++) {
        const size_t first = c * (g->d + 1);
        l->first[c] = first;
        l->shift[first] = im_gaussians_peak(g, c);
        for (size_t i = 0; i < g->d; i++)
            l->shift[first + 1 + i] =
                -set_row(l->w + (first + 1 + i) * g->d, g, c, i, frame->factor);
    }
    l->first[g->k] = l->units;
}

static imsat_status make_net(im_fit *fit, const im_gaussians *g, const im_frame *frame,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const bool tied = g->covariance == IMSAT_COVARIANCE_TIED;
    layer l = {.units = tied ? g->k : g->k * (g->d + 1)};
    l.w = im_alloc(l.units * g->d, sizeof *l.w);
    l.shift = im_alloc(l.units, sizeof *l.shift);
    l.point = im_alloc(g->d, sizeof *l.point);
    l.first = im_alloc(g->k + 1, sizeof *l.first);
    if (!l.w || !l.shift || !l.point || !l.first) {
        st = im_fail_memory(err, "the network of the normals");
        goto cleanup;
    }
    if (tied)
        set_tied(&l, g, frame);
    else
        set_normals(&l, g, frame);
    IM_TRY(im_whole_layer(fit, frame, l.w, l.point, l.shift, l.units, err));
    if (!tied)
        IM_TRY(im_net_read_out(&fit->net, IM_READOUT_NORMALS, g->k, l.first, err));

cleanup:
    clear_layer(&l);
    return st;
}

/* ---- the method ----------------------------------------------------------------------------
 */

static imsat_status work(im_fit *fit, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage stage = im_whole_stage(fit, "fitting normals");
    im_frame frame = {0};
    im_gaussians found = {0};
    IM_TRY(im_whole_frame(&frame, fit, &stage, err));
    IM_TRY(fit_best(&found, fit, &frame, &stage, err));
    IM_TRY(make_net(fit, &found, &frame, err));
    fit->run->about.epochs = found.iterations;
    fit->run->about.objective =
        -found.log_likelihood - (double)frame.d * im_elementary_log(frame.factor);

cleanup:
    im_gaussians_clear(&found);
    im_frame_clear(&frame);
    return st;
}

imsat_status im_gmm_fit(im_fit *fit, imsat_error *err)
{
    const size_t k = fit->opt->k, d = fit->data->dim;
    if (d > MOST_WEIGHTS / k / d)
        return im_fail(err, IMSAT_EINVAL,
                       "%zu normals of %zu columns take k d^2 numbers, more than %zu; take "
                       "fewer columns (as by principal components), or method kmeans",
                       k, d, MOST_WEIGHTS);
    return im_whole_end(fit, work(fit, err), err);
}
