/* SPDX-License-Identifier: MIT
 *
 * A pool of threads that run numbered tasks. Which thread runs a task is left to chance;
 * what a task computes must not depend on it, so that results do not depend on the number
 * of threads.
 */
#ifndef IM_CORE_THREADS_H
#define IM_CORE_THREADS_H

#include "core/status.h"

typedef struct im_pool im_pool;

/* thread < im_pool_threads(): for scratch memory. */
typedef void (*im_task_fn)(void *context, size_t task, int thread);

/* threads 0: as many as this process may use cores. */
imsat_status im_pool_new(im_pool **out, int threads, imsat_error *err);
void im_pool_free(im_pool *pool);
int im_pool_threads(const im_pool *pool);

/* Run task 0 .. tasks - 1, in no order, and return when all are done. The caller's thread
 * takes part, as thread 0. Not reentrant: one run at a time on a pool. */
void im_pool_run(im_pool *pool, im_task_fn run, void *context, size_t tasks);

#endif
