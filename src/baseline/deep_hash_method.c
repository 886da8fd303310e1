/* SPDX-License-Identifier: MIT
 * The method deep-hash; see deep_hash.h. */
#include "baseline/deep_hash.h"

#include "baseline/whole.h"
#include "core/clock.h"

#include <math.h>

typedef struct loop {
    im_fit *fit;
    im_deep_hash hash;
    double seconds; /* of this epoch's steps */
} loop;

static imsat_progress progress_of(const loop *l)
{
    const double all = (double)im_deep_hash_steps(&l->hash);
    return (imsat_progress){.stage = "train",
                            .fraction = (double)l->hash.step / all,
                            .epoch = l->hash.step / im_batch_steps(&l->hash.feed.batch),
                            .epochs = l->fit->opt->epochs};
}

/* Tell of a step, and of an epoch where one ends. True: stop. */
static bool tell(loop *l, bool ends)
{
    imsat_progress p = progress_of(l);
    if (ends) {
        p.epoch_done = 1;
        p.objective = l->hash.sum / (double)im_batch_steps(&l->hash.feed.batch);
        p.seconds = l->seconds;
        p.term = l->fit->run->term;
        l->hash.sum = l->seconds = 0;
    }
    return im_fit_tell(l->fit, p);
}

static imsat_status stop(loop *l, imsat_error *err)
{
    return im_fit_stop(l->fit, im_deep_hash_put, &l->hash, progress_of(l).epoch, err);
}

static imsat_status train_step(loop *l, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t each = im_batch_steps(&l->hash.feed.batch);
    const double start = im_clock(), loss = im_deep_hash_step(&l->hash);
    if (!isfinite(loss))
        return im_fail(
            err, IMSAT_EINVAL,
            "deep-hash diverged in step %zu of run %zu, with the step size %g; lower "
            "--step-size",
            l->hash.step, l->fit->number + 1, l->fit->opt->step_size);
    l->seconds += im_clock() - start;
    l->hash.sum += loss;
    const bool ends = l->hash.step % each == 0;
    if (tell(l, ends))
        return stop(l, err);
    if (ends && l->hash.step / each % l->fit->opt->checkpoint_every == 0)
        IM_TRY(l->fit->save(l->fit, im_deep_hash_put, &l->hash, err));

cleanup:
    return st;
}

static imsat_status assess(loop *l, imsat_error *err)
{
    const im_stage stage = im_whole_stage(l->fit, "assessing the run");
    const im_stage still = im_stage_part(&stage, 1, 1);
    const imsat_status st =
        im_deep_hash_assess(&l->fit->run->about.objective, &l->hash, &still, err);
    return st == IMSAT_ESTOPPED ? stop(l, err) : st;
}

imsat_status im_deep_hash_fit(im_fit *fit, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    loop l = {.fit = fit};
    const im_stage stage = im_whole_stage(fit, "looking for components");
    const im_stage still = im_stage_part(&stage, 0, 0);
    IM_TRY(im_whole_end(fit, im_deep_hash_new(&l.hash, fit, &still, err), err));
    if (fit->resumed)
        IM_TRY(
            im_fail_advise(im_deep_hash_get(&l.hash, fit->resumed, err), err, IM_FIT_DAMAGED));
    while (l.hash.step < im_deep_hash_steps(&l.hash))
        IM_TRY(train_step(&l, err));
    IM_TRY(assess(&l, err));
    fit->run->about.epochs = fit->opt->epochs;
    im_deep_hash_leave(&l.hash);

cleanup:
    im_deep_hash_clear(&l.hash);
    return st;
}
