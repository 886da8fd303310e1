/* SPDX-License-Identifier: MIT
 * Shares of the work, and stopping. tsan: all. */
#include "core/stage.h"

#include "support.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_parts),
        cmocka_unit_test(each_task_runs_once),
        cmocka_unit_test(a_stop_leaves_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
