/* SPDX-License-Identifier: MIT
 * See stage.h. */
#include "core/stage.h"

#include <assert.h>

im_stage im_stage_part(const im_stage *stage, double from, double to)
{
    assert(0 <= from && from <= to && to <= 1);
    if (!stage)
        return (im_stage){0};
    const double length = stage->end - stage->begin;
    return (im_stage){stage->work, stage->progress, stage->user, stage->begin + length * from,
                      stage->begin + length * to};
}

imsat_status im_stage_report(const im_stage *stage, double fraction, imsat_error *err)
{
    assert(0 <= fraction && fraction <= 1);
    assert(stage->work || !stage->progress);
    const double share = stage->begin + (stage->end - stage->begin) * fraction;
    if (stage->progress && stage->progress(stage->user, share))
        return im_fail(err, IMSAT_ESTOPPED, "stopped while %s", stage->work);
    return IMSAT_OK;
}

typedef struct batch {
    im_task_fn run;
    void *context;
    size_t first;
} batch;

static void batch_task(void *context, size_t task, int thread)
{
    const batch *b = context;
    b->run(b->context, b->first + task, thread);
}

imsat_status im_stage_run(const im_stage *stage, im_pool *pool, im_task_fn run, void *context,
                          size_t tasks, size_t at_once, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    assert(at_once >= 1);
    for (size_t i = 0; i < tasks && st == IMSAT_OK; i += at_once) {
        const size_t count = tasks - i < at_once ? tasks - i : at_once;
        batch b = {run, context, i};
        im_pool_run(pool, batch_task, &b, count);
        st = im_stage_report(stage, (double)(i + count) / (double)tasks, err);
    }
    return st;
}
