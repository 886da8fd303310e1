/* SPDX-License-Identifier: MIT
 * See dec_method.h. */
#include "baseline/dec_method.h"

#include "baseline/autoencoder.h"
#include "baseline/dec.h"
#include "baseline/whole.h"
#include "core/clock.h"

#include <math.h>

/* The share of a run's progress that an auto-encoder takes where one is trained: it has some
 * three times the steps, and larger ones. */
static const double ENCODER_SHARE = 0.8;

typedef struct loop {
    im_fit *fit;
    im_dec dec;
    double begin;   /* where the progress of this part of the run begins */
    double seconds; /* of the steps of this epoch, of this session */
} loop;

static imsat_progress progress_of(const loop *l)
{
    const size_t each = im_batch_steps(&l->dec.e.feed.batch);
    const double done = (double)l->dec.step / (double)im_dec_most_steps(&l->dec);
    return (imsat_progress){.stage = "train",
                            .fraction = l->begin + (1 - l->begin) * done,
                            .epoch = l->dec.step / each,
                            .epochs = l->fit->opt->epochs};
}

static int tell_part(void *user, double fraction)
{
    const loop *l = user;
    (void)fraction;
    return im_fit_tell(l->fit, progress_of(l));
}

/* Tell of a step, and of an epoch where one ends. True: stop. */
static bool tell(loop *l)
{
    const size_t each = im_batch_steps(&l->dec.e.feed.batch);
    imsat_progress p = progress_of(l);
    if (l->dec.step % each == 0) {
        p.epoch_done = 1;
        p.objective = l->dec.sum / (double)each;
        p.seconds = l->seconds;
        p.term = l->fit->run->term;
        l->dec.sum = l->seconds = 0;
    }
    return im_fit_tell(l->fit, p);
}

static imsat_status stop(loop *l, imsat_error *err)
{
    return im_fit_stop(l->fit, im_dec_put, &l->dec, progress_of(l).epoch, err);
}

static imsat_status train_step(loop *l, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const double start = im_clock();
    const double kl = im_dec_step(&l->dec, true);
    if (!isfinite(kl))
        return im_fail(err, IMSAT_EINVAL,
                       "dec diverged in step %zu of run %zu; scale the data, or train the "
                       "auto-encoder for more epochs",
                       l->dec.step, l->fit->number + 1);
    l->seconds += im_clock() - start;
    l->dec.sum += kl;
    if (tell(l))
        return stop(l, err);
    const size_t each = im_batch_steps(&l->dec.e.feed.batch);
    if (l->dec.step % (each * l->fit->opt->checkpoint_every) == 0)
        IM_TRY(l->fit->save(l->fit, im_dec_put, &l->dec, err));

cleanup:
    return st;
}

/* A target where one is due. done: so few rows have changed that this is the end. */
static imsat_status aim(loop *l, bool *done, imsat_error *err)
{
    const im_stage stage = {"encoding the rows", tell_part, l, 0, 1};
    const double rows = (double)l->fit->data->rows;
    size_t changed = 0;
    const imsat_status st = im_dec_aim(&l->dec, &changed, &stage, err);
    if (st != IMSAT_OK)
        return st == IMSAT_ESTOPPED ? stop(l, err) : st;
    *done = l->dec.step > 0 && (double)changed <= l->fit->opt->changes * rows;
    return IMSAT_OK;
}

/* Labels are compared with those of the target before, so a run that is resumed where a target
 * is due must have those. They change with the last thing that can be stopped. */
static imsat_status train(loop *l, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    bool done = false;
    while (!done && l->dec.step < im_dec_most_steps(&l->dec)) {
        if (im_dec_due(&l->dec))
            IM_TRY(aim(l, &done, err));
        if (!done)
            IM_TRY(train_step(l, err));
    }
    if (!done)
        IM_TRY(aim(l, &done, err));

cleanup:
    return st;
}

static imsat_status begin(loop *l, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage stage = {"encoding the rows", tell_part, l, 0, 1};
    const im_safetensors *resumed = l->fit->resumed;
    IM_TRY(im_dec_new(&l->dec, l->fit, err));
    if (resumed && im_dec_has_state(resumed))
        return im_fail_advise(im_dec_get(&l->dec, resumed, err), err, IM_FIT_DAMAGED);
    im_history_restart(l->fit->history); /* no model tells who trained the auto-encoder */
    IM_TRY(im_whole_end(l->fit, im_embedding_encode(&l->dec.e, &stage, err), err));
    IM_TRY(im_embedding_find_centers(&l->dec.e, err));

cleanup:
    return st;
}

imsat_status im_dec_method_fit(im_fit *fit, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    loop l = {.fit = fit, .begin = fit->shared->layers > 0 ? 0 : ENCODER_SHARE};
    IM_TRY(im_autoencoder_fit(fit, ENCODER_SHARE, err));
    IM_TRY(begin(&l, err));
    IM_TRY(train(&l, err));
    IM_TRY(im_embedding_leave(&l.dec.e, err));
    fit->run->about.objective = l.dec.kl;
    fit->run->about.epochs = l.dec.step / im_batch_steps(&l.dec.e.feed.batch);

cleanup:
    im_dec_clear(&l.dec);
    return st;
}
