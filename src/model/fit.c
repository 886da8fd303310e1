/* SPDX-License-Identifier: MIT
 *
 * imsat_cluster() and imsat_hash(): from data and options to a model. Prepare, measure the
 * radius, train every run, keep the best, and write down how it came to be.
 */
#include "core/alloc.h"
#include "core/clock.h"
#include "core/partition.h"
#include "data/record.h"
#include "model/agreement.h"
#include "model/model.h"
#include "neighbors/approx.h"
#include "train/checkpoint.h"
#include "train/options_record.h"

#include <stdio.h>

/* What one call holds. */
typedef struct fit {
    const imsat_data *data;
    imsat_options opt; /* resolved */
    im_pool *pool;
    im_preprocess pre;
    uint64_t fingerprint;
    float *radius; /* (rows) owned, or NULL */
    imsat_radius_info radius_info;
    double *prior; /* (k) owned, of clusters */
    im_session session;
    double started, radius_done;
} fit;

static void clear(fit *f)
{
    im_session_clear(&f->session);
    im_free(f->prior);
    im_free(f->radius);
    im_preprocess_clear(&f->pre);
    im_pool_free(f->pool);
}

static int radius_progress(void *user, double fraction)
{
    const imsat_options *opt = user;
    const imsat_progress p = {
        .stage = "radius", .fraction = fraction, .runs = opt->runs, .epochs = opt->epochs};
    return opt->progress ? opt->progress(opt->progress_user, &p) : 0;
}

/* Given, kept in the checkpoint, or computed. */
static imsat_status take_radius(fit *f, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t rows = f->data->rows;
    bool found = false;
    const im_stage stage = {radius_progress, &f->opt, 0, 1};
    if (!im_method_needs_radius(f->opt.method))
        return IMSAT_OK;
    f->radius = im_alloc(rows, sizeof *f->radius);
    if (!f->radius)
        return im_fail_memory(err, "the radius of every row");
    if (f->opt.resume)
        IM_TRY(im_checkpoint_radius(f->radius, &f->radius_info, &found, &f->opt, f->data,
                                    f->fingerprint, err));
    if (found && f->opt.radius &&
        memcmp(f->radius, f->opt.radius, rows * sizeof *f->radius) != 0) {
        st = im_fail(err, IMSAT_EMISMATCH,
                     "%s: was made with another radius than is given now", f->opt.checkpoint);
        goto cleanup;
    }
    if (!found && f->opt.radius)
        memcpy(f->radius, f->opt.radius, rows * sizeof *f->radius);
    else if (!found)
        IM_TRY(im_radius(f->radius, &f->radius_info, f->data, &f->pre, f->opt.neighbor,
                         f->opt.radius_method, f->pool, &stage, err));
    for (size_t i = 0; i < rows; i++)
        if (f->radius[i] > 0)
            return IMSAT_OK;
    st = im_fail(err, IMSAT_EINVAL,
                 "every row has %zu or more exact copies, so there is no radius to perturb "
                 "within; remove the copies or raise --neighbor",
                 f->opt.neighbor);

cleanup:
    return st;
}

static imsat_status take_prior(fit *f, imsat_error *err)
{
    if (f->opt.task == IMSAT_TASK_HASH)
        return IMSAT_OK;
    f->prior = im_alloc(f->opt.k, sizeof *f->prior);
    if (!f->prior)
        return im_fail_memory(err, "the prior");
    for (size_t j = 0; j < f->opt.k; j++)
        f->prior[j] = f->opt.prior ? f->opt.prior[j] : 1 / (double)f->opt.k;
    return IMSAT_OK;
}

static imsat_status prepare(fit *f, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(im_pool_new(&f->pool, f->opt.threads, err));
    IM_TRY(im_preprocess_fit(&f->pre, f->data, &f->opt, err));
    f->fingerprint = im_data_fingerprint(f->data);
    IM_TRY(take_prior(f, err));
    IM_TRY(take_radius(f, err));
    f->radius_done = im_clock();
    IM_TRY(im_session_new(&f->session, f->data, &f->pre, &f->opt, f->radius, f->prior,
                          f->fingerprint, f->pool, err));
    f->session.radius_info = f->radius_info;
    if (f->opt.resume && im_file_exists(f->opt.checkpoint))
        IM_TRY(im_checkpoint_load(&f->session, f->opt.checkpoint, err));

cleanup:
    return st;
}

/* The record of the best run: nothing in it depends on the machine or the clock, so that the
 * same data, options and seed give the same file. */
static imsat_status record(imsat_model *model, const fit *f, double agreement,
                           imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors *r = &model->record;
    const imsat_run *best = &f->session.run[f->session.best_run];
    IM_TRY(im_model_describe(model, err));
    IM_TRY(im_record_count(r, "data.rows", f->data->rows, err));
    IM_TRY(im_record_count(r, "data.fingerprint", f->fingerprint, err));
    IM_TRY(im_record_options(r, &f->opt, err));
    IM_TRY(im_record_count(r, "result.seed", best->seed, err));
    IM_TRY(im_record_count(r, "result.epochs", best->epochs, err));
    IM_TRY(im_record_number(r, "result.objective", best->objective, err));
    for (imsat_term term = 0; term < IMSAT_TERMS; term++) {
        char key[40];
        snprintf(key, sizeof key, "result.%s", imsat_term_name(term));
        if (im_terms_recorded(term, f->opt.task))
            IM_TRY(im_record_number(r, key, best->term[term], err));
    }
    if (f->opt.task == IMSAT_TASK_CLUSTER)
        IM_TRY(im_record_number(r, "result.mu", best->mu, err));
    IM_TRY(im_record_number(r, "result.agreement", agreement, err));

cleanup:
    return st;
}

static imsat_status make_model(imsat_model **out, fit *f, double agreement, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_model *model = im_alloc(1, sizeof *model);
    if (!model)
        return im_fail_memory(err, "the model");
    model->net = f->session.best;
    model->pre = f->pre;
    f->session.best = (im_net){0};
    f->pre = (im_preprocess){0};
    IM_TRY(record(model, f, agreement, err));
    *out = model;
    model = NULL;

cleanup:
    imsat_model_free(model);
    return st;
}

/* How far two runs agree: the adjusted Rand index of labels, or the correlation of the
 * distances of codes. */
static imsat_status agree_pair(double *out, const im_session *s, size_t a, size_t b,
                               imsat_error *err)
{
    const size_t rows = s->data->rows, bytes = im_session_code_bytes(s);
    if (s->codes) {
        *out = im_agreement_codes(s->codes + a * rows * bytes, s->codes + b * rows * bytes,
                                  rows, bytes);
        return IMSAT_OK;
    }
    return im_partition_ari(out, s->labels + a * rows, s->labels + b * rows, rows, err);
}

/* The mean of all pairs. */
static imsat_status agree(double *out, const im_session *s, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t runs = s->opt->runs;
    double sum = 0;
    for (size_t a = 0; a < runs; a++)
        for (size_t b = a + 1; b < runs; b++) {
            double agreement;
            IM_TRY(agree_pair(&agreement, s, a, b, err));
            sum += agreement;
        }
    *out = runs > 1 ? sum / ((double)runs * (double)(runs - 1) / 2) : 1;

cleanup:
    return st;
}

void imsat_result_clear(imsat_result *result)
{
    im_free(result->run);
    im_free(result->labels);
    im_free(result->codes);
    *result = (imsat_result){0};
}

static void make_result(imsat_result *out, fit *f, double agreement)
{
    im_session *s = &f->session;
    *out = (imsat_result){.runs = f->opt.runs,
                          .best = s->best_run,
                          .run = s->run,
                          .labels = s->labels,
                          .codes = s->codes,
                          .rows = f->data->rows,
                          .agreement = agreement,
                          .delta = f->opt.delta,
                          .radius = f->radius_info,
                          .seconds_radius = f->radius_done - f->started,
                          .seconds_train = im_clock() - f->radius_done,
                          .used = f->opt};
    s->run = NULL;
    s->labels = NULL;
    s->codes = NULL;
}

static imsat_status learn(imsat_model **model, imsat_task task, const imsat_data *data,
                          const imsat_options *options, imsat_result *result, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    fit f = {.data = data, .started = im_clock()};
    double agreement = 1;
    if (options->task != task)
        return im_fail(
            err, IMSAT_EINVAL, "the options are of another task than %s; make them by %s()",
            imsat_task_name(task),
            task == IMSAT_TASK_HASH ? "imsat_options_init_hash" : "imsat_options_init");
    IM_TRY(imsat_options_check(options, data, err));
    f.opt = im_options_resolve(options, data);
    IM_TRY(prepare(&f, err));
    IM_TRY(im_session_train(&f.session, err));
    IM_TRY(agree(&agreement, &f.session, err));
    IM_TRY(make_model(model, &f, agreement, err));
    if (result)
        make_result(result, &f, agreement);

cleanup:
    clear(&f);
    return st;
}

imsat_status imsat_cluster(imsat_model **model, const imsat_data *data,
                           const imsat_options *options, imsat_result *result,
                           imsat_error *err)
{
    return learn(model, IMSAT_TASK_CLUSTER, data, options, result, err);
}

imsat_status imsat_hash(imsat_model **model, const imsat_data *data,
                        const imsat_options *options, imsat_result *result, imsat_error *err)
{
    return learn(model, IMSAT_TASK_HASH, data, options, result, err);
}

imsat_status imsat_neighbor_radius(float *radius, imsat_radius_info *info,
                                   const imsat_data *data, const imsat_options *options,
                                   imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_radius_info done = {0};
    im_pool *pool = NULL;
    im_preprocess pre = {0};
    imsat_options opt = im_options_resolve(options, data);
    if (data->rows < 2)
        return im_fail(err, IMSAT_EINVAL, "one row has no neighbors");
    IM_TRY(im_pool_new(&pool, opt.threads, err));
    IM_TRY(im_preprocess_fit(&pre, data, &opt, err));
    const im_stage stage = {radius_progress, &opt, 0, 1};
    IM_TRY(im_radius(radius, &done, data, &pre, opt.neighbor, opt.radius_method, pool, &stage,
                     err));
    if (info)
        *info = done;

cleanup:
    im_preprocess_clear(&pre);
    im_pool_free(pool);
    return st;
}
