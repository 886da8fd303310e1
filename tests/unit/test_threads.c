/* SPDX-License-Identifier: MIT
 * The pool: every task runs exactly once, whatever the number of threads, and what tasks
 * write is seen by the caller. tsan: all. */
#define _GNU_SOURCE
#include "core/threads.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "process.h"
#include "support.h"

#include <float.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

/* A round of the stress test: its own function, number and counts. */
typedef struct brief {
    im_task_fn run;
    unsigned number;
    int runs[MAX_TASKS];
    atomic_int strays; /* tasks that ran by the function of another round */
} brief;

static void run_even(void *context, size_t task, int thread);

static void run_odd(void *context, size_t task, int thread)
{
    (void)thread;
    brief *b = context;
    b->runs[task]++;
    if (b->run != run_odd || b->number % 2 != 1)
        atomic_fetch_add(&b->strays, 1);
}

static void run_even(void *context, size_t task, int thread)
{
    (void)thread;
    brief *b = context;
    b->runs[task]++;
    if (b->run != run_even || b->number % 2 != 0)
        atomic_fetch_add(&b->strays, 1);
}

static void check_brief(const brief *b, size_t tasks)
{
    assert_int_equal(atomic_load(&b->strays), 0);
    for (size_t i = 0; i < MAX_TASKS; i++)
        if (b->runs[i] != (i < tasks))
            fail_msg("round %u of %zu tasks: task %zu ran %d times", b->number, tasks, i,
                     b->runs[i]);
}

/* Workers that come late must not run tasks of one round with the function or the context of
 * another. More threads than cores, so that there are late ones. */
static void short_rounds_do_not_mix(void **state)
{
    (void)state;
    static const size_t sizes[] = {2, 1, 3, 0, 2, MAX_TASKS, 9, 2, 2, 40};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (int threads = 2; threads <= 16; threads *= 2) {
        im_pool *pool = new_pool(threads);
        for (unsigned round = 0; round < 2000; round++) {
            brief b = {.run = round % 2 ? run_odd : run_even, .number = round};
            const size_t tasks = sizes[round / 2 % SIZES];
            im_pool_run(pool, b.run, &b, tasks);
            check_brief(&b, tasks);
        }
        im_pool_free(pool); /* right after a round */
    }
}

static void note_thread(void *context, size_t task, int thread)
{
    (void)task, (void)thread;
    *(pthread_t *)context = pthread_self();
}

static void one_task_needs_no_thread(void **state)
{
    (void)state;
    const int before = process_threads();
    im_pool *pool = new_pool(4);
    pthread_t ran;
    im_pool_run(pool, note_thread, &ran, 1);
    im_pool_run(pool, note_thread, NULL, 0);
    assert_true(pthread_equal(ran, pthread_self()));
    assert_threads(before);
    job j = {.threads = 4};
    im_pool_run(pool, count_run, &j, 2);
    assert_threads(before + 3);
    im_pool_free(pool);
}

static volatile float tiny = FLT_MIN, half = 0.5f;

static void multiply(void *context, size_t task, int thread)
{
    (void)thread;
    ((float *)context)[task] = tiny * half;
}

static void tasks_flush_subnormal_numbers(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++)
        for (size_t tasks = 1; tasks <= 200; tasks += 199) {
            float product[200] = {0};
            im_pool *pool = new_pool(threads);
            product[0] = product[199] = 1;
            im_pool_run(pool, multiply, product, tasks);
            for (size_t i = 0; i < tasks; i++)
                assert_true(product[i] == 0);
            assert_true(tiny * half > 0); /* the caller's own mode */
            im_pool_free(pool);
        }
}

/* ---- a worker that the system does not schedule -------------------------------- */

static atomic_bool held, released;

/* Holds the thread that gets the signal, for three seconds at most. */
static void hold(int signal_number)
{
    (void)signal_number;
    atomic_store(&held, true);
    for (int i = 0; i < 3000 && !atomic_load(&released); i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    atomic_store(&held, false);
}

typedef struct meeting {
    atomic_int present;
    pthread_t worker;
} meeting;

/* Two tasks, one on each of two threads. */
static void meet(void *context, size_t task, int thread)
{
    (void)task;
    meeting *m = context;
    if (thread == 1)
        m->worker = pthread_self();
    atomic_fetch_add(&m->present, 1);
    while (atomic_load(&m->present) < 2)
        sched_yield();
}

static void a_late_worker_is_not_waited_for(void **state)
{
    (void)state;
    im_pool *pool = new_pool(2);
    meeting m = {0};
    job j = {.threads = 2};
    im_pool_run(pool, meet, &m, 2);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* until it sleeps */
    signal(SIGUSR1, hold);
    assert_int_equal(pthread_kill(m.worker, SIGUSR1), 0);
    while (!atomic_load(&held))
        sched_yield();
    for (int i = 0; i < 50; i++)
        im_pool_run(pool, count_run, &j, 7);
    assert_true(atomic_load(&held));
    for (int i = 0; i < 7; i++)
        assert_int_equal(j.runs[i], 50);
    atomic_store(&released, true);
    m = (meeting){0};
    im_pool_run(pool, meet, &m, 2); /* the worker takes part again */
    signal(SIGUSR1, SIG_DFL);
    im_pool_free(pool);
}

/* ---- the child of a fork() ----------------------------------------------------- */

/* Exit code 0 if rounds run and the pool ends; killed after 20 seconds if they hang. */
static int use_in_child(im_pool *pool)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        job j = {.threads = 3};
        alarm(20);
        for (int i = 0; i < 10; i++)
            im_pool_run(pool, count_run, &j, 40);
        im_pool_free(pool);
        _exit(j.runs[0] == 10 && j.runs[39] == 10 ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void a_pool_works_after_fork(void **state)
{
    (void)state;
    if (!can_fork())
        skip();
    im_pool *pool = new_pool(3);
    job j = {.threads = 3};
    assert_int_equal(use_in_child(pool), 0); /* no workers yet */
    im_pool_run(pool, count_run, &j, 40);
    assert_int_equal(use_in_child(pool), 0);                  /* workers that spin */
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* and that sleep */
    assert_int_equal(use_in_child(pool), 0);
    im_pool_run(pool, count_run, &j, 40);
    assert_int_equal(j.runs[39], 2);
    im_pool_free(pool);
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
    assert_int_equal(fail_each(attempt_new, NULL), 1);
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
        cmocka_unit_test(short_rounds_do_not_mix),
        cmocka_unit_test(one_task_needs_no_thread),
        cmocka_unit_test(tasks_flush_subnormal_numbers),
        cmocka_unit_test(a_late_worker_is_not_waited_for),
        cmocka_unit_test(a_pool_works_after_fork),
        cmocka_unit_test(pools_start_and_stop),
        cmocka_unit_test(pools_nest),
        cmocka_unit_test(number_of_threads_is_checked),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_run_allocates_nothing),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
