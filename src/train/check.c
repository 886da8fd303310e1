/* SPDX-License-Identifier: MIT
 * Options are checked once, before any work, with messages a person can act on. */
#include "imsat/search.h"
#include "train/methods.h"

#include <math.h>

typedef struct range {
    const char *name;
    double value, least;
    bool open; /* least itself is refused */
} range;

static imsat_status check_range(range r, imsat_error *err)
{
    if (!isfinite(r.value))
        return im_fail(err, IMSAT_EINVAL, "%s is %g, and must be finite", r.name, r.value);
    if (r.value > r.least || (!r.open && r.value >= r.least))
        return IMSAT_OK;
    return im_fail(err, IMSAT_EINVAL, "%s is %g, and must be %s %g", r.name, r.value,
                   r.open ? "above" : "at least", r.least);
}

static imsat_status check_numbers(const imsat_options *o, imsat_error *err)
{
    const range ranges[] = {
        {"lambda", o->lambda, 0, false},
        {"mu", o->mu, 0, false},
        {"decay", o->decay, 0, false},
        {"alpha", o->alpha, 0, false},
        {"xi", o->xi, 0, true},
        {"step-size", o->step_size, 0, true},
        {"init-hidden", o->init_hidden, 0, true},
        {"init-output", o->init_output, 0, true},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const imsat_status st = check_range(ranges[i], err);
        if (st != IMSAT_OK)
            return st;
    }
    if (!isfinite(o->scale) || !isfinite(o->shift))
        return im_fail(err, IMSAT_EINVAL, "scale %g and shift %g must be finite", o->scale,
                       o->shift);
    if (isnan(o->delta))
        return im_fail(err, IMSAT_EINVAL, "delta is not a number");
    return IMSAT_OK;
}

static imsat_status check_counts(const imsat_options *o, imsat_error *err)
{
    const struct {
        const char *name;
        size_t value, least;
    } counts[] = {{"runs", o->runs, 1},
                  {"batch", o->batch ? o->batch : 2, 2},
                  {"neighbor", o->neighbor, 1},
                  {"power", o->power, 1},
                  {"checkpoint-every", o->checkpoint_every, 1}};
    enum { MOST = 1000000000 };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].value < counts[i].least || counts[i].value > MOST)
            return im_fail(err, IMSAT_EINVAL, "%s is %zu, and must be from %zu to %d",
                           counts[i].name, counts[i].value, counts[i].least, MOST);
    if (o->threads < 0)
        return im_fail(err, IMSAT_EINVAL, "threads is %d, and must be 0 (all cores) or more",
                       o->threads);
    if (o->hidden_count > IMSAT_MAX_HIDDEN)
        return im_fail(err, IMSAT_EINVAL, "%zu hidden layers; at most %d are possible",
                       o->hidden_count, IMSAT_MAX_HIDDEN);
    for (size_t l = 0; l < o->hidden_count; l++)
        if (o->hidden[l] < 1 || o->hidden[l] > 1000000)
            return im_fail(err, IMSAT_EINVAL,
                           "hidden layer %zu has %zu units, and must have 1 to 1000000", l + 1,
                           o->hidden[l]);
    return IMSAT_OK;
}

static imsat_status check_prior(const imsat_options *o, imsat_error *err)
{
    double sum = 0;
    for (size_t j = 0; o->prior && j < o->k; j++) {
        if (!(o->prior[j] > 0) || !isfinite(o->prior[j]))
            return im_fail(err, IMSAT_EINVAL,
                           "prior of cluster %zu is %g, and must be above 0", j, o->prior[j]);
        sum += o->prior[j];
    }
    if (o->prior && fabs(sum - 1) > 1e-6)
        return im_fail(err, IMSAT_EINVAL, "the prior sums to %.9g, and must sum to 1", sum);
    return IMSAT_OK;
}

static imsat_status check_method(const imsat_options *o, const imsat_data *data,
                                 imsat_error *err)
{
    if ((unsigned)o->method >= IMSAT_METHODS || (unsigned)o->preset >= IMSAT_PRESETS)
        return im_fail(err, IMSAT_EINVAL, "method %d or preset %d is unknown", (int)o->method,
                       (int)o->preset);
    if (!imsat_method_serves(o->method, o->task))
        return im_fail(err, IMSAT_EINVAL, "method %s does not learn hash codes",
                       imsat_method_name(o->method));
    if ((unsigned)o->radius_method >= IMSAT_RADIUS_METHODS)
        return im_fail(err, IMSAT_EINVAL, "radius-method %d is unknown",
                       (int)o->radius_method);
    if (im_method_needs_image(o->method) && data->image.height == 0)
        return im_fail(
            err, IMSAT_EINVAL,
            "method %s warps images, but the shape of the rows is not known; give it "
            "as --image HxW[xC]",
            imsat_method_name(o->method));
    if (o->method == IMSAT_OWN && !o->augment)
        return im_fail(err, IMSAT_EINVAL, "method own needs a function in options.augment");
    if (im_methods[o->method].linear && o->hidden_count > 0)
        return im_fail(err, IMSAT_EINVAL, "method %s is linear, but has %zu hidden layers",
                       imsat_method_name(o->method), o->hidden_count);
    if (o->resume && !o->checkpoint)
        return im_fail(err, IMSAT_EINVAL, "resume needs the name of a checkpoint");
    return IMSAT_OK;
}

static imsat_status check_radius(const imsat_options *o, const imsat_data *data,
                                 imsat_error *err)
{
    for (size_t i = 0; o->radius && i < data->rows; i++)
        if (!isfinite(o->radius[i]) || o->radius[i] < 0)
            return im_fail(err, IMSAT_EINVAL, "radius of row %zu is %g, and must be 0 or more",
                           i, (double)o->radius[i]);
    return IMSAT_OK;
}

static imsat_status check_clusters(const imsat_options *o, const imsat_data *data,
                                   imsat_error *err)
{
    if (o->bits > 0)
        return im_fail(err, IMSAT_EINVAL, "bits is %zu, but clusters have none", o->bits);
    if (o->k < 2)
        return im_fail(err, IMSAT_EINVAL, "k is %zu, and must be at least 2", o->k);
    if (o->k > data->rows)
        return im_fail(err, IMSAT_EINVAL, "k is %zu, but there are only %zu rows", o->k,
                       data->rows);
    return check_prior(o, err);
}

/* What is for clusters alone is refused, not ignored. */
static imsat_status check_codes(const imsat_options *o, const imsat_data *data,
                                imsat_error *err)
{
    if (o->bits < 1 || o->bits > IMSAT_MAX_BITS)
        return im_fail(err, IMSAT_EINVAL, "bits is %zu, and must be from 1 to %d", o->bits,
                       IMSAT_MAX_BITS);
    if (data->rows < 2)
        return im_fail(err, IMSAT_EINVAL, "one row has nothing to be told from");
    if (o->k > 0)
        return im_fail(err, IMSAT_EINVAL, "k is %zu, but hash codes have no clusters", o->k);
    if (o->prior)
        return im_fail(err, IMSAT_EINVAL, "a prior is given, but hash codes have none");
    if (o->mu > 0 || o->mu_auto)
        return im_fail(err, IMSAT_EINVAL,
                       "mu is set, but the objective of hash codes has no such term");
    return IMSAT_OK;
}

imsat_status imsat_options_check(const imsat_options *o, const imsat_data *data,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(o->task == IMSAT_TASK_HASH ? check_codes(o, data, err)
                                      : check_clusters(o, data, err));
    IM_TRY(check_method(o, data, err));
    IM_TRY(check_counts(o, err));
    IM_TRY(check_numbers(o, err));
    IM_TRY(check_radius(o, data, err));

cleanup:
    return st;
}
