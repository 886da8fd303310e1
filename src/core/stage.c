/* SPDX-License-Identifier: MIT
 * See stage.h. */
#include "core/stage.h"

#include "core/clock.h"

#include <assert.h>
#include <stdatomic.h>

/* Seconds after which the caller is told, and asked, though the tasks are not done. */
static const double PATIENCE = 0.1;

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

/* Some tasks of a stage, of which the caller's own thread tells while they run. */
typedef struct batch {
    const im_stage *stage;
    im_task_fn run;
    void *context;
    size_t first, tasks; /* of this batch; of the stage */
    atomic_size_t done;
    atomic_bool stopped;
    double told; /* when */
    imsat_error *err;
} batch;

static double share_of(const batch *b, size_t done)
{
    return (double)(b->first + done) / (double)b->tasks;
}

static void batch_task(void *context, size_t task, int thread)
{
    batch *b = context;
    if (atomic_load(&b->stopped))
        return;
    b->run(b->context, b->first + task, thread);
    const size_t done = atomic_fetch_add(&b->done, 1) + 1;
    if (thread != 0 || !b->stage->progress || im_clock() - b->told < PATIENCE)
        return;
    if (im_stage_report(b->stage, share_of(b, done), b->err) != IMSAT_OK)
        atomic_store(&b->stopped, true);
    b->told = im_clock();
}

imsat_status im_stage_run(const im_stage *stage, im_pool *pool, im_task_fn run, void *context,
                          size_t tasks, size_t at_once, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    assert(at_once >= 1);
    for (size_t i = 0; i < tasks && st == IMSAT_OK; i += at_once) {
        const size_t count = tasks - i < at_once ? tasks - i : at_once;
        batch b = {.stage = stage,
                   .run = run,
                   .context = context,
                   .first = i,
                   .tasks = tasks,
                   .told = im_clock(),
                   .err = err};
        im_pool_run(pool, batch_task, &b, count);
        if (atomic_load(&b.stopped))
            return IMSAT_ESTOPPED;
        st = im_stage_report(stage, share_of(&b, count), err);
        if (at_once >= tasks - i)
            break;
    }
    return st;
}
