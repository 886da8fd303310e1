/* SPDX-License-Identifier: MIT
 *
 * Long work in parts: what share of the whole is done is told to the caller now and then, who
 * may stop it.
 */
#ifndef IM_CORE_STAGE_H
#define IM_CORE_STAGE_H

#include "core/threads.h"

/* Called now and then, on the caller's thread, with the share of the work that is done; not
 * 0: stop. */
typedef int (*im_stage_fn)(void *user, double fraction);

/* A part of the work: the shares from begin to end of the whole. */
typedef struct im_stage {
    const char *work;     /* completes "stopped while ...", as in "computing the radius" */
    im_stage_fn progress; /* may be NULL */
    void *user;
    double begin, end;
} im_stage;

/* The part of a stage from share `from` to share `to` of it, 0 <= from <= to <= 1. stage NULL:
 * nobody is told. */
im_stage im_stage_part(const im_stage *stage, double from, double to);

/* Tell that `fraction` of this stage is done, 0 to 1. IMSAT_ESTOPPED if the caller has
 * enough. */
imsat_status im_stage_report(const im_stage *stage, double fraction, imsat_error *err);

/* Run tasks 0 .. tasks - 1 on the pool, with a report after every `at_once` >= 1 of them, and
 * where these take long, ten times a second, as soon as the caller's thread is done with a
 * task. So a stop is heeded within the time of one task. */
imsat_status im_stage_run(const im_stage *stage, im_pool *pool, im_task_fn run, void *context,
                          size_t tasks, size_t at_once, imsat_error *err);

#endif
