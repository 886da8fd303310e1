/* SPDX-License-Identifier: MIT
 *
 * The pool. Workers wait for a generation number to change, take tasks until none are left,
 * and count themselves out. Each thread has a range of the task numbers, and takes from those
 * of the others when its own is used up: from run to run a thread meets the same rows or units
 * again, in its own cache (the step of a linear network gained 6 %). Between runs they spin
 * briefly (a training step has dozens of runs a few hundred microseconds apart), then
 * sleep on a condition variable.
 *
 * Why not OpenMP: its runtime is opaque to ThreadSanitizer, is shared with the host
 * program (two thread pools that fight made PyTorch 3.5 times slower on Debian), and we
 * need only this one construct.
 */
#define _GNU_SOURCE
#include "core/threads.h"

#include "core/alloc.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { SPINS = 4000, MAX_THREADS = 256 };

/* Tasks that a thread takes first; on a cache line of its own. */
typedef struct range {
    _Alignas(64) atomic_size_t next;
    size_t end;
} range;

struct im_pool {
    int threads, started; /* including the caller's; workers really started */
    int spins;            /* 0 when there are more threads than cores */
    pthread_t worker[MAX_THREADS];
    pthread_mutex_t lock; /* guards sleeping and waking only */
    pthread_cond_t wake;
    atomic_uint generation; /* changes when there is work, or the end */
    atomic_int busy;        /* workers that have not finished this run */
    range range[MAX_THREADS];
    atomic_bool ending;
    im_task_fn run;
    void *context;
};

typedef struct worker_arg {
    im_pool *pool;
    int thread;
} worker_arg;

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    sched_yield();
#endif
}

static int usable_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    const int cores = CPU_COUNT(&set);
    return cores < 1 ? 1 : cores;
}

static void take_tasks(im_pool *pool, int thread)
{
    for (int i = 0; i < pool->threads; i++) {
        range *from = &pool->range[(thread + i) % pool->threads];
        for (;;) {
            const size_t task = atomic_fetch_add(&from->next, 1);
            if (task >= from->end)
                break;
            pool->run(pool->context, task, thread);
        }
    }
}

static void wait_for_work(im_pool *pool, unsigned seen)
{
    for (int i = 0; i < pool->spins; i++) {
        if (atomic_load(&pool->generation) != seen)
            return;
        relax();
    }
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->generation) == seen)
        pthread_cond_wait(&pool->wake, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

static void *work(void *arg)
{
    im_pool *pool = ((worker_arg *)arg)->pool;
    const int thread = ((worker_arg *)arg)->thread;
    im_free(arg);
    unsigned seen = 0;
    for (;;) {
        wait_for_work(pool, seen);
        seen++;
        if (atomic_load(&pool->ending))
            return NULL;
        take_tasks(pool, thread);
        atomic_fetch_sub(&pool->busy, 1);
    }
}

static void announce(im_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->generation, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
}

static imsat_status start_worker(im_pool *pool, int thread, imsat_error *err)
{
    worker_arg *arg = im_alloc(1, sizeof *arg);
    if (!arg)
        return im_fail_memory(err, "a thread");
    *arg = (worker_arg){pool, thread};
    const int failed = pthread_create(&pool->worker[thread], NULL, work, arg);
    if (failed) {
        im_free(arg);
        return im_fail(err, IMSAT_ENOMEM, "thread %d could not be started: %s", thread + 1,
                       strerror(failed));
    }
    pool->started++;
    return IMSAT_OK;
}

imsat_status im_pool_new(im_pool **out, int threads, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const int cores = usable_cores();
    if (threads == 0)
        threads = cores < MAX_THREADS ? cores : MAX_THREADS;
    if (threads < 1 || threads > MAX_THREADS)
        return im_fail(err, IMSAT_EINVAL,
                       "threads is %d, and must be from 0 (all cores) to %d", threads,
                       MAX_THREADS);
    im_pool *pool = im_alloc(1, sizeof *pool);
    if (!pool)
        return im_fail_memory(err, "the thread pool");
    pool->threads = threads;
    pool->spins = threads <= cores ? SPINS : 0;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    for (int i = 1; i < threads; i++)
        IM_TRY(start_worker(pool, i, err));
    *out = pool;
    pool = NULL;

cleanup:
    im_pool_free(pool);
    return st;
}

void im_pool_free(im_pool *pool)
{
    if (!pool)
        return;
    atomic_store(&pool->ending, true);
    announce(pool);
    for (int i = 1; i <= pool->started; i++)
        pthread_join(pool->worker[i], NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    im_free(pool);
}

int im_pool_threads(const im_pool *pool)
{
    return pool->threads;
}

void im_pool_run(im_pool *pool, im_task_fn run, void *context, size_t tasks)
{
    pool->run = run;
    pool->context = context;
    for (size_t i = 0, threads = (size_t)pool->threads; i < threads; i++) {
        atomic_store(&pool->range[i].next, tasks * i / threads);
        pool->range[i].end = tasks * (i + 1) / threads;
    }
    if (pool->started == 0 || tasks < 2) {
        take_tasks(pool, 0);
        return;
    }
    atomic_store(&pool->busy, pool->started);
    announce(pool);
    take_tasks(pool, 0);
    for (int i = 0; atomic_load(&pool->busy) > 0; i++) {
        if (i < pool->spins)
            relax();
        else
            sched_yield();
    }
}
