/* SPDX-License-Identifier: MIT
 * Shares of the work, and stopping. tsan: all. */
#define _POSIX_C_SOURCE 200809L
#include "core/stage.h"

#include "support.h"

#include <string.h>
#include <time.h>

typedef struct watch {
    double shares[16], stop_at;
    size_t calls;
} watch;

static int look(void *user, double fraction)
{
    watch *w = user;
    assert_true(w->calls < 16);
    w->shares[w->calls++] = fraction;
    return fraction >= w->stop_at;
}

static void count_task(void *context, size_t task, int thread)
{
    (void)thread;
    ((unsigned char *)context)[task]++;
}

static void parts_of_parts(void **state)
{
    (void)state;
    watch w = {.stop_at = 2};
    const im_stage whole = {"counting", look, &w, 0, 1},
                   part = im_stage_part(&whole, 0.2, 0.6);
    const im_stage inner = im_stage_part(&part, 0.5, 1), none = im_stage_part(NULL, 0, 1);
    assert_int_equal(im_stage_report(&inner, 0, NULL), IMSAT_OK);
    assert_int_equal(im_stage_report(&inner, 0.5, NULL), IMSAT_OK);
    assert_int_equal(im_stage_report(&none, 0.5, NULL), IMSAT_OK);
    assert_int_equal(w.calls, 2);
    assert_near(w.shares[0], 0.4, 1e-12);
    assert_near(w.shares[1], 0.5, 1e-12);
}

static void each_task_runs_once(void **state)
{
    (void)state;
    im_pool *pool = NULL;
    watch w = {.stop_at = 2};
    const im_stage stage = {"counting", look, &w, 0.5, 1};
    unsigned char ran[23] = {0};
    assert_int_equal(im_pool_new(&pool, 3, NULL), IMSAT_OK);
    assert_int_equal(im_stage_run(&stage, pool, count_task, ran, 23, 5, NULL), IMSAT_OK);
    for (size_t i = 0; i < 23; i++)
        assert_int_equal(ran[i], 1);
    assert_int_equal(w.calls, 5);
    assert_near(w.shares[0], 0.5 + 0.5 * 5 / 23, 1e-12);
    assert_near(w.shares[4], 1, 1e-12);
    assert_int_equal(im_stage_run(&stage, pool, count_task, ran, 0, 5, NULL), IMSAT_OK);
    assert_int_equal(w.calls, 5);
    im_pool_free(pool);
}

static void a_stop_leaves_the_rest(void **state)
{
    (void)state;
    im_pool *pool = NULL;
    imsat_error err;
    watch w = {.stop_at = 0.5};
    const im_stage stage = {"counting", look, &w, 0, 1};
    unsigned char ran[20] = {0};
    assert_int_equal(im_pool_new(&pool, 2, NULL), IMSAT_OK);
    assert_refused(im_stage_run(&stage, pool, count_task, ran, 20, 4, &err), &err,
                   IMSAT_ESTOPPED, "stopped while counting");
    for (size_t i = 0; i < 20; i++)
        assert_int_equal(ran[i], i < 12);
    im_pool_free(pool);
}

/* Two of these last longer than anyone waits to be told. */
static void slow_task(void *context, size_t task, int thread)
{
    (void)thread;
    ((unsigned char *)context)[task]++;
    nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
}

static void long_tasks_are_told_of_between(void **state)
{
    (void)state;
    im_pool *pool = NULL;
    imsat_error err;
    watch all = {.stop_at = 2}, some = {.stop_at = 0.1};
    const im_stage whole = {"counting", look, &all, 0, 1},
                   cut = {"counting", look, &some, 0, 1};
    unsigned char ran[12] = {0};
    size_t count = 0;
    assert_int_equal(im_pool_new(&pool, 1, NULL), IMSAT_OK);
    assert_ok(im_stage_run(&whole, pool, slow_task, ran, 12, 1000, &err), &err);
    assert_in_range(all.calls, 2, 12);
    assert_near(all.shares[all.calls - 1], 1, 1e-12);
    for (size_t i = 1; i < all.calls; i++)
        assert_true(all.shares[i] >= all.shares[i - 1]);
    memset(ran, 0, sizeof ran);
    assert_refused(im_stage_run(&cut, pool, slow_task, ran, 12, SIZE_MAX, &err), &err,
                   IMSAT_ESTOPPED, "stopped while counting");
    assert_true(some.calls >= 1);
    for (size_t i = 0; i < 12; i++)
        count += ran[i];
    assert_in_range(count, 2, 11);
    im_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_parts),
        cmocka_unit_test(each_task_runs_once),
        cmocka_unit_test(a_stop_leaves_the_rest),
        cmocka_unit_test(long_tasks_are_told_of_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
