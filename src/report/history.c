/* SPDX-License-Identifier: MIT
 * See history.h. */
#include "report/history.h"

#include "core/alloc.h"
#include "core/status.h"

imsat_status imsat_history_new(imsat_history **out, imsat_error *err)
{
    IM_REQUIRE(out);
    imsat_history *history = im_alloc(1, sizeof *history);
    if (!history)
        return im_fail_memory(err, "the course of the training");
    for (size_t r = 0; r < IM_HISTORY_RUNS; r++)
        history->run[r].every = 1;
    *out = history;
    return IMSAT_OK;
}

void imsat_history_free(imsat_history *history)
{
    im_free(history);
}

/* Every second point goes. */
static void thin(im_history_run *run)
{
    run->count /= 2;
    run->every *= 2;
    for (size_t i = 0; i < run->count; i++) {
        run->epoch[i] = run->epoch[2 * i + 1];
        for (size_t v = 0; v < IM_HISTORY_VALUES; v++)
            run->value[v][i] = run->value[v][2 * i + 1];
    }
}

int imsat_history_take(void *history, const imsat_progress *progress)
{
    imsat_history *h = history;
    if (!h || !progress || !progress->epoch_done || progress->run >= IM_HISTORY_RUNS)
        return 0;
    im_history_run *run = &h->run[progress->run];
    if (progress->epoch % run->every != 0)
        return 0;
    if (run->count == IM_HISTORY_POINTS)
        thin(run);
    if (progress->epoch % run->every != 0)
        return 0;
    run->epoch[run->count] = (double)progress->epoch;
    for (size_t t = 0; t < IMSAT_TERMS; t++)
        run->value[t][run->count] = progress->term ? progress->term[t] : 0;
    run->value[IM_HISTORY_OBJECTIVE][run->count] = progress->objective;
    run->count++;
    h->runs = progress->run < h->runs ? h->runs : progress->run + 1;
    return 0;
}
