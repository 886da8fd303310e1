/* SPDX-License-Identifier: MIT
 * The course of a training stays small. */
#include "report/history.h"

#include "failing_alloc.h"
#include "support.h"

static void tell(imsat_history *history, size_t run, size_t epoch)
{
    const double term[IMSAT_TERMS] = {[IMSAT_TERM_SAT] = (double)epoch / 2};
    const imsat_progress now = {.stage = "train",
                                .run = run,
                                .epoch = epoch,
                                .epoch_done = 1,
                                .objective = (double)(10 * epoch),
                                .term = term};
    assert_int_equal(imsat_history_take(history, &now), 0);
}

static void short_runs_are_kept_whole(void **state)
{
    (void)state;
    imsat_history *history = NULL;
    assert_ok(imsat_history_new(&history, NULL), NULL);
    for (size_t epoch = 1; epoch <= 7; epoch++)
        tell(history, 2, epoch);
    assert_int_equal(history->runs, 3);
    assert_int_equal(history->run[0].count, 0);
    assert_int_equal(history->run[2].count, 7);
    assert_near(history->run[2].epoch[6], 7, 0);
    assert_near(history->run[2].value[IM_HISTORY_OBJECTIVE][6], 70, 0);
    assert_near(history->run[2].value[IMSAT_TERM_SAT][6], 3.5, 0);
    imsat_history_free(history);
}

/* Evenly, and to the end, whatever the number of epochs. */
static void long_runs_are_thinned(void **state)
{
    (void)state;
    for (size_t epochs = 100; epochs <= 5000; epochs += 379) {
        imsat_history *history = NULL;
        assert_ok(imsat_history_new(&history, NULL), NULL);
        for (size_t epoch = 1; epoch <= epochs; epoch++)
            tell(history, 0, epoch);
        const im_history_run *run = &history->run[0];
        assert_true(run->count <= IM_HISTORY_POINTS);
        assert_true(run->count >= 50);
        for (size_t i = 0; i < run->count; i++)
            assert_near(run->epoch[i], (double)((i + 1) * run->every), 0);
        assert_true(run->epoch[run->count - 1] > (double)(epochs - run->every));
        imsat_history_free(history);
    }
}

static void what_is_no_epoch_is_left_alone(void **state)
{
    (void)state;
    imsat_history *history = NULL;
    const imsat_progress between = {.stage = "train", .fraction = 0.5};
    assert_ok(imsat_history_new(&history, NULL), NULL);
    assert_int_equal(imsat_history_take(history, &between), 0);
    assert_int_equal(imsat_history_take(NULL, &between), 0);
    tell(history, IM_HISTORY_RUNS, 1);
    assert_int_equal(history->runs, 0);
    imsat_history_free(history);
    imsat_history_free(NULL);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    imsat_history *history = NULL;
    (void)context;
    const imsat_status st = imsat_history_new(&history, err);
    imsat_history_free(history);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_each(try_once, NULL), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_runs_are_kept_whole),
        cmocka_unit_test(long_runs_are_thinned),
        cmocka_unit_test(what_is_no_epoch_is_left_alone),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
