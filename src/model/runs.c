/* SPDX-License-Identifier: MIT
 * See runs.h. */
#include "model/runs.h"

#include "core/alloc.h"
#include "core/partition.h"
#include "model/agreement.h"
#include "model/checkpoint.h"
#include "model/model.h"
#include "model/votes.h"

static imsat_status open_history(im_runs *r, imsat_error *err)
{
    const im_method *method = r->given.method;
    unsigned terms = 0;
    if (!(method->sections & 1U << IMSAT_SECTION_TRAINING))
        return IMSAT_OK;
    for (imsat_term t = 0; t < IMSAT_TERMS; t++)
        if (method->terms && im_terms_serve(t, r->given.opt->task))
            terms |= 1U << t;
    return im_history_new(&r->history, im_runs_all(r), terms, err);
}

imsat_status im_runs_open(im_runs *r, imsat_error *err)
{
    const imsat_options *o = r->given.opt;
    const size_t rows = r->given.data->rows, width = im_runs_code_bytes(r);
    const size_t runs = im_runs_all(r);
    size_t each, all;
    if (!im_size_mul(&each, rows, width ? width : 1) || !im_size_mul(&all, runs, each))
        return im_fail_memory(err, "the results of all runs");
    r->run = im_alloc(runs, sizeof *r->run);
    if (width)
        r->codes = im_alloc(all, sizeof *r->codes);
    else
        r->labels = im_alloc(all, sizeof *r->labels);
    if (!r->run || !(r->codes || r->labels))
        return im_fail_memory(err, "the results of all runs");
    for (size_t i = 0; i < runs; i++) {
        r->run[i].about.seed = o->seed + i;
        r->run[i].about.term = r->run[i].term;
    }
    return open_history(r, err);
}

void im_runs_clear(im_runs *r)
{
    im_net_clear(&r->best);
    im_net_clear(&r->shared);
    im_free(r->run);
    im_free(r->labels);
    im_free(r->codes);
    im_history_free(r->history);
    im_free(r->teacher);
    *r = (im_runs){0};
}

/* Where the labels or codes of a run go. */
static im_assigned assigned_of(const im_runs *r, size_t run)
{
    const size_t before = run * r->given.data->rows;
    return (im_assigned){r->labels ? r->labels + before : NULL,
                         r->codes ? r->codes + before * im_runs_code_bytes(r) : NULL};
}

static imsat_status save(im_fit *fit, im_put_state *put, const void *state, imsat_error *err)
{
    const im_runs *r = fit->saver;
    if (fit->opt->checkpoint)
        return im_checkpoint_save(r, put, state, err);
    return r->held ? im_checkpoint_hold(r->held, r, put, state, err) : IMSAT_OK;
}

/* The labels or codes of all rows, if the method did not leave them. */
static imsat_status label(const im_fit *fit, imsat_error *err)
{
    if (fit->labeled)
        return IMSAT_OK;
    imsat_model model = {.net = fit->net, .pre = *fit->pre};
    const int threads = im_pool_threads(fit->pool);
    const imsat_status st =
        fit->assigned.codes
            ? imsat_encode(&model, fit->data, fit->assigned.codes, NULL, threads, err)
            : imsat_predict(&model, fit->data, fit->assigned.labels, NULL, threads, err);
    im_pool_cache_clear(&model.pools);
    return st;
}

/* The first run, or one with a lower objective, is the best so far; a consensus is what was
 * asked for. */
static void keep(im_runs *r, im_fit *fit)
{
    const size_t i = r->done;
    if (i == 0 || i == r->given.opt->runs ||
        r->run[i].about.objective < r->run[r->best_run].about.objective) {
        im_net_clear(&r->best);
        r->best = fit->net;
        fit->net = (im_net){0};
        r->best_run = i;
    }
    r->done++;
}

/* What the run that comes next is given. */
static im_fit fit_of(im_runs *r, const im_safetensors *from)
{
    im_fit fit = r->given;
    fit.number = r->before + r->done;
    fit.runs = r->all ? r->all : im_runs_all(r);
    fit.seed = r->given.opt->seed + r->done;
    fit.resumed = im_checkpoint_has_state(from) ? from : NULL;
    fit.shared = &r->shared;
    fit.history = r->history;
    fit.save = save;
    fit.saver = r;
    if (r->history)
        im_history_begin(r->history, r->done, r->best_run);
    return fit;
}

/* The course so far, of which a state or a checkpoint tells. */
static imsat_status read_history(im_runs *r, const im_safetensors *from, imsat_error *err)
{
    const imsat_options *o = r->given.opt;
    if (!r->history)
        return IMSAT_OK;
    return im_fail_advise(im_history_read(r->history, from,
                                          o->checkpoint ? o->checkpoint : "the state",
                                          im_size_min(r->done + 1, im_runs_all(r)), err),
                          err, IM_FIT_DAMAGED);
}

imsat_status im_runs_pause(double *objective, im_runs *r, const im_safetensors *from,
                           size_t pause, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_run run = {0};
    im_fit fit = {0};
    IM_TRY(open_history(r, err));
    IM_TRY(read_history(r, from, err));
    fit = fit_of(r, from);
    fit.run = &run;
    fit.pause = pause;
    st = fit.method->fit(&fit, err);
    *objective = run.about.objective;

cleanup:
    im_net_clear(&fit.net);
    im_history_free(r->history);
    r->history = NULL;
    return st;
}

/* What the runs teach the consensus that follows them. */
static imsat_status make_teacher(im_runs *r, imsat_error *err)
{
    const im_votes votes = {.data = r->given.data,
                            .labels = r->labels,
                            .runs = r->given.opt->runs,
                            .kept = r->best_run,
                            .k = r->given.opt->k};
    r->teacher = im_alloc(r->given.data->rows, sizeof *r->teacher);
    if (!r->teacher)
        return im_fail_memory(err, "what the runs agree on");
    return im_votes_agree(r->teacher, &votes, err);
}

static imsat_status do_run(im_runs *r, const im_safetensors *from, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_fit fit = fit_of(r, from);
    if (r->done == r->given.opt->runs)
        IM_TRY(make_teacher(r, err));
    fit.teacher = r->teacher;
    fit.run = &r->run[r->done];
    fit.assigned = assigned_of(r, r->done);
    IM_TRY(fit.method->fit(&fit, err));
    IM_TRY(label(&fit, err));
    keep(r, &fit);

cleanup:
    im_net_clear(&fit.net);
    return st;
}

imsat_status im_runs_do(im_runs *r, const im_safetensors *resumed, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_safetensors none = {0};
    IM_TRY(read_history(r, resumed, err));
    for (const im_safetensors *from = resumed; r->done < im_runs_all(r); from = &none) {
        IM_TRY(do_run(r, from, err));
        if (r->given.opt->checkpoint)
            IM_TRY(im_checkpoint_save(r, NULL, NULL, err));
    }

cleanup:
    return st;
}

/* The adjusted Rand index of the labels of two runs, or the correlation of the distances of
 * their codes. */
static imsat_status agree_pair(double *out, const im_runs *r, size_t a, size_t b,
                               imsat_error *err)
{
    const im_assigned one = assigned_of(r, a), two = assigned_of(r, b);
    const size_t rows = r->given.data->rows;
    if (one.labels)
        return im_partition_ari(out, one.labels, two.labels, rows, err);
    *out = im_agreement_codes(one.codes, two.codes, rows, im_runs_code_bytes(r));
    return IMSAT_OK;
}

imsat_status im_runs_agree(double *out, const im_runs *r, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t runs = r->given.opt->runs;
    double sum = 0;
    for (size_t a = 0; a < runs; a++)
        for (size_t b = a + 1; b < runs; b++) {
            double agreement;
            IM_TRY(agree_pair(&agreement, r, a, b, err));
            sum += agreement;
        }
    *out = runs > 1 ? sum / ((double)runs * (double)(runs - 1) / 2) : 1;

cleanup:
    return st;
}
