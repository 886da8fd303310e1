/* SPDX-License-Identifier: MIT
 * The pool: every task runs exactly once, whatever the number of threads, and what tasks
 * write is seen by the caller. tsan: all. */
#define _POSIX_C_SOURCE 200809L
#include "core/threads.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "support.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { MAX_TASKS = 257, MOST_THREADS = 5 };

typedef struct job {
    int threads;
    int runs[MAX_TASKS]; /* not atomic: each is written by one task only */
    atomic_int wrong_thread;
} job;

static void count_run(void *context, size_t task, int thread)
{
    job *j = context;
    j->runs[task]++;
    if (thread < 0 || thread >= j->threads)
        atomic_fetch_add(&j->wrong_thread, 1);
}

static im_pool *new_pool(int threads)
{
    imsat_error err;
    im_pool *pool = NULL;
    assert_ok(im_pool_new(&pool, threads, &err), &err);
    return pool;
}

static void every_task_runs_once(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 7, 64, MAX_TASKS};
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        im_pool *pool = new_pool(threads);
        assert_int_equal(im_pool_threads(pool), threads);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            job j = {.threads = threads};
            im_pool_run(pool, count_run, &j, sizes[s]);
            for (size_t i = 0; i < MAX_TASKS; i++)
                if (j.runs[i] != (i < sizes[s]))
                    fail_msg("%d threads, %zu tasks: task %zu ran %d times", threads, sizes[s],
                             i, j.runs[i]);
            assert_int_equal(atomic_load(&j.wrong_thread), 0);
        }
        im_pool_free(pool);
    }
}

static void thousands_of_small_runs(void **state)
{
    (void)state;
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        enum { RUNS = 3000 };
        im_pool *pool = new_pool(threads);
        job j = {.threads = threads};
        for (int run = 0; run < RUNS; run++)
            im_pool_run(pool, count_run, &j, 1 + (size_t)run % 6);
        /* Task i runs when run % 6 >= i. */
        for (int i = 0; i < 6; i++)
            assert_int_equal(j.runs[i], RUNS / 6 * (6 - i));
        assert_int_equal(atomic_load(&j.wrong_thread), 0);
        im_pool_free(pool);
    }
}

typedef struct late {
    int threads;
    atomic_int workers;     /* that have taken a task */
    int done[MOST_THREADS]; /* by task */
} late;

/* The caller's task ends as soon as each worker has begun one; those take longer. */
static void finish_late(void *context, size_t task, int thread)
{
    late *l = context;
    if (thread == 0) {
        while (atomic_load(&l->workers) < l->threads - 1)
            sched_yield();
    } else {
        atomic_fetch_add(&l->workers, 1);
        while (atomic_load(&l->workers) < l->threads - 1)
            sched_yield();
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    l->done[task] = 1;
}

static void a_run_waits_for_its_last_task(void **state)
{
    (void)state;
    for (int threads = 2; threads <= MOST_THREADS; threads++) {
        im_pool *pool = new_pool(threads);
        late l = {.threads = threads};
        im_pool_run(pool, finish_late, &l, (size_t)threads);
        for (int i = 0; i < threads; i++)
            assert_int_equal(l.done[i], 1);
        im_pool_free(pool);
    }
}

static void pools_start_and_stop(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++)
        im_pool_free(new_pool(1 + i % MOST_THREADS)); /* some before they ever ran */
    for (int i = 0; i < 60; i++) {
        job j = {.threads = MOST_THREADS};
        im_pool *pool = new_pool(MOST_THREADS);
        im_pool_run(pool, count_run, &j, 9);
        im_pool_free(pool);
        assert_int_equal(j.runs[8], 1);
    }
    im_pool_free(NULL);
}

typedef struct nest {
    int sums[4];
} nest;

static void add_task(void *context, size_t task, int thread)
{
    (void)thread;
    atomic_fetch_add((atomic_int *)context, (int)task);
}

/* A task with a pool of its own: only distinct pools may be nested. */
static void run_inner(void *context, size_t task, int thread)
{
    (void)thread;
    im_pool *inner = NULL;
    atomic_int sum = 0;
    if (im_pool_new(&inner, 2, NULL) != IMSAT_OK)
        return; /* the sum stays 0 and the test fails */
    im_pool_run(inner, add_task, &sum, 10 + task);
    im_pool_free(inner);
    ((nest *)context)->sums[task] = atomic_load(&sum);
}

static void pools_nest(void **state)
{
    (void)state;
    im_pool *outer = new_pool(3);
    nest n = {{0}};
    im_pool_run(outer, run_inner, &n, 4);
    im_pool_free(outer);
    for (int i = 0; i < 4; i++)
        assert_int_equal(n.sums[i], (10 + i) * (9 + i) / 2);
}

static void number_of_threads_is_checked(void **state)
{
    (void)state;
    imsat_error err;
    im_pool *pool = NULL;
    assert_refused(im_pool_new(&pool, -1, &err), &err, IMSAT_EINVAL, "threads is -1");
    assert_refused(im_pool_new(&pool, 257, &err), &err, IMSAT_EINVAL, "threads is 257");
    assert_null(pool);
    pool = new_pool(0);
    assert_true(im_pool_threads(pool) >= 1);
    im_pool_free(pool);
}

static imsat_status attempt_new(void *context, imsat_error *err)
{
    (void)context;
    im_pool *pool = NULL;
    const imsat_status st = im_pool_new(&pool, 4, err);
    assert_true((pool == NULL) == (st != IMSAT_OK));
    im_pool_free(pool);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_each(attempt_new, NULL), 1 + 3);
}

static void a_run_allocates_nothing(void **state)
{
    (void)state;
    im_pool *pool = new_pool(3);
    job j = {.threads = 3};
    failing_alloc_arm(0);
    im_pool_run(pool, count_run, &j, 100);
    assert_int_equal(failing_alloc_count(), 0);
    im_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(thousands_of_small_runs),
        cmocka_unit_test(a_run_waits_for_its_last_task),
        cmocka_unit_test(pools_start_and_stop),
        cmocka_unit_test(pools_nest),
        cmocka_unit_test(number_of_threads_is_checked),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_run_allocates_nothing),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
