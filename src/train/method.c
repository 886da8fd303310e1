/* SPDX-License-Identifier: MIT
 * See method.h. */
#include "train/method.h"

#include <stdio.h>

bool im_fit_tell(const im_fit *f, imsat_progress progress)
{
    progress.run = f->number;
    progress.runs = f->runs;
    im_history_take(f->history, &progress);
    return f->opt->progress && f->opt->progress(f->opt->progress_user, &progress);
}

imsat_status im_fit_stop(im_fit *f, im_put_state *put, const void *state, size_t epoch,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *path = f->opt->checkpoint;
    char where[32] = "";
    if (f->method->sections & 1U << IMSAT_SECTION_TRAINING)
        snprintf(where, sizeof where, ", epoch %zu", epoch + 1);
    IM_TRY(f->save(f, put, state, err));
    st = im_fail(err, IMSAT_ESTOPPED, "stopped in run %zu%s; %s%s", f->number + 1, where,
                 path ? "resume from " : "no checkpoint was asked for", path ? path : "");

cleanup:
    return st;
}
