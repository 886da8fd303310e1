/* SPDX-License-Identifier: MIT
 *
 * A pool of threads that run numbered tasks. Which thread runs a task is left to chance;
 * what a task computes must not depend on it, so that results do not depend on the number
 * of threads.
 *
 * Prefixes: im_pool_.
 */
#ifndef IM_CORE_THREADS_H
#define IM_CORE_THREADS_H

#include "core/status.h"

#include <stdbool.h>

/* The most threads of a pool. */
enum { IM_POOL_MOST = 256 };

typedef struct im_pool im_pool;

/* thread < im_pool_threads(): for scratch memory. */
typedef void (*im_task_fn)(void *context, size_t task, int thread);

/* threads 0: as many as this process may use cores. The threads are started by the first run
 * of more than one task; a pool that never has one costs no more than its memory. A thread
 * that the system refuses to start is done without. */
imsat_status im_pool_new(im_pool **out, int threads, imsat_error *err);
void im_pool_free(im_pool *pool);
int im_pool_threads(const im_pool *pool);

/* How many threads a run of so many tasks may use: all, or the caller's alone. For scratch
 * memory of a single task, which should cost no more than on one thread. */
int im_pool_threads_of(const im_pool *pool, size_t tasks);

/* Were its threads left behind in another process by fork()? Then it still works, on the
 * caller's thread alone. */
bool im_pool_orphaned(const im_pool *pool);

/* Run task 0 .. tasks - 1, in no order, and return when all are done. The caller's thread
 * takes part, as thread 0, and runs a single task by itself. Not reentrant: one run at a time
 * on a pool. Subnormal numbers are zero in tasks (core/flush.h). In the child of a fork() the
 * workers do not exist, and the caller's thread runs all tasks. */
void im_pool_run(im_pool *pool, im_task_fn run, void *context, size_t tasks);

#endif
