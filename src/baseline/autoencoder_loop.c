/* SPDX-License-Identifier: MIT
 * From data to an encoder; see autoencoder.h. */
#include "baseline/autoencoder.h"

#include "core/clock.h"
#include "core/elementary.h"

#include <math.h>

/* The rate of the step that comes next. */
static double rate(const im_autoencoder *ae)
{
    const size_t each = (ae->steps + IM_AUTOENCODER_RATES - 1) / IM_AUTOENCODER_RATES;
    return ae->fit->opt->step_size * im_elementary_power(0.5, ae->halvings) *
           im_elementary_power(0.1, ae->step / each);
}

/* The momentum grows over the first hundredth of the steps of the whole, in every stage. */
static double momentum(const im_autoencoder *ae)
{
    const double share = 100 * (double)ae->step / (double)ae->steps;
    return IM_AUTOENCODER_MOMENTUM * (share < 1 ? share : 1);
}

/* What the loop tells of: the share of the run's progress that is its own. */
typedef struct loop {
    im_autoencoder ae;
    double share, seconds;
} loop;

static imsat_progress progress_of(const loop *l)
{
    const im_autoencoder *ae = &l->ae;
    const size_t done = im_autoencoder_done(ae), all = im_autoencoder_all_steps(ae);
    const size_t each = im_batch_steps(&ae->feed.batch);
    return (imsat_progress){.stage = "train",
                            .fraction = l->share * (double)done / (double)all,
                            .epoch = done / each,
                            .epochs = (all + each - 1) / each};
}

/* Tell of a step, and of an epoch where one ends. True: stop. */
static bool tell(loop *l)
{
    im_autoencoder *ae = &l->ae;
    const size_t each = im_batch_steps(&ae->feed.batch);
    imsat_progress p = progress_of(l);
    if (ae->step > 0 && im_autoencoder_done(ae) % each == 0) {
        p.epoch_done = 1;
        p.objective = ae->sum / (double)each;
        p.seconds = l->seconds;
        p.term = ae->fit->run->term;
        ae->sum = l->seconds = 0;
    }
    return im_fit_tell(ae->fit, p);
}

static imsat_status refuse_diverged(const im_autoencoder *ae, imsat_error *err)
{
    return im_fail(
        err, IMSAT_EINVAL,
        "the auto-encoder diverged in step %zu of stage %zu of %zu, with every step "
        "size from %g to %g; lower --step-size, or scale the data",
        ae->step + 1, ae->stage + 1, ae->layers + 1, ae->fit->opt->step_size, ae->sgd.rate);
}

/* A loss that grows far above that of the first weights does not come back. */
static bool diverged(const im_autoencoder *ae, double loss)
{
    enum { TIMES = 8 };
    return !isfinite(loss) || loss > TIMES * ae->first;
}

static imsat_status stop(loop *l, imsat_error *err)
{
    return im_fit_stop(l->ae.fit, im_autoencoder_put, &l->ae, progress_of(l).epoch, err);
}

static imsat_status train_step(loop *l, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_autoencoder *ae = &l->ae;
    const double start = im_clock();
    ae->sgd.rate = rate(ae);
    ae->sgd.momentum = momentum(ae);
    const double loss = im_autoencoder_step(ae, im_autoencoder_done(ae), true);
    if (ae->step == 0)
        ae->first = loss;
    if (diverged(ae, loss)) {
        if (ae->halvings == IM_AUTOENCODER_HALVINGS)
            return refuse_diverged(ae, err);
        im_autoencoder_begin_again(ae);
        IM_TRY(im_autoencoder_open_stage(ae, err));
        return tell(l) ? stop(l, err) : IMSAT_OK;
    }
    l->seconds += im_clock() - start;
    ae->sum += loss;
    ae->step++;
    const size_t each = im_batch_steps(&ae->feed.batch), done = im_autoencoder_done(ae);
    if (tell(l))
        return stop(l, err);
    if (done % (each * ae->fit->opt->checkpoint_every) == 0)
        IM_TRY(ae->fit->save(ae->fit, im_autoencoder_put, ae, err));

cleanup:
    return st;
}

static imsat_status train(loop *l, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_autoencoder *ae = &l->ae;
    while (ae->stage <= ae->layers) {
        if (!ae->sgd.v)
            IM_TRY(im_autoencoder_open_stage(ae, err));
        if (ae->step < im_autoencoder_stage_steps(ae, ae->stage))
            IM_TRY(train_step(l, err));
        else
            im_autoencoder_close_stage(ae);
    }

cleanup:
    return st;
}

imsat_status im_autoencoder_fit(im_fit *fit, double share, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    loop l = {.share = share};
    if (fit->shared->layers > 0)
        return IMSAT_OK;
    IM_TRY(im_autoencoder_new(&l.ae, fit, err));
    if (fit->resumed && im_autoencoder_has_state(fit->resumed))
        IM_TRY(
            im_fail_advise(im_autoencoder_get(&l.ae, fit->resumed, err), err, IM_FIT_DAMAGED));
    IM_TRY(train(&l, err));
    IM_TRY(im_net_begin(fit->shared, &l.ae.whole, l.ae.layers, 0, err));
    IM_TRY(fit->save(fit, NULL, NULL, err));

cleanup:
    im_autoencoder_clear(&l.ae);
    return st;
}
