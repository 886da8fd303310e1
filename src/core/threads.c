/* SPDX-License-Identifier: MIT
 *
 * The pool. A run of tasks is a round. Each thread has a range of the task numbers, and takes
 * from those of the others when its own is used up: from round to round a thread meets the
 * same rows or units again, in its own cache (the step of a linear network gained 6 %).
 *
 * A worker enters a round through its door, one atomic number that says whether the round is
 * open, which round it is, and how many workers are inside. When no task is left to take, the
 * caller closes the door and waits for those inside, who are finishing their last task. A
 * worker that was not scheduled in time finds the door closed, or another round behind it,
 * and nobody has waited for it: beside other processes a round costs the time of its tasks.
 * What describes a round is written while the door is closed and nobody is inside, and read
 * inside only.
 *
 * Who waits, for a round or for its end, spins first (a training step has dozens of rounds
 * that follow each other within microseconds) and then sleeps, so that its core is free for
 * the thread that has the work. A worker that takes long over its last task has probably lost
 * its core to another process. For a while, then, workers do not spin: one that sleeps
 * whenever it has nothing to do gets a core when it has, and is seldom interrupted in a task,
 * while one that spins uses up its time and is interrupted for milliseconds, for which the
 * others wait.
 *
 * Threads are started by the first round of more than one task. The child of a fork() has the
 * pool without its workers: nobody enters, so the caller runs all tasks, and it must not touch
 * the lock, which a worker may have held.
 *
 * Why not OpenMP: its runtime is opaque to ThreadSanitizer, is shared with the host
 * program (two thread pools that fight made PyTorch 3.5 times slower on Debian), and we
 * need only this one construct.
 */
#define _GNU_SOURCE
#include "core/threads.h"

#include "core/alloc.h"
#include "core/clock.h"
#include "core/cores.h"
#include "core/flush.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* Seconds: that a waiting thread spins; after which a worker that the caller waits for has
 * lost its core (the kernel gives a core away for milliseconds, and no task takes as long on a
 * core of its own); and for which workers then do not spin. Measured on two cores with the
 * training of digits, 12 epochs, medians of 7; before, a round waited for all workers and the
 * caller spun without end:
 *
 *     busy processes beside it                      none     one      two
 *     as it is                                      0.461    0.864    1.143
 *     a core counts as lost after SPIN              0.473    0.866    1.159
 *     before                                        0.461    1.326    1.096
 *
 * That second row is the one to avoid: uneven tasks made the caller wait longer than SPIN with
 * nobody else on the machine, and the step of a linear network took 0.745 ms in place of
 * 0.699. In another hour, beside none, one and two:
 *
 *     a core counts as lost after SPIN              0.470    0.813    1.091
 *     the caller does not spin after that, either   0.477    0.867    1.098    (100 us)
 *     workers always spin                           0.466    0.960    1.005
 *
 * Never to spin costs 18 % when there are none. Workers that give their core away of their own
 * accord after 1, 2 or 3 ms, between two tasks, gained nothing. */
static const double SPIN = 50e-6, LOST = 1e-3, CROWDED = 50e-3;

/* The door: the round's number in the upper half, and in the lower one the workers inside,
 * whether the caller sleeps until they have left, and whether more may enter. */
#define DOOR_OPEN    UINT64_C(1)
#define DOOR_AWAITED UINT64_C(2)
#define DOOR_WORKER  UINT64_C(4)
#define DOOR_ROUND   (UINT64_C(1) << 32)

/* One of the threads, on a cache line of its own. */
typedef struct member {
    _Alignas(64) atomic_size_t next; /* the tasks that it takes first: next .. end - 1 */
    size_t end;
    im_pool *pool;
    pthread_t thread;
} member;

struct im_pool {
    int threads, started; /* including the caller's; workers really started */
    bool spins;           /* not with more threads than cores */
    pid_t process;        /* where the workers live */
    pthread_mutex_t lock; /* guards sleeping and waking only */
    pthread_cond_t work, end;
    im_task_fn run; /* this and `context`: of the round */
    void *context;
    _Alignas(64) _Atomic uint64_t door;
    atomic_int asleep; /* workers */
    atomic_bool ending;
    _Atomic double spin_from; /* workers do not spin before this time */
    member member[];          /* [threads], the caller's first */
};

/* Tell the processor that this is a waiting loop. */
static void pause_core(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static uint64_t workers_inside(uint64_t door)
{
    return (door & (DOOR_ROUND - 1)) / DOOR_WORKER;
}

static void take_tasks(im_pool *pool, int thread)
{
    for (int i = 0; i < pool->threads; i++) {
        member *from = &pool->member[(thread + i) % pool->threads];
        for (;;) {
            const size_t task = atomic_fetch_add(&from->next, 1);
            if (task >= from->end)
                break;
            pool->run(pool->context, task, thread);
        }
    }
}

/* ---- workers ------------------------------------------------------------------ */

/* Enter the round that is open, unless it is the one this worker was in last. */
static bool enter(im_pool *pool, uint32_t *last)
{
    uint64_t door = atomic_load(&pool->door);
    while ((door & DOOR_OPEN) && (uint32_t)(door / DOOR_ROUND) != *last)
        if (atomic_compare_exchange_weak(&pool->door, &door, door + DOOR_WORKER)) {
            *last = (uint32_t)(door / DOOR_ROUND);
            return true;
        }
    return false;
}

static void leave(im_pool *pool)
{
    const uint64_t door = atomic_fetch_sub(&pool->door, DOOR_WORKER);
    if (!(door & DOOR_AWAITED) || workers_inside(door) > 1)
        return;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->end);
    pthread_mutex_unlock(&pool->lock);
}

/* Wait for a round and enter it; false when the pool ends. */
static bool enter_next(im_pool *pool, uint32_t *last)
{
    bool entered = enter(pool, last);
    const double now = pool->spins && !entered ? im_clock() : 0;
    const double until = now < atomic_load(&pool->spin_from) ? 0 : now + SPIN;
    while (!entered && !atomic_load(&pool->ending) && im_clock() < until) {
        pause_core();
        entered = enter(pool, last);
    }
    if (entered)
        return true;
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->asleep, 1);
    while (!atomic_load(&pool->ending) && !(entered = enter(pool, last)))
        pthread_cond_wait(&pool->work, &pool->lock);
    atomic_fetch_sub(&pool->asleep, 1);
    pthread_mutex_unlock(&pool->lock);
    return entered;
}

static void *work(void *arg)
{
    const member *self = arg;
    im_pool *pool = self->pool;
    uint32_t last = 0;
    im_flush_begin();
    while (enter_next(pool, &last)) {
        take_tasks(pool, (int)(self - pool->member));
        leave(pool);
    }
    return NULL;
}

/* ---- the caller --------------------------------------------------------------- */

static void start_workers(im_pool *pool)
{
    pool->process = getpid();
    pool->spins = pool->threads <= im_cores();
    while (pool->started < pool->threads - 1) {
        member *m = &pool->member[pool->started + 1];
        m->pool = pool;
        if (pthread_create(&m->thread, NULL, work, m) != 0)
            return;
        pool->started++;
    }
}

/* Whoever goes to sleep counts itself first and then looks at the door, so either it sees the
 * round or it is counted here. */
static void wake_workers(im_pool *pool, size_t wanted)
{
    if (atomic_load(&pool->asleep) == 0 || im_pool_orphaned(pool))
        return;
    pthread_mutex_lock(&pool->lock);
    if (wanted < (size_t)pool->started)
        for (size_t i = 0; i < wanted; i++)
            pthread_cond_signal(&pool->work);
    else
        pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
}

static void wait_for_end(im_pool *pool)
{
    uint64_t door = atomic_fetch_and(&pool->door, ~DOOR_OPEN);
    if (!workers_inside(door))
        return;
    const double from = im_clock(), until = pool->spins ? from + SPIN : 0;
    while (workers_inside(door) && im_clock() < until) {
        pause_core();
        door = atomic_load(&pool->door);
    }
    if (!workers_inside(door))
        return;
    pthread_mutex_lock(&pool->lock);
    door = atomic_fetch_or(&pool->door, DOOR_AWAITED);
    while (workers_inside(door)) {
        pthread_cond_wait(&pool->end, &pool->lock);
        door = atomic_load(&pool->door);
    }
    atomic_fetch_and(&pool->door, ~DOOR_AWAITED);
    pthread_mutex_unlock(&pool->lock);
    const double now = im_clock();
    if (now > from + LOST)
        atomic_store(&pool->spin_from, now + CROWDED);
}

static void run_round(im_pool *pool, im_task_fn run, void *context, size_t tasks)
{
    if (pool->started == 0)
        start_workers(pool);
    pool->run = run;
    pool->context = context;
    for (size_t i = 0, threads = (size_t)pool->threads; i < threads; i++) {
        atomic_store_explicit(&pool->member[i].next, tasks * i / threads,
                              memory_order_relaxed);
        pool->member[i].end = tasks * (i + 1) / threads;
    }
    atomic_fetch_add(&pool->door, DOOR_ROUND + DOOR_OPEN);
    wake_workers(pool, tasks - 1);
    take_tasks(pool, 0);
    wait_for_end(pool);
}

void im_pool_run(im_pool *pool, im_task_fn run, void *context, size_t tasks)
{
    const im_flush before = im_flush_begin();
    if (pool->threads == 1 || tasks < 2)
        for (size_t task = 0; task < tasks; task++)
            run(context, task, 0);
    else
        run_round(pool, run, context, tasks);
    im_flush_end(before);
}

imsat_status im_pool_new(im_pool **out, int threads, imsat_error *err)
{
    if (threads == 0) {
        const int cores = im_cores();
        threads = cores < IM_POOL_MOST ? cores : IM_POOL_MOST;
    }
    if (threads < 1 || threads > IM_POOL_MOST)
        return im_fail(err, IMSAT_EINVAL,
                       "threads is %d, and must be from 0 (all cores) to %d", threads,
                       IM_POOL_MOST);
    im_pool *pool = im_alloc(sizeof *pool + (size_t)threads * sizeof(member), 1);
    if (!pool)
        return im_fail_memory(err, "the thread pool");
    pool->threads = threads;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->end, NULL);
    *out = pool;
    return IMSAT_OK;
}

void im_pool_free(im_pool *pool)
{
    if (!pool)
        return;
    if (!im_pool_orphaned(pool)) {
        atomic_store(&pool->ending, true);
        pthread_mutex_lock(&pool->lock);
        pthread_cond_broadcast(&pool->work);
        pthread_mutex_unlock(&pool->lock);
        for (int i = 1; i <= pool->started; i++)
            pthread_join(pool->member[i].thread, NULL);
        pthread_cond_destroy(&pool->end);
        pthread_cond_destroy(&pool->work);
        pthread_mutex_destroy(&pool->lock);
    }
    im_free(pool);
}

int im_pool_threads(const im_pool *pool)
{
    return pool->threads;
}

int im_pool_threads_of(const im_pool *pool, size_t tasks)
{
    return tasks < 2 ? 1 : pool->threads;
}

bool im_pool_orphaned(const im_pool *pool)
{
    return pool->started > 0 && pool->process != getpid();
}
