/* SPDX-License-Identifier: MIT
 * See loop.h. */
#include "train/loop.h"

#include "core/alloc.h"
#include "core/clock.h"
#include "imsat/search.h"
#include "train/assess.h"
#include "train/checkpoint.h"
#include "train/step.h"

#include <math.h>

/* The ladder ends here even if the KL is still above delta; the result says so. */
enum { LAST_RUNG = 20 };

/* A rung is given up after this share of its epochs if the KL is still above delta. */
enum { TRIAL_SHARE = 5 };

double im_ladder_mu(double lambda, size_t rung)
{
    return lambda * (rung == 0 ? 1 : 2 * (double)rung);
}

size_t im_session_code_bytes(const im_session *s)
{
    return imsat_code_bytes(s->opt->bits);
}

/* Room for what every run assigns the rows to. */
static imsat_status take_assigned(im_session *s, imsat_error *err)
{
    const bool hashes = s->opt->task == IMSAT_TASK_HASH;
    const size_t width = hashes ? im_session_code_bytes(s) : 1;
    size_t each, all;
    if (!im_size_mul(&each, s->data->rows, width) || !im_size_mul(&all, s->opt->runs, each))
        return im_fail_memory(err, "the results of all runs");
    if (hashes)
        s->codes = im_alloc(all, sizeof *s->codes);
    else
        s->labels = im_alloc(all, sizeof *s->labels);
    return s->codes || s->labels ? IMSAT_OK : im_fail_memory(err, "the results of all runs");
}

/* Where those of the run under way go. */
static im_assigned assigned_of(const im_session *s)
{
    const size_t before = s->at.run * s->data->rows;
    return (im_assigned){s->labels ? s->labels + before : NULL,
                         s->codes ? s->codes + before * im_session_code_bytes(s) : NULL};
}

imsat_status im_session_new(im_session *out, const imsat_data *data, const im_preprocess *pre,
                            const imsat_options *resolved, const float *radius,
                            const double *prior, uint64_t fingerprint, im_pool *pool,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = resolved;
    im_session *s = out;
    *s = (im_session){.opt = o, .data = data, .radius = radius, .fingerprint = fingerprint};
    IM_TRY(im_net_new(&s->best, data->dim, o->hidden, o->hidden_count, im_options_outputs(o),
                      err));
    s->best.sigmoid = o->task == IMSAT_TASK_HASH;
    s->run = im_alloc(o->runs, sizeof *s->run);
    if (!s->run) {
        st = im_fail_memory(err, "the results of all runs");
        goto cleanup;
    }
    IM_TRY(take_assigned(s, err));
    IM_TRY(im_trainer_new(&s->trainer, data, pre, o, radius, prior, pool, err));
    im_trainer_reset(&s->trainer, o->seed);

cleanup:
    if (st != IMSAT_OK)
        im_session_clear(s);
    return st;
}

void im_session_clear(im_session *s)
{
    im_trainer_clear(&s->trainer);
    im_net_clear(&s->best);
    im_free(s->run);
    im_free(s->labels);
    im_free(s->codes);
    *s = (im_session){0};
}

static imsat_progress progress_of(const im_session *s, const char *stage, double fraction)
{
    const im_position *at = &s->at;
    return (imsat_progress){.stage = stage,
                            .fraction = fraction,
                            .run = at->run,
                            .runs = s->opt->runs,
                            .epoch = at->epoch,
                            .mu = s->trainer.mu,
                            .epochs = at->epoch - at->rung_epoch + s->opt->epochs};
}

static bool told_to_stop(const im_session *s, const imsat_progress *p)
{
    return s->opt->progress && s->opt->progress(s->opt->progress_user, p);
}

/* Save what there is, and say how to go on. */
static imsat_status stop(im_session *s, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *path = s->opt->checkpoint;
    if (path)
        IM_TRY(im_checkpoint_save(s, path, err));
    st = im_fail(err, IMSAT_ESTOPPED, "stopped in run %zu, epoch %zu; %s%s", s->at.run + 1,
                 s->at.epoch + 1, path ? "resume from " : "no checkpoint was asked for",
                 path ? path : "");

cleanup:
    return st;
}

/* Tell of a finished epoch: the means over its steps. Not 0: stop. */
static bool report_epoch(im_session *s, size_t steps, double seconds)
{
    im_terms means = s->at.sums;
    im_terms_scale(&means, 1 / (double)steps);
    imsat_progress p = progress_of(s, "train", 0);
    p.fraction = (double)p.epoch / (double)p.epochs;
    p.epoch_done = 1;
    p.seconds = seconds;
    p.objective = means.objective;
    p.term = means.term;
    return told_to_stop(s, &p);
}

static imsat_status check_finite(const im_session *s, const im_terms *terms, imsat_error *err)
{
    if (isfinite(terms->objective))
        return IMSAT_OK;
    return im_fail(
        err, IMSAT_EINVAL,
        "training diverged in run %zu, epoch %zu (objective %g); lower step-size (%g) "
        "or check the scale of the data",
        s->at.run + 1, s->at.epoch + 1, terms->objective, s->opt->step_size);
}

static imsat_status train_epoch(im_session *s, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_position *at = &s->at;
    const size_t steps = im_batch_steps(&s->trainer.batch);
    double seconds = 0;
    while (at->step < steps) {
        im_terms terms;
        const double start = im_clock();
        im_batch_draw(&s->trainer.batch, s->trainer.seed, at->epoch, at->step);
        IM_TRY(im_step_run(&s->trainer, at->steps, &terms, err));
        seconds += im_clock() - start;
        IM_TRY(check_finite(s, &terms, err));
        im_terms_add(&at->sums, &terms);
        at->step++;
        at->steps++;
        imsat_progress p = progress_of(s, "train", 0);
        p.fraction = ((double)at->epoch + (double)at->step / (double)steps) / (double)p.epochs;
        if (at->step < steps && told_to_stop(s, &p))
            return stop(s, err);
    }
    at->epoch++;
    at->rung_epoch++;
    const bool ending = report_epoch(s, steps, seconds);
    at->step = 0;
    at->sums = (im_terms){0};
    if (ending)
        return stop(s, err);
    if (s->opt->checkpoint && at->epoch % s->opt->checkpoint_every == 0)
        IM_TRY(im_checkpoint_save(s, s->opt->checkpoint, err));

cleanup:
    return st;
}

static int assess_progress(void *user, double fraction)
{
    im_session *s = user;
    const imsat_progress p = progress_of(s, "evaluate", fraction);
    return told_to_stop(s, &p);
}

/* The whole-data objective; stopping here saves a checkpoint too. */
static imsat_status assess(im_session *s, im_terms *terms, imsat_error *err)
{
    const imsat_status st =
        im_assess(&s->trainer, terms, assigned_of(s), assess_progress, s, err);
    return st == IMSAT_ESTOPPED ? stop(s, err) : st;
}

static bool must_climb(const im_session *s, const im_terms *terms)
{
    return s->opt->mu_auto && terms->term[IMSAT_TERM_MARGINAL_KL] > s->opt->delta &&
           s->at.rung < LAST_RUNG;
}

/* Train the rung, but no further than its trial if that shows a KL above delta. */
static imsat_status train_rung(im_session *s, im_terms *terms, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_position *at = &s->at;
    const size_t epochs = s->opt->epochs, trial = (epochs + TRIAL_SHARE - 1) / TRIAL_SHARE;
    while (at->rung_epoch < epochs) {
        if (s->opt->mu_auto && at->rung_epoch == trial && at->step == 0) {
            IM_TRY(assess(s, terms, err));
            if (must_climb(s, terms))
                return IMSAT_OK;
        }
        IM_TRY(train_epoch(s, err));
    }
    IM_TRY(assess(s, terms, err));

cleanup:
    return st;
}

/* One run. The ladder raises mu until the KL is within delta; each rung starts anew from the
 * run's seed. Going on from the solution before was tried: a cluster that a low mu has
 * emptied has no gradient left, and no mu brings it back. */
static imsat_status train_run(im_session *s, im_terms *terms, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(train_rung(s, terms, err));
    while (must_climb(s, terms)) {
        s->at.rung++;
        s->at.rung_epoch = 0;
        im_trainer_reset(&s->trainer, s->trainer.seed);
        s->trainer.mu = im_ladder_mu(s->opt->lambda, s->at.rung);
        IM_TRY(train_rung(s, terms, err));
    }

cleanup:
    return st;
}

static void keep_run(im_session *s, const im_terms *terms)
{
    const size_t i = s->at.run;
    s->run[i] = (imsat_run){.seed = s->trainer.seed,
                            .objective = terms->objective,
                            .mu = s->trainer.mu,
                            .epochs = s->at.epoch};
    memcpy(s->run[i].term, terms->term, sizeof terms->term);
    if (i == 0 || terms->objective < s->run[s->best_run].objective) {
        s->best_run = i;
        im_net_copy(&s->best, &s->trainer.net);
    }
}

imsat_status im_session_train(im_session *s, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    while (s->at.run < s->opt->runs) {
        im_terms terms;
        IM_TRY(train_run(s, &terms, err));
        keep_run(s, &terms);
        s->at = (im_position){.run = s->at.run + 1};
        im_trainer_reset(&s->trainer, s->opt->seed + s->at.run);
        if (s->opt->checkpoint)
            IM_TRY(im_checkpoint_save(s, s->opt->checkpoint, err));
    }

cleanup:
    return st;
}
