/* SPDX-License-Identifier: MIT
 * Options are checked once, before any work, with messages a person can act on; see check.h.
 */
#include "model/check.h"

#include "core/elementary.h"
#include "model/race.h"
#include "model/votes.h"
#include "neighbors/radius.h"

#include <math.h>

/* ---- checks ------------------------------------------------------------------------------
 */

/* What the task is called where an option has nothing to do with it. */
static const char *task_noun(imsat_task task)
{
    return task == IMSAT_TASK_HASH ? "hash codes" : "clusters";
}

static imsat_status check_method(const imsat_options *o, const im_method *method,
                                 const imsat_data *data, imsat_error *err)
{
    if ((unsigned)o->task >= IMSAT_TASKS || (unsigned)o->preset >= IMSAT_PRESETS)
        return im_fail(err, IMSAT_EINVAL, "task %d or preset %d is unknown", (int)o->task,
                       (int)o->preset);
    if (!method)
        return im_fail(err, IMSAT_EINVAL, "there is no method \"%s\"",
                       o->method ? o->method : "");
    if (!imsat_method_serves(method->name, o->task))
        return im_fail(err, IMSAT_EINVAL, "method %s does not learn %s", method->name,
                       task_noun(o->task));
    if (method->uses & IM_USES_IMAGES && data->image.height == 0)
        return im_fail(
            err, IMSAT_EINVAL,
            "method %s warps images, but the shape of the rows is not known; give it "
            "as --image HxW[xC]",
            method->name);
    if (method->callers && !o->augment)
        return im_fail(err, IMSAT_EINVAL, "method %s needs a function in options.augment",
                       method->name);
    if (o->checkpoint && !*o->checkpoint)
        return im_fail(err, IMSAT_EINVAL, "checkpoint is empty, and must name a file");
    if (o->resume && !o->checkpoint)
        return im_fail(err, IMSAT_EINVAL, "resume needs the name of a checkpoint");
    if (o->checkpoint && im_data_is_file(data, o->checkpoint))
        return im_fail(err, IMSAT_EINVAL,
                       "checkpoint %s is a file of the data, which it would replace; give it "
                       "another name",
                       o->checkpoint);
    return IMSAT_OK;
}

/* An option that changes nothing must have its default: who sets it expects that it does. */
static imsat_status check_unused(const imsat_options *o, const imsat_options *standard,
                                 const im_method *method, const im_option *row,
                                 imsat_error *err)
{
    char value[64];
    if (row->derived || im_options_same(o, standard, row))
        return IMSAT_OK;
    im_options_text(value, sizeof value, o, row);
    if (!(row->about.tasks & 1U << o->task))
        return im_fail(err, IMSAT_EINVAL, "%s is set (%s), but %s have no such option",
                       row->about.name, value, task_noun(o->task));
    return im_fail(err, IMSAT_EINVAL, "%s is set (%s), but method %s does not use it",
                   row->about.name, value, method->name);
}

static imsat_status check_fields(const imsat_options *o, const im_method *method,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_options standard;
    imsat_options_init_sized(&standard, sizeof standard, o->task, o->method, o->preset);
    for (size_t i = 0; i < im_options_count; i++) {
        const im_option *row = &im_options_table[i];
        IM_TRY(im_methods_use(method, o->task, row)
                   ? im_options_in_range(o, row, err)
                   : check_unused(o, &standard, method, row, err));
    }

cleanup:
    return st;
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

static imsat_status check_rows(const imsat_options *o, const imsat_data *data,
                               imsat_error *err)
{
    if (o->k > data->rows)
        return im_fail(err, IMSAT_EINVAL, "k is %zu, but there are only %zu rows", o->k,
                       data->rows);
    if (data->rows < 2)
        return im_fail(err, IMSAT_EINVAL,
                       "the data has one row; a code can only tell rows apart if there are "
                       "two or more");
    for (size_t i = 0; o->radius && i < data->rows; i++)
        if (!isfinite(o->radius[i]) || o->radius[i] < 0)
            return im_fail(err, IMSAT_EINVAL, "radius of row %zu is %g, and must be 0 or more",
                           i, (double)o->radius[i]);
    return IMSAT_OK;
}

/* Neither a race nor a consensus climbs. */
static imsat_status check_mu(const imsat_options *o, imsat_error *err)
{
    if ((!o->race && !o->consensus) || o->task != IMSAT_TASK_CLUSTER ||
        !im_options_number_open(o->mu))
        return IMSAT_OK;
    return im_fail(
        err, IMSAT_EINVAL,
        "mu is left open: objectives of different mu cannot be compared; set mu for "
        "a %s, to 4 lambda, say",
        o->race ? "race" : "consensus");
}

static imsat_status check_race(const imsat_options *o, imsat_error *err)
{
    if (!o->race)
        return IMSAT_OK;
    if (o->runs > IM_RACE_MOST)
        return im_fail(err, IMSAT_EINVAL, "runs is %zu: a race is of at most %d", o->runs,
                       IM_RACE_MOST);
    return IMSAT_OK;
}

static imsat_status check_consensus(const imsat_options *o, imsat_error *err)
{
    if (!o->consensus)
        return IMSAT_OK;
    if (o->runs < 2)
        return im_fail(err, IMSAT_EINVAL, "a consensus is one of several runs; raise runs");
    if (o->race)
        return im_fail(err, IMSAT_EINVAL,
                       "a race leaves one run, and a consensus is one of several");
    if (o->k > IM_VOTES_CLUSTERS)
        return im_fail(err, IMSAT_EINVAL,
                       "k is %zu: a consensus matches clusters of runs, at most %d", o->k,
                       IM_VOTES_CLUSTERS);
    return IMSAT_OK;
}

static imsat_status check_adopted(const imsat_options *o, const imsat_data *data,
                                  imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_method *method = im_methods_find(o->method);
    IM_TRY(check_method(o, method, data, err));
    IM_TRY(check_fields(o, method, err));
    IM_TRY(check_rows(o, data, err));
    IM_TRY(check_prior(o, err));
    IM_TRY(check_mu(o, err));
    IM_TRY(check_race(o, err));
    IM_TRY(check_consensus(o, err));

cleanup:
    return st;
}

/* Fields that the caller's program does not know have their defaults. */
imsat_status im_check_adopt(imsat_options *own, const imsat_options *theirs, imsat_error *err)
{
    imsat_options_init_sized(own, sizeof *own, theirs->task, theirs->method, theirs->preset);
    return im_options_adopt(own, theirs, err);
}

imsat_status imsat_options_check(const imsat_options *options, const imsat_data *data,
                                 imsat_error *err)
{
    IM_REQUIRE(options);
    IM_REQUIRE(data);
    imsat_options own;
    const imsat_status st = im_check_adopt(&own, options, err);
    return st == IMSAT_OK ? check_adopted(&own, data, err) : st;
}

imsat_status im_check_radius(const imsat_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t i = 0; i < im_options_count; i++) {
        const im_option *row = &im_options_table[i];
        if (row->about.section == IMSAT_SECTION_PREPROCESSING ||
            row->offset == offsetof(imsat_options, neighbor) ||
            row->offset == offsetof(imsat_options, radius_method) ||
            row->offset == offsetof(imsat_options, threads))
            IM_TRY(im_options_in_range(options, row, err));
    }

cleanup:
    return st;
}

/* ---- what was left open -------------------------------------------------------------------
 */

static size_t clamp(size_t value, size_t least, size_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* Erin Liong et al.'s layers for 16, 32 and 64 bits; beyond that a little more than bits. */
static void resolve_few(imsat_options *o)
{
    static const size_t units[][3] = {{16, 60, 30}, {32, 80, 50}, {64, 100, 80}};
    size_t i = 0;
    while (i < 3 && units[i][0] < o->bits)
        i++;
    o->hidden_count = 2;
    o->hidden[0] = i < 3 ? units[i][1] : o->bits + 36;
    o->hidden[1] = i < 3 ? units[i][2] : o->bits + 16;
}

/* The default preset's choice by size. Small data gets smaller batches, so that an epoch still
 * has 16 steps: on the 1,797 digits ten runs of 100 epochs had a mean ACC of 0.93 with batches
 * of 100, and of 0.86 with 250. It gets more epochs, and a smaller network to pay for them.
 * A batch must stay large beside the number of clusters, whose shares it estimates. */
static void resolve_size(imsat_options *o, const im_method *method, size_t n)
{
    enum { SMALL = 20000, SMALL_HIDDEN = 400, LARGE_HIDDEN = 1200 };
    enum { BATCHES = 16, LEAST_BATCH = 64, MOST_BATCH = 250, BATCH_PER_CLUSTER = 5 };
    enum { LEAST_EPOCHS = 50, MOST_EPOCHS = 500, LEAST_STEPS = 1600, LEAST_INTERVAL = 100 };
    if (im_options_count_open(o->hidden_count) && method && method->uses & IM_USES_FEW_UNITS) {
        resolve_few(o);
    } else if (im_options_count_open(o->hidden_count)) {
        o->hidden_count = 2;
        o->hidden[0] = o->hidden[1] = n < SMALL ? SMALL_HIDDEN : LARGE_HIDDEN;
    }
    if (im_options_count_open(o->batch)) {
        o->batch = clamp(n / BATCHES, LEAST_BATCH, MOST_BATCH);
        if (o->batch < BATCH_PER_CLUSTER * o->k)
            o->batch = BATCH_PER_CLUSTER * o->k;
    }
    if (o->batch > n)
        o->batch = n;
    if (im_options_count_open(o->epochs)) {
        const size_t steps = (n + o->batch - 1) / o->batch;
        const size_t fixed =
            method && (unsigned)o->preset < IMSAT_PRESETS ? method->steps[o->preset] : 0;
        o->epochs = fixed
                        ? (fixed + steps - 1) / steps
                        : clamp((LEAST_STEPS + steps - 1) / steps, LEAST_EPOCHS, MOST_EPOCHS);
    }
    if (im_options_count_open(o->interval))
        o->interval = clamp((n + o->batch - 1) / o->batch, LEAST_INTERVAL, SIZE_MAX);
}

/* 8-bit images go to [-1, 1] as paper and code say, each in its way, and for an auto-encoder
 * from 0 to about 5, as Xie et al. have MNIST; all else stays as it is. Who sets one of scale
 * and shift has both in hand. */
static void resolve_pixels(imsat_options *o, const im_method *method, const imsat_data *data)
{
    const bool pixels = data->image.height > 0 && data->blocks[0].dtype == IM_U8;
    const bool open = im_options_number_open(o->scale) && im_options_number_open(o->shift);
    if (im_options_number_open(o->scale))
        o->scale = 1;
    if (im_options_number_open(o->shift))
        o->shift = 0;
    if (!open || !pixels || o->preset == IMSAT_PRESET_DEFAULT)
        return;
    const bool encoded = method && method->uses & IM_USES_CODE;
    const double to_one = o->preset == IMSAT_PRESET_PAPER ? 2.0 / 255 : 1.0 / 128;
    o->scale = encoded ? 0.02 : to_one;
    o->shift = encoded ? 0 : -1;
}

/* Nine tenths of the least KL at which a cluster can be empty: that of the smallest, when the
 * others keep their proportions. So within it sizes may differ, and no cluster is given up. */
static double tolerance_of(double smallest)
{
    return -0.9 * im_elementary_log(1 - smallest);
}

/* The ladder and the paper have 0.01 h(prior); the authors' code pulls all the way. */
static void resolve_delta(imsat_options *o)
{
    double smallest = 1, entropy = 0;
    if (!im_options_number_open(o->delta))
        return;
    for (size_t j = 0; j < o->k; j++) {
        const double q = o->prior ? o->prior[j] : 1 / (double)o->k;
        smallest = q < smallest ? q : smallest;
        entropy -= q * im_elementary_log(q);
    }
    if (im_options_number_open(o->mu) || o->preset == IMSAT_PRESET_PAPER ||
        (o->prior && o->preset == IMSAT_PRESET_DEFAULT))
        o->delta = 0.01 * entropy;
    else
        o->delta = o->preset == IMSAT_PRESET_DEFAULT ? tolerance_of(smallest) : 0;
}

/* How many times as large as the smallest cluster the largest is, as far as rows are weighed
 * by it: where clusters are of one size, their density tells them apart in the wrong way
 * (docs/results.md). */
static double unevenness(const imsat_options *o)
{
    enum { MOST = 5 };
    if (!o->prior)
        return 1;
    double smallest = o->prior[0], largest = o->prior[0];
    for (size_t j = 1; j < o->k; j++) {
        smallest = o->prior[j] < smallest ? o->prior[j] : smallest;
        largest = o->prior[j] > largest ? o->prior[j] : largest;
    }
    return largest < MOST * smallest ? largest / smallest : MOST;
}

/* Sizes that nobody knows are drawn to equal ones to the end: clusters that are let go before
 * they have formed merge. */
static void resolve_start(imsat_options *o)
{
    if (im_options_number_open(o->even_start))
        o->even_start = o->prior ? 0.3 : 1;
    if (im_options_number_open(o->thin_weight))
        o->thin_weight = unevenness(o);
}

imsat_options im_check_decide(const imsat_options *options, const imsat_data *data)
{
    imsat_options o = *options;
    const im_method *method = im_methods_find(o.method);
    resolve_size(&o, method, data->rows);
    resolve_pixels(&o, method, data);
    resolve_delta(&o);
    resolve_start(&o);
    if (o.runs < 2)
        o.race = 0;
    o.radius_method = im_radius_resolve(o.radius_method, data->rows);
    if (im_options_count_open(o.threads))
        o.threads = 0; /* the pool of threads decides */
    return o;
}

imsat_status im_check_resolve(imsat_options *out, const imsat_options *options,
                              const imsat_data *data, imsat_error *err)
{
    imsat_options own;
    imsat_status st = IMSAT_OK;
    IM_TRY(im_check_adopt(&own, options, err));
    IM_TRY(check_adopted(&own, data, err));
    *out = im_check_decide(&own, data);

cleanup:
    return st;
}
