/* SPDX-License-Identifier: MIT
 * Methods and presets; see methods.h and docs/fidelity.md. */
#include "train/methods.h"

#include "neighbors/approx.h"

#include <math.h>

/* lambda, alpha and decay are the paper's (section 4.2.3), for clusters and for codes. For the
 * affine methods it names none; they take VAT's. RIM's lambda is not named either; only its
 * ratio to the decay matters (docs/fidelity.md). */
/* clang-format off */
const im_method im_methods[IMSAT_METHODS] = {
    [IMSAT_VAT] = {
        .name = "imsat-vat",
        .summary = "virtual adversarial perturbations; the paper's best, the default",
        .hashes = true,
        .weight = {[IM_AUG_VAT] = 1}, .lambda = 0.1, .alpha = 0.25},
    [IMSAT_RPT] = {
        .name = "imsat-rpt", .summary = "random perturbations", .hashes = true,
        .weight = {[IM_AUG_RPT] = 1}, .lambda = 0.05, .alpha = 2.5},
    [IMSAT_AFFINE] = {
        .name = "imsat-affine", .summary = "random affine warps of images",
        .weight = {[IM_AUG_AFFINE] = 1}, .lambda = 0.1, .alpha = 0.25},
    [IMSAT_VAT_AFFINE] = {
        .name = "imsat-vat-affine",
        .summary = "half adversarial perturbations, half affine warps",
        .weight = {[IM_AUG_VAT] = 0.5, [IM_AUG_AFFINE] = 0.5}, .lambda = 0.1, .alpha = 0.25},
    [IMSAT_LINEAR_VAT] = {
        .name = "linear-imsat-vat",
        .summary = "a linear model with adversarial perturbations", .linear = true,
        .weight = {[IM_AUG_VAT] = 1}, .lambda = 1.6, .alpha = 0.4},
    [IMSAT_DEEP_RIM] = {
        .name = "deep-rim", .summary = "information maximization with weight decay alone",
        .hashes = true, .lambda = 0.1, .alpha = 0.25, .decay = 0.005},
    [IMSAT_LINEAR_RIM] = {
        .name = "linear-rim", .summary = "the same with a linear model; often best on text",
        .linear = true, .hashes = true, .lambda = 0.1, .alpha = 0.25, .decay = 0.005},
    [IMSAT_OWN] = {
        .name = "own", .summary = "the caller's augmentation; from the library only",
        .hashes = true,
        .weight = {[IM_AUG_OWN] = 1}, .lambda = 0.1, .alpha = 0.25},
};
/* clang-format on */

static const struct {
    const char *name, *summary;
} presets[IMSAT_PRESETS] = {
    [IMSAT_PRESET_DEFAULT] = {"default", "works on data of any scale and size"},
    [IMSAT_PRESET_PAPER] = {"paper", "as the paper's text says"},
    [IMSAT_PRESET_REFERENCE] = {"reference", "as the authors' code does"},
};

const char *imsat_method_name(imsat_method method)
{
    return (unsigned)method < IMSAT_METHODS ? im_methods[method].name : NULL;
}

const char *imsat_method_summary(imsat_method method)
{
    return (unsigned)method < IMSAT_METHODS ? im_methods[method].summary : NULL;
}

int imsat_method_serves(imsat_method method, imsat_task task)
{
    return (unsigned)method < IMSAT_METHODS &&
           (task == IMSAT_TASK_CLUSTER ||
            (task == IMSAT_TASK_HASH && im_methods[method].hashes));
}

const char *imsat_task_name(imsat_task task)
{
    static const char *const names[IMSAT_TASKS] = {
        [IMSAT_TASK_CLUSTER] = "cluster",
        [IMSAT_TASK_HASH] = "hash",
    };
    return (unsigned)task < IMSAT_TASKS ? names[task] : NULL;
}

const char *imsat_preset_name(imsat_preset preset)
{
    return (unsigned)preset < IMSAT_PRESETS ? presets[preset].name : NULL;
}

const char *imsat_preset_summary(imsat_preset preset)
{
    return (unsigned)preset < IMSAT_PRESETS ? presets[preset].summary : NULL;
}

const char *imsat_radius_method_name(imsat_radius_method method)
{
    static const char *const names[IMSAT_RADIUS_METHODS] = {
        [IMSAT_RADIUS_AUTO] = "auto",
        [IMSAT_RADIUS_EXACT] = "exact",
        [IMSAT_RADIUS_APPROX] = "approx",
    };
    return (unsigned)method < IMSAT_RADIUS_METHODS ? names[method] : NULL;
}

size_t im_options_outputs(const imsat_options *options)
{
    return options->task == IMSAT_TASK_HASH ? options->bits : options->k;
}

bool im_method_needs_radius(imsat_method method)
{
    return im_methods[method].weight[IM_AUG_VAT] > 0 ||
           im_methods[method].weight[IM_AUG_RPT] > 0;
}

bool im_method_needs_image(imsat_method method)
{
    return im_methods[method].weight[IM_AUG_AFFINE] > 0;
}

static void init_paper(imsat_options *o)
{
    o->init_hidden = 0.1 * sqrt(2.0);
    o->init_output = 0.0001 * sqrt(2.0);
    o->mu_auto = 1;
    o->neighbor = 10;
}

static void init_reference(imsat_options *o)
{
    o->init_hidden = sqrt(0.1);
    o->init_output = sqrt(0.0001);
    o->neighbor = 11; /* the authors' "10th" counts from 0 */
    o->fresh_batches = 1;
}

static void init_default(imsat_options *o)
{
    o->init_hidden = sqrt(0.1);
    o->init_output = sqrt(0.0001);
    o->neighbor = 10;
    o->xi = 1;
    o->xi_relative = 1;
    o->center = 1;
    o->hidden_auto = !im_methods[o->method].linear;
    o->hidden_count = 0;
    o->batch = 0;
    o->epochs = 0;
}

void imsat_options_init(imsat_options *options, imsat_method method, imsat_preset preset)
{
    const im_method *m = &im_methods[method];
    *options = (imsat_options){
        .method = method,
        .preset = preset,
        .seed = 1,
        .runs = 1,
        .lambda = m->lambda,
        .mu = 4 * m->lambda,
        .decay = m->decay,
        .alpha = m->alpha,
        .delta = -1,
        .xi = 10,
        .power = 1,
        .epochs = 50,
        .batch = 250,
        .step_size = 0.002,
        .checkpoint_every = 1,
    };
    if (!m->linear) {
        options->hidden_count = 2;
        options->hidden[0] = options->hidden[1] = 1200;
    }
    switch (preset) {
    case IMSAT_PRESET_PAPER: init_paper(options); break;
    case IMSAT_PRESET_REFERENCE: init_reference(options); break;
    default: init_default(options); break;
    }
}

void imsat_options_init_hash(imsat_options *options, imsat_method method, imsat_preset preset)
{
    enum { HIDDEN = 400 }; /* section 4.3: small networks, for codes are made often */
    imsat_options_init(options, method, preset);
    options->task = IMSAT_TASK_HASH;
    options->mu = 0;
    options->mu_auto = 0;
    options->delta = 0;
    options->hidden_auto = 0;
    if (!im_methods[method].linear) {
        options->hidden_count = 2;
        options->hidden[0] = options->hidden[1] = HIDDEN;
    }
}

static size_t clamp(size_t value, size_t least, size_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* The default preset's choice by size. Small data gets smaller batches, so that an epoch still
 * has 16 steps: on the 1,797 digits ten runs of 100 epochs had a mean ACC of 0.93 with batches
 * of 100, and of 0.86 with 250. It gets more epochs, and a smaller network to pay for them.
 * A batch must stay large beside the number of clusters, whose shares it estimates. */
static void resolve_size(imsat_options *o, size_t n)
{
    enum { SMALL = 20000, SMALL_HIDDEN = 400, LARGE_HIDDEN = 1200 };
    enum { BATCHES = 16, LEAST_BATCH = 64, MOST_BATCH = 250, BATCH_PER_CLUSTER = 5 };
    enum { LEAST_EPOCHS = 50, MOST_EPOCHS = 500, LEAST_STEPS = 1600 };
    if (o->hidden_auto) {
        o->hidden_auto = 0;
        o->hidden_count = 2;
        o->hidden[0] = o->hidden[1] = n < SMALL ? SMALL_HIDDEN : LARGE_HIDDEN;
    }
    if (o->batch == 0) {
        o->batch = clamp(n / BATCHES, LEAST_BATCH, MOST_BATCH);
        if (o->batch < BATCH_PER_CLUSTER * o->k)
            o->batch = BATCH_PER_CLUSTER * o->k;
    }
    if (o->batch > n)
        o->batch = n;
    if (o->epochs == 0) {
        const size_t steps = (n + o->batch - 1) / o->batch;
        o->epochs = clamp((LEAST_STEPS + steps - 1) / steps, LEAST_EPOCHS, MOST_EPOCHS);
    }
}

/* 8-bit images go to [-1, 1] as paper and code say, each in its way. */
static void resolve_pixels(imsat_options *o, const imsat_data *data)
{
    const bool pixels = data->image.height > 0 && data->blocks[0].dtype == IM_U8;
    if (o->scale < 0 || o->scale > 0)
        return;
    o->scale = 1;
    if (pixels && o->preset == IMSAT_PRESET_PAPER) {
        o->scale = 2.0 / 255;
        o->shift = -1;
    }
    if (pixels && o->preset == IMSAT_PRESET_REFERENCE) {
        o->scale = 1.0 / 128;
        o->shift = -1;
    }
}

/* The ladder and the paper have a tolerance, 0.01 h(prior); a fixed mu pulls all the way. */
static void resolve_delta(imsat_options *o)
{
    if (o->delta >= 0)
        return;
    o->delta = 0;
    if (!o->mu_auto && o->preset != IMSAT_PRESET_PAPER)
        return;
    for (size_t j = 0; j < o->k; j++) {
        const double q = o->prior ? o->prior[j] : 1 / (double)o->k;
        o->delta -= 0.01 * q * log(q);
    }
}

imsat_options im_options_resolve(const imsat_options *options, const imsat_data *data)
{
    imsat_options o = *options;
    resolve_size(&o, data->rows);
    resolve_pixels(&o, data);
    resolve_delta(&o);
    o.radius_method = im_radius_resolve(o.radius_method, data->rows);
    return o;
}
