/* SPDX-License-Identifier: MIT
 *
 * imsat_cluster() and imsat_hash(): from data and options to a model. Check, prepare, measure
 * the radius if the method wants one, do every run, keep the best, and write down how it came
 * to be. Knows no method.
 */
#include "core/alloc.h"
#include "core/clock.h"
#include "core/path.h"
#include "data/distinct.h"
#include "data/record.h"
#include "model/check.h"
#include "model/checkpoint.h"
#include "model/guard.h"
#include "model/model.h"
#include "model/race.h"
#include "model/start.h"
#include "neighbors/radius.h"

#include <stdio.h>

/* What one call holds. */
typedef struct fit {
    const imsat_data *data;
    imsat_options opt; /* resolved */
    im_guard guard;    /* of the caller's functions and floating-point mode */
    im_pool *pool;
    im_preprocess pre;
    im_reference reference; /* of clusters */
    float *radius;          /* (rows) owned, or NULL */
    double *prior;          /* (k) owned, of clusters */
    im_runs runs;
    im_safetensors resumed; /* the checkpoint that is gone on from; empty: none */
    bool resumes;
    double started, radius_done;
    char note[IM_DISTINCT_ROOM]; /* on the data, or "" */
} fit;

static void clear(fit *f)
{
    im_safetensors_clear(&f->resumed);
    im_runs_clear(&f->runs);
    im_free(f->prior);
    im_free(f->radius);
    im_preprocess_clear(&f->pre);
    im_reference_clear(&f->reference);
    im_pool_free(f->pool);
}

/* ---- preparation -------------------------------------------------------------------------
 */

static int tell(const imsat_options *opt, const char *stage, double fraction)
{
    const imsat_progress p = {.stage = stage, .fraction = fraction, .runs = opt->runs};
    return opt->progress ? opt->progress(opt->progress_user, &p) : 0;
}

static int prepare_progress(void *user, double fraction)
{
    return tell(user, "prepare", fraction);
}

static int radius_progress(void *user, double fraction)
{
    return tell(user, "radius", fraction);
}

/* Given, kept in the checkpoint, or computed. */
static imsat_status find_radius(fit *f, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_radius_info *info = &f->runs.radius_info;
    const size_t bytes = f->data->rows * sizeof *f->radius;
    const im_stage stage = {"computing the radius", radius_progress, &f->opt, 0, 1};
    if (f->resumes) {
        IM_TRY(im_checkpoint_radius(f->radius, info, &f->resumed, &f->runs, err));
        if (f->opt.radius && memcmp(f->radius, f->opt.radius, bytes) != 0)
            st = im_fail(err, IMSAT_EMISMATCH,
                         "%s: was made with another radius than is given now",
                         f->opt.checkpoint);
    } else if (f->opt.radius) {
        memcpy(f->radius, f->opt.radius, bytes);
    } else {
        IM_TRY(im_radius_find(f->radius, info, f->data, &f->pre, f->opt.neighbor,
                              f->opt.radius_method, f->pool, &stage, err));
    }

cleanup:
    return st;
}

static imsat_status take_radius(fit *f, const im_method *method, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (!(method->uses & IM_USES_RADIUS))
        return IMSAT_OK;
    f->radius = im_alloc(f->data->rows, sizeof *f->radius);
    if (!f->radius)
        return im_fail_memory(err, "the radius of every row");
    IM_TRY(find_radius(f, err));
    f->runs.given.radius = f->radius;
    for (size_t i = 0; i < f->data->rows; i++)
        if (f->radius[i] > 0)
            return IMSAT_OK;
    st =
        im_fail(err, IMSAT_EINVAL,
                "every row has %zu or more exact copies, so there is no radius to perturb "
                "within; %s",
                f->opt.neighbor, *f->note ? f->note : "remove the copies or raise --neighbor");

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
    f->runs.given.prior = f->prior;
    return IMSAT_OK;
}

static imsat_status open_checkpoint(fit *f, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (!f->opt.checkpoint || !im_path_exists(f->opt.checkpoint))
        return IMSAT_OK;
    IM_TRY(im_checkpoint_open(&f->resumed, &f->runs, err));
    f->resumes = true;

cleanup:
    return st;
}

static imsat_status prepare(fit *f, const im_method *method, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage stage = {"preparing the data", prepare_progress, &f->opt, 0, 1};
    const im_stage first = im_stage_part(&stage, 0, 0.8), last = im_stage_part(&stage, 0.8, 1);
    IM_TRY(im_pool_new(&f->pool, (int)f->opt.threads, err));
    IM_TRY(im_preprocess_fit(&f->pre, f->data, &f->opt, &first, err));
    IM_TRY(im_distinct_note(f->note, f->data, &f->pre, err));
    f->runs.given = (im_fit){
        .method = method, .opt = &f->opt, .data = f->data, .pre = &f->pre, .pool = f->pool};
    IM_TRY(im_data_fingerprint(&f->runs.fingerprint, f->data, &last, err));
    IM_TRY(take_prior(f, err));
    if (f->opt.resume && !f->opt.race) /* that of a race is the winner's, who is not known */
        IM_TRY(open_checkpoint(f, err));
    if (method->afford)
        IM_TRY(method->afford(&f->runs.given, err));
    IM_TRY(take_radius(f, method, err));
    f->radius_done = im_clock();

cleanup:
    return st;
}

/* One seed is left, and its state is there: from here on this is the training of that seed,
 * which is resumed. */
static imsat_status race(fit *f, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t winner = 0;
    if (!f->opt.race)
        return IMSAT_OK;
    IM_TRY(im_race_run(&winner, &f->resumed, &f->runs, err));
    f->runs.before = winner;
    f->runs.all = f->opt.runs;
    f->opt.seed += winner;
    f->opt.runs = 1;
    f->opt.race = 0;
    IM_TRY(open_checkpoint(f, err));

cleanup:
    return st;
}

static imsat_status open_runs(fit *f, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(im_runs_open(&f->runs, err));
    if (f->resumes)
        IM_TRY(im_checkpoint_load(&f->runs, &f->resumed, err));
    if (f->opt.start && f->runs.shared.layers == 0)
        IM_TRY(im_start_take(&f->runs.shared, &f->opt, &f->pre, err));

cleanup:
    return st;
}

/* ---- the model ---------------------------------------------------------------------------
 */

static imsat_status record_terms(im_safetensors *r, const fit *f, const imsat_run *best,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (imsat_term term = 0; term < IMSAT_TERMS; term++) {
        char key[40];
        snprintf(key, sizeof key, "result.%s", imsat_term_name(term));
        if (im_terms_recorded(term, f->opt.task))
            IM_TRY(im_record_number(r, key, best->term[term], err));
    }
    if (f->opt.task == IMSAT_TASK_CLUSTER)
        IM_TRY(im_record_number(r, "result.mu", best->mu, err));

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
    const im_method *method = f->runs.given.method;
    const imsat_run *best = &f->runs.run[f->runs.best_run].about;
    IM_TRY(im_model_describe(model, err));
    IM_TRY(im_record_count(r, "data.rows", f->data->rows, err));
    IM_TRY(im_record_count(r, "data.fingerprint", f->runs.fingerprint, err));
    IM_TRY(im_options_record(r, &f->opt, method->sections, err));
    IM_TRY(im_record_count(r, "result.seed", best->seed, err));
    IM_TRY(im_record_count(r, "result.epochs", best->epochs, err));
    IM_TRY(im_record_number(r, "result.objective", best->objective, err));
    if (method->terms)
        IM_TRY(record_terms(r, f, best, err));
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
    model->net = f->runs.best;
    model->pre = f->pre;
    f->runs.best = (im_net){0};
    f->pre = (im_preprocess){0};
    model->reference = f->reference;
    f->reference = (im_reference){0};
    model->history = f->runs.history;
    f->runs.history = NULL;
    if (f->opt.prior && f->runs.given.method->terms) {
        model->prior = f->prior;
        f->prior = NULL;
    }
    model->image = f->data->image;
    model->origin = im_origin_hold(f->data->origin);
    if (im_schema_tells(&f->data->schema))
        IM_TRY(im_schema_copy(&model->table, &f->data->schema, err));
    IM_TRY(im_model_check(model, "the trained model", IMSAT_EINVAL, err));
    IM_TRY(record(model, f, agreement, err));
    *out = model;
    model = NULL;

cleanup:
    imsat_model_free(model);
    return st;
}

/* ---- the result --------------------------------------------------------------------------
 */

void imsat_result_free(imsat_result *result)
{
    if (!result)
        return;
    im_free(result->run);
    im_free(result->labels);
    im_free(result->codes);
    im_free(result->used);
    im_free(result->note);
    im_free(result);
}

const imsat_run *imsat_result_run(const imsat_result *result, size_t i)
{
    return result && i < result->runs ? &result->run[i].about : NULL;
}

/* Its memory; what it says comes when all is done. */
static imsat_status new_result(imsat_result **out, imsat_error *err)
{
    imsat_result *result = im_alloc(1, sizeof *result);
    if (result) {
        result->used = im_alloc(1, sizeof *result->used);
        result->note = im_alloc(IM_DISTINCT_ROOM, 1);
    }
    *out = result;
    return result && result->used && result->note ? IMSAT_OK
                                                  : im_fail_memory(err, "the result");
}

static void fill_result(imsat_result *out, fit *f, double agreement)
{
    im_runs *r = &f->runs;
    out->runs = im_runs_all(r);
    out->best = r->best_run;
    out->run = r->run;
    out->labels = r->labels;
    out->codes = r->codes;
    out->rows = f->data->rows;
    out->agreement = agreement;
    out->radius = r->radius_info;
    out->seconds_radius = f->radius_done - f->started;
    out->seconds_train = im_clock() - f->radius_done;
    *out->used = f->opt;
    memcpy(out->note, f->note, sizeof f->note);
    if (!*f->note) {
        im_free(out->note);
        out->note = NULL;
    }
    r->run = NULL;
    r->labels = NULL;
    r->codes = NULL;
}

/* ---- the whole ---------------------------------------------------------------------------
 */

/* What the model keeps of its data. */
static imsat_status remember(fit *f, imsat_error *err)
{
    const im_votes votes = {.data = f->data,
                            .pre = &f->pre,
                            .net = &f->runs.best,
                            .labels = f->runs.labels,
                            .runs = im_runs_all(&f->runs),
                            .kept = f->runs.best_run,
                            .k = f->opt.k};
    return im_reference_learn(&f->reference, &votes, f->pool, err);
}

/* All that reads the data. */
static imsat_status compute(double *agreement, fit *f, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(prepare(f, im_methods_find(f->opt.method), err));
    IM_TRY(race(f, err));
    IM_TRY(open_runs(f, err));
    IM_TRY(im_runs_do(&f->runs, &f->resumed, err));
    IM_TRY(im_runs_agree(agreement, &f->runs, err));
    if (f->runs.labels)
        IM_TRY(remember(f, err));

cleanup:
    return im_data_check(f->data, 0, f->data->rows, st, err);
}

static imsat_status learn(imsat_model **model, imsat_task task, const imsat_data *data,
                          const imsat_options *options, imsat_result **result,
                          imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    fit f = {.data = data, .started = im_clock()};
    imsat_result *found = NULL;
    double agreement = 1;
    if (options->task != task)
        return im_fail(
            err, IMSAT_EINVAL, "the options are of another task than %s; make them by %s()",
            imsat_task_name(task),
            task == IMSAT_TASK_HASH ? "imsat_options_init_hash" : "imsat_options_init");
    IM_TRY(im_check_resolve(&f.opt, options, data, err));
    im_guard_enter(&f.guard, &f.opt, data);
    IM_TRY(new_result(&found, err));
    IM_TRY(compute(&agreement, &f, err));
    IM_TRY(make_model(model, &f, agreement, err));
    im_guard_leave(&f.guard);
    fill_result(found, &f, agreement);
    if (result) {
        *result = found;
        found = NULL;
    }

cleanup:
    im_guard_leave(&f.guard);
    imsat_result_free(found);
    clear(&f);
    return st;
}

imsat_status imsat_cluster(imsat_model **model, const imsat_data *data,
                           const imsat_options *options, imsat_result **result,
                           imsat_error *err)
{
    IM_REQUIRE(model);
    IM_REQUIRE(data);
    IM_REQUIRE(options);
    return learn(model, IMSAT_TASK_CLUSTER, data, options, result, err);
}

imsat_status imsat_hash(imsat_model **model, const imsat_data *data,
                        const imsat_options *options, imsat_result **result, imsat_error *err)
{
    IM_REQUIRE(model);
    IM_REQUIRE(data);
    IM_REQUIRE(options);
    return learn(model, IMSAT_TASK_HASH, data, options, result, err);
}

/* The radius of every row, with options that are decided. */
static imsat_status measure(float *radius, imsat_radius_info *info, const imsat_data *data,
                            imsat_options *opt, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_pool *pool = NULL;
    im_preprocess pre = {0};
    const im_stage first = {"preparing the data", prepare_progress, opt, 0, 1};
    const im_stage stage = {"computing the radius", radius_progress, opt, 0, 1};
    IM_TRY(im_pool_new(&pool, (int)opt->threads, err));
    IM_TRY(im_preprocess_fit(&pre, data, opt, &first, err));
    IM_TRY(im_radius_find(radius, info, data, &pre, opt->neighbor, opt->radius_method, pool,
                          &stage, err));

cleanup:
    im_preprocess_clear(&pre);
    im_pool_free(pool);
    return im_data_check(data, 0, data->rows, st, err);
}

imsat_status imsat_neighbor_radius(float *radius, imsat_radius_info *info,
                                   const imsat_data *data, const imsat_options *options,
                                   imsat_error *err)
{
    IM_REQUIRE(radius);
    IM_REQUIRE(data);
    IM_REQUIRE(options);
    imsat_status st = IMSAT_OK;
    imsat_radius_info done = {0};
    imsat_options opt;
    im_guard guard = {0};
    float *found = NULL;
    if (data->rows < 2)
        return im_fail(err, IMSAT_EINVAL, "one row has no neighbors");
    IM_TRY(im_check_adopt(&opt, options, err));
    IM_TRY(im_check_radius(&opt, err));
    opt = im_check_decide(&opt, data);
    im_guard_enter(&guard, &opt, data);
    found = im_alloc(data->rows, sizeof *found);
    if (!found) {
        st = im_fail_memory(err, "the radius of every row");
        goto cleanup;
    }
    IM_TRY(measure(found, &done, data, &opt, err));
    memcpy(radius, found, data->rows * sizeof *radius);
    if (info)
        *info = done;

cleanup:
    im_guard_leave(&guard);
    im_free(found);
    return st;
}
