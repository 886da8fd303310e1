/* SPDX-License-Identifier: MIT
 * See loop.h. */
#include "train/loop.h"

#include "core/clock.h"
#include "train/assess.h"
#include "train/diverge.h"
#include "train/position.h"
#include "train/step.h"

#include <inttypes.h>

/* A rung is given up after this share of its epochs if the KL is still above delta. */
enum { TRIAL_SHARE = 5 };

double im_loop_ladder(double lambda, size_t rung)
{
    return lambda * (rung == 0 ? 1 : 2 * (double)rung);
}

im_sizes im_loop_sizes(const imsat_options *opt, size_t epoch)
{
    const double start = opt->even_start;
    const double share = (double)epoch / (double)opt->epochs;
    const double loose = opt->prior && start > 0 ? (1 + start) / 2 : start;
    if (share >= loose)
        return IM_SIZES_ASKED;
    return share < start ? IM_SIZES_EVEN : IM_SIZES_LOOSE;
}

/* One run under way. */
typedef struct loop {
    im_fit *fit;
    const imsat_options *opt;
    im_trainer trainer;
    im_position at;
} loop;

/* ---- progress ----------------------------------------------------------------------------
 */

static imsat_progress progress_of(const loop *l, const char *stage, double fraction)
{
    const im_position *at = &l->at;
    return (imsat_progress){.stage = stage,
                            .fraction = fraction,
                            .epoch = at->epoch,
                            .mu = l->trainer.mu,
                            .epochs = at->epoch - at->rung_epoch + l->opt->epochs};
}

static imsat_status stop(loop *l, imsat_error *err)
{
    const imsat_status st = im_diverge_check_state(&l->at, l->fit->number, err);
    return st == IMSAT_OK ? im_fit_stop(l->fit, im_position_put, &l->at, l->at.epoch, err)
                          : st;
}

/* Tell of a finished epoch: the means over its steps. True: stop. */
static bool tell_epoch(const loop *l, size_t steps, double seconds)
{
    im_terms means = l->at.sums;
    im_terms_scale(&means, 1 / (double)steps);
    imsat_progress p = progress_of(l, "train", 0);
    p.fraction = (double)p.epoch / (double)p.epochs;
    p.epoch_done = 1;
    p.seconds = seconds;
    p.objective = means.objective;
    p.term = means.term;
    return im_fit_tell(l->fit, p);
}

static int train_progress(void *user, double fraction)
{
    const loop *l = user;
    return im_fit_tell(l->fit, progress_of(l, "train", fraction));
}

static int assess_progress(void *user, double fraction)
{
    const loop *l = user;
    return im_fit_tell(l->fit, progress_of(l, "evaluate", fraction));
}

/* The step that comes next, as a part of all epochs. */
static im_stage step_stage(loop *l)
{
    const im_position *at = &l->at;
    const double steps = (double)im_batch_steps(&l->trainer.batch);
    const double all = (double)progress_of(l, "train", 0).epochs * steps;
    const double done = (double)at->epoch * steps + (double)at->step;
    return (im_stage){"training", train_progress, l, done / all, (done + 1) / all};
}

/* Tell between two steps. True: stop. */
static bool tell_step(loop *l)
{
    const im_stage next = step_stage(l);
    return im_stage_report(&next, 0, NULL) != IMSAT_OK;
}

/* ---- epochs ------------------------------------------------------------------------------
 */

static imsat_status train_step(loop *l, double *seconds, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_position *at = &l->at;
    im_terms terms;
    const im_stage stage = step_stage(l);
    const double start = im_clock();
    im_batch_draw(&l->trainer.batch, l->trainer.seed, at->epoch, at->step);
    st = im_step_run(&l->trainer, at->steps, &terms, &stage, err);
    if (st != IMSAT_OK)
        return st == IMSAT_ESTOPPED ? stop(l, err) : st;
    *seconds += im_clock() - start;
    im_terms_add(&at->sums, &terms);
    at->step++;
    at->steps++;
    IM_TRY(im_diverge_check_step(at, l->fit->number, &terms, err));

cleanup:
    return st;
}

static imsat_status train_epoch(loop *l, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_position *at = &l->at;
    const size_t steps = im_batch_steps(&l->trainer.batch);
    double seconds = 0;
    while (at->step < steps) {
        IM_TRY(train_step(l, &seconds, err));
        if (at->step < steps && tell_step(l))
            return stop(l, err);
    }
    IM_TRY(im_diverge_check_state(at, l->fit->number, err));
    at->epoch++;
    at->rung_epoch++;
    const bool ending = tell_epoch(l, steps, seconds);
    at->step = 0;
    at->sums = (im_terms){0};
    if (ending)
        return stop(l, err);
    if (at->epoch % l->opt->checkpoint_every == 0)
        IM_TRY(l->fit->save(l->fit, im_position_put, at, err));

cleanup:
    return st;
}

/* The epoch of the rung that ends this call: the last, or that of a pause, which nothing
 * before depends on. */
static size_t last_epoch(const loop *l)
{
    return l->fit->pause ? l->fit->pause : l->opt->epochs;
}

/* ---- the ladder ---------------------------------------------------------------------------
 */

/* The whole-data objective; stopping here saves a checkpoint too. */
static imsat_status assess(loop *l, im_terms *terms, imsat_error *err)
{
    const im_stage stage = {"assessing the run", assess_progress, l, 0, 1};
    const imsat_status st = im_assess(&l->trainer, terms, l->fit->assigned, &stage, err);
    if (st != IMSAT_OK)
        return st == IMSAT_ESTOPPED ? stop(l, err) : st;
    return im_diverge_check_step(&l->at, l->fit->number, terms, err);
}

static bool climbs(const loop *l)
{
    return im_options_number_open(l->opt->mu);
}

static size_t trial_epochs(const loop *l)
{
    return (l->opt->epochs + TRIAL_SHARE - 1) / TRIAL_SHARE;
}

static bool must_climb(const loop *l, const im_terms *terms)
{
    return climbs(l) && terms->term[IMSAT_TERM_MARGINAL_KL] > l->opt->delta &&
           l->at.rung + 1 < IM_LOOP_RUNGS;
}

/* Train the rung, but no further than its trial if that shows a KL above delta. */
static imsat_status train_rung(loop *l, im_terms *terms, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_position *at = &l->at;
    const size_t last = last_epoch(l), trial = trial_epochs(l);
    while (at->rung_epoch < last) {
        if (climbs(l) && at->rung_epoch == trial && at->step == 0) {
            IM_TRY(assess(l, terms, err));
            if (must_climb(l, terms))
                return IMSAT_OK;
        }
        l->trainer.sizes = im_loop_sizes(l->opt, at->rung_epoch);
        IM_TRY(train_epoch(l, err));
    }
    l->trainer.sizes = IM_SIZES_ASKED; /* runs are compared by the prior */
    IM_TRY(assess(l, terms, err));

cleanup:
    return st;
}

/* The ladder raises mu until the KL is within delta; each rung starts anew from the run's
 * seed. Going on from the solution before was tried: a cluster that a low mu has emptied has
 * no gradient left, and no mu brings it back. */
static imsat_status train(loop *l, im_terms *terms, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(train_rung(l, terms, err));
    while (must_climb(l, terms)) {
        l->at.rung++;
        l->at.rung_epoch = 0;
        im_trainer_reset(&l->trainer, l->trainer.seed);
        l->trainer.mu = im_loop_ladder(l->opt->lambda, l->at.rung);
        IM_TRY(train_rung(l, terms, err));
    }

cleanup:
    return st;
}

/* What the state came from, for messages: a race may hold it in memory. */
static const char *path_of(const loop *l)
{
    return l->opt->checkpoint ? l->opt->checkpoint : "the state";
}

/* A position that was read must be one that training comes by: the counters are not free of
 * each other. A rung before this one had the epochs of its trial, or all. */
static imsat_status check_position(const loop *l, imsat_error *err)
{
    const im_position *at = &l->at;
    const uint64_t epochs = l->opt->epochs, steps = im_batch_steps(&l->trainer.batch);
    const uint64_t last = last_epoch(l);
    const uint64_t in_rung = at->rung_epoch * steps + at->step;
    const uint32_t in_run = (uint32_t)(at->epoch * steps + at->step);
    const struct {
        const char *name;
        uint64_t value, least, most;
    } counters[] = {
        {"at.rung", at->rung, 0, climbs(l) ? IM_LOOP_RUNGS - 1 : 0},
        {"at.rung_epoch", at->rung_epoch, 0, last},
        {"at.epoch", at->epoch, at->rung_epoch + at->rung * trial_epochs(l),
         at->rung_epoch + at->rung * epochs},
        {"at.step", at->step, 0, at->rung_epoch < last ? steps - 1 : 0},
        {"at.steps", at->steps, in_run, in_run},
        {"at.adam_steps", l->trainer.adam.t, in_rung, in_rung},
    };
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (counters[i].value < counters[i].least || counters[i].value > counters[i].most)
            return im_fail(err, IMSAT_EFORMAT,
                           "%s: \"%s\" is %" PRIu64 ", and must be from %" PRIu64
                           " to %" PRIu64,
                           path_of(l), counters[i].name, counters[i].value, counters[i].least,
                           counters[i].most);
    return IMSAT_OK;
}

static imsat_status resume(loop *l, imsat_error *err)
{
    const imsat_status st = im_position_get(&l->at, l->fit->resumed, path_of(l), err);
    return im_fail_advise(st == IMSAT_OK ? check_position(l, err) : st, err, IM_FIT_DAMAGED);
}

static imsat_status begin(loop *l, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(im_trainer_new(&l->trainer, l->fit, err));
    im_trainer_reset(&l->trainer, l->fit->seed);
    if (l->fit->resumed)
        IM_TRY(resume(l, err));
    if (climbs(l))
        l->trainer.mu = im_loop_ladder(l->opt->lambda, l->at.rung);

cleanup:
    return st;
}

imsat_status im_loop_fit(im_fit *fit, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    loop l = {.fit = fit, .opt = fit->opt};
    im_terms terms;
    l.at.trainer = &l.trainer;
    IM_TRY(begin(&l, err));
    IM_TRY(train(&l, &terms, err));
    if (fit->pause)
        IM_TRY(fit->save(fit, im_position_put, &l.at, err));
    fit->run->about.objective = terms.objective;
    fit->run->about.mu = l.trainer.mu;
    fit->run->about.epochs = l.at.epoch;
    memcpy(fit->run->term, terms.term, sizeof terms.term);
    fit->labeled = true;
    fit->net = l.trainer.net;
    l.trainer.net = (im_net){0};

cleanup:
    im_trainer_clear(&l.trainer);
    return st;
}
