/* SPDX-License-Identifier: MIT
 * The course of a training: it stays small, is the same wherever the training was interrupted,
 * and of a file nothing is taken that no training leaves. */
#include "train/history.h"

#include "failing_alloc.h"
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAT (1U << IMSAT_TERM_SAT)

static im_history *made(size_t runs)
{
    im_history *history = NULL;
    imsat_error err;
    assert_ok(im_history_new(&history, runs, SAT, &err), &err);
    return history;
}

static void tell(im_history *history, size_t run, size_t epoch)
{
    const double term[IMSAT_TERMS] = {[IMSAT_TERM_SAT] = (double)epoch / 2};
    const imsat_progress now = {.stage = "train",
                                .run = run,
                                .epoch = epoch,
                                .epoch_done = 1,
                                .objective = (double)(10 * epoch + run),
                                .term = term};
    im_history_take(history, &now);
}

/* Epochs from first to last of a run that has begun. */
static void train(im_history *history, size_t run, size_t first, size_t last)
{
    for (size_t epoch = first; epoch <= last; epoch++)
        tell(history, run, epoch);
}

static void short_runs_are_kept_whole(void **state)
{
    (void)state;
    im_history *history = made(3);
    const imsat_history *about = &history->about;
    for (size_t run = 0; run < 3; run++) {
        im_history_begin(history, run, 0);
        train(history, run, 1, 5 + run);
    }
    assert_int_equal(about->count, 5 + 6 + 7);
    assert_int_equal(about->run[11], 2);
    assert_int_equal(about->epoch[11], 1);
    assert_int_equal(about->epoch[17], 7);
    assert_near((double)about->objective[17], 72, 0);
    assert_near((double)about->term[IMSAT_TERM_SAT][17], 3.5, 0);
    assert_null(about->term[IMSAT_TERM_DECAY]);
    im_history_free(history);
}

/* Evenly, and to the end, whatever the number of epochs. */
static void long_runs_are_thinned(void **state)
{
    (void)state;
    for (size_t epochs = 100; epochs <= 5000; epochs += 379) {
        im_history *history = made(1);
        const imsat_history *about = &history->about;
        im_history_begin(history, 0, 0);
        train(history, 0, 1, epochs);
        const size_t every = about->epoch[0];
        assert_true(about->count <= IM_HISTORY_POINTS);
        assert_true(about->count >= 50);
        for (size_t i = 0; i < about->count; i++) {
            assert_int_equal(about->epoch[i], (i + 1) * every);
            assert_near((double)about->objective[i], 10.0 * (double)about->epoch[i], 0);
        }
        assert_true(about->epoch[about->count - 1] > epochs - every);
        im_history_free(history);
    }
}

/* The first 18, the best and the last, whichever is the best. */
static void of_many_runs_some_are_kept(void **state)
{
    (void)state;
    enum { RUNS = 31 };
    const size_t bests[] = {3, 18, 19, 20, 25, 30};
    for (size_t b = 0; b < sizeof bests / sizeof *bests; b++) {
        const size_t best = bests[b];
        im_history *history = made(RUNS);
        for (size_t run = 0; run < RUNS; run++) {
            im_history_begin(history, run, run > best ? best : 0);
            train(history, run, 1, 2 + run % 3);
        }
        size_t held = 0, seen[RUNS] = {0};
        for (size_t i = 0; i < history->about.count; i++) {
            held += seen[history->run[i]]++ == 0;
            assert_near((double)history->objective[i],
                        10.0 * (double)history->epoch[i] + (double)history->run[i], 0);
        }
        assert_int_equal(held, IM_HISTORY_RUNS);
        assert_int_equal(seen[best], 2 + best % 3);
        assert_int_equal(seen[RUNS - 1], 2 + (RUNS - 1) % 3);
        for (size_t run = 0; run < IM_HISTORY_RUNS - 2; run++)
            assert_int_equal(seen[run], 2 + run % 3);
        im_history_free(history);
    }
}

/* An auto-encoder that begins anew, and one that was only a beginning. */
static void what_begins_again_is_dropped(void **state)
{
    (void)state;
    im_history *history = made(2);
    im_history_begin(history, 0, 0);
    train(history, 0, 1, 300);
    train(history, 0, 1, 9);
    assert_int_equal(history->about.count, 9);
    assert_int_equal(history->epoch[8], 9);
    im_history_begin(history, 1, 0);
    train(history, 1, 1, 4);
    im_history_restart(history);
    assert_int_equal(history->about.count, 9);
    im_history_free(history);
}

static void what_is_no_epoch_is_left_alone(void **state)
{
    (void)state;
    im_history *history = made(1);
    const imsat_progress between = {.stage = "train", .fraction = 0.5};
    im_history_begin(history, 0, 0);
    im_history_take(history, &between);
    im_history_take(NULL, &between);
    tell(history, 0, (size_t)UINT32_MAX + 2);
    assert_int_equal(history->about.count, 0);
    im_history_free(history);
    im_history_free(NULL);
}

/* Files hold finite numbers alone. */
static void numbers_beyond_float_are_its_largest(void **state)
{
    (void)state;
    im_history *history = made(1);
    const double term[IMSAT_TERMS] = {[IMSAT_TERM_SAT] = -(double)INFINITY};
    const imsat_progress now = {.epoch = 1, .epoch_done = 1, .objective = 1e300, .term = term};
    im_history_begin(history, 0, 0);
    im_history_take(history, &now);
    assert_near((double)history->objective[0], (double)FLT_MAX, 0);
    assert_near((double)history->term[IMSAT_TERM_SAT][0], -(double)FLT_MAX, 0);
    im_history_free(history);
}

/* ---- files -------------------------------------------------------------------------- */

static void put(im_safetensors *file, const im_history *history)
{
    imsat_error err;
    assert_ok(im_history_record(file, history, &err), &err);
    assert_ok(im_history_add(file, history, &err), &err);
}

static void assert_same(const imsat_history *a, const imsat_history *b)
{
    assert_int_equal(a->count, b->count);
    const size_t bytes = a->count * sizeof(float);
    assert_memory_equal(a->run, b->run, bytes);
    assert_memory_equal(a->epoch, b->epoch, bytes);
    assert_memory_equal(a->objective, b->objective, bytes);
    assert_memory_equal(a->term[IMSAT_TERM_SAT], b->term[IMSAT_TERM_SAT], bytes);
}

/* The third run of 300 epochs, interrupted after each. */
static void it_goes_on_where_it_was_interrupted(void **state)
{
    (void)state;
    enum { EPOCHS = 300 };
    imsat_error err;
    im_history *whole = made(3);
    for (size_t run = 0; run < 3; run++) {
        im_history_begin(whole, run, 1);
        train(whole, run, 1, EPOCHS);
    }
    for (size_t cut = 0; cut <= EPOCHS; cut++) {
        im_history *before = made(3), *after = made(3);
        im_safetensors file = {0};
        for (size_t run = 0; run < 3; run++) {
            im_history_begin(before, run, 1);
            train(before, run, 1, run < 2 ? EPOCHS : cut);
        }
        put(&file, before);
        assert_ok(im_history_read(after, &file, "file", 3, &err), &err);
        im_history_begin(after, 2, 1);
        train(after, 2, cut + 1, EPOCHS);
        assert_same(&after->about, &whole->about);
        im_safetensors_clear(&file);
        im_history_free(before);
        im_history_free(after);
    }
    im_history_free(whole);
}

static void a_file_has_all_of_it_or_nothing(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0}, empty = {0};
    im_history *history = made(2), *loaded = NULL;
    put(&empty, history);
    put(&empty, NULL);
    assert_int_equal(empty.count + empty.entries, 0);
    assert_ok(im_history_load(&loaded, &empty, "file", &err), &err);
    assert_null(loaded);
    im_history_begin(history, 1, 0);
    train(history, 1, 1, 200);
    put(&file, history);
    assert_int_equal(file.count, 4);
    assert_ok(im_history_load(&loaded, &file, "file", &err), &err);
    assert_same(&loaded->about, &history->about);
    assert_null(loaded->about.term[IMSAT_TERM_MARG_ENTROPY]);
    im_history_free(loaded);
    im_history_free(history);
    im_safetensors_clear(&file);
}

/* One number of a column is another, or the count is. */
typedef struct change {
    const char *column;
    size_t at;
    double number;
    const char *why;
} change;

static void apply(im_history *h, const change *c)
{
    if (strcmp(c->column, "run") == 0)
        h->run[c->at] = (uint32_t)c->number;
    else if (strcmp(c->column, "epoch") == 0)
        h->epoch[c->at] = (uint32_t)c->number;
    else if (strcmp(c->column, "sat") == 0)
        h->term[IMSAT_TERM_SAT][c->at] = (float)c->number;
    else
        h->about.count = (size_t)c->number;
}

static void what_no_training_leaves_is_refused(void **state)
{
    (void)state;
    const change changes[] = {
        {"run", 1, 1, "element 2 of history.run is 0; runs must be in order, and at most 20"},
        {"run", 5, 3, "element 5 of history.run is 3, and must be below 3"},
        {"epoch", 0, 0, "element 0 of history.epoch is 0, and must be 1 or more"},
        {"epoch", 1, 3, "element 1 of history.epoch is 3; epochs of a run must be evenly"},
        {"epoch", 5, 2, "element 5 of history.epoch is 2; epochs of a run"},
        {"sat", 4, (double)NAN, "element 4 of history.sat is nan, and must be finite"},
        {"sat", 0, -(double)INFINITY, "element 0 of history.sat is -inf, and must be finite"},
        {"count", 0, 3 * IM_HISTORY_POINTS + 1, "\"history.points\" is 385"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        im_history *history = made(4), *into = made(3);
        im_safetensors file = {0};
        imsat_error err;
        for (size_t run = 0; run < 2; run++) {
            im_history_begin(history, run, 0);
            train(history, run, 1, 3);
        }
        apply(history, &changes[i]);
        put(&file, history);
        assert_refused(im_history_read(into, &file, "file", 3, &err), &err, IMSAT_EFORMAT,
                       changes[i].why);
        assert_non_null(strstr(err.message, "file: "));
        im_safetensors_clear(&file);
        im_history_free(history);
        im_history_free(into);
    }
}

static void too_much_is_refused(void **state)
{
    (void)state;
    enum { LONG = IM_HISTORY_POINTS + 1, MANY = IM_HISTORY_RUNS + 1 };
    imsat_error err;
    im_history *history = made(MANY), *loaded = NULL;
    im_safetensors deep = {0}, wide = {0};
    for (size_t i = 0; i < LONG; i++)
        history->epoch[i] = (uint32_t)i + 1;
    history->about.count = LONG;
    put(&deep, history);
    assert_refused(im_history_load(&loaded, &deep, "file", &err), &err, IMSAT_EFORMAT,
                   "element 128 of history.epoch is 129; epochs of a run must be evenly "
                   "spread, and at most 128");
    for (size_t i = 0; i < MANY; i++) {
        history->run[i] = (uint32_t)i;
        history->epoch[i] = 1;
    }
    history->about.count = MANY;
    put(&wide, history);
    assert_refused(im_history_load(&loaded, &wide, "file", &err), &err, IMSAT_EFORMAT,
                   "element 20 of history.run is 20; runs must be in order, and at most 20");
    assert_null(loaded);
    im_safetensors_clear(&deep);
    im_safetensors_clear(&wide);
    im_history_free(history);
}

static void columns_of_another_shape_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    im_history *history = made(1), *loaded = NULL;
    im_safetensors file = {0}, short_of = {0};
    const size_t two = 2;
    im_history_begin(history, 0, 0);
    train(history, 0, 1, 3);
    assert_ok(im_history_record(&file, history, &err), &err);
    assert_refused(im_history_load(&loaded, &file, "file", &err), &err, IMSAT_EFORMAT,
                   "tensor 'history.run' is missing");
    put(&short_of, history);
    assert_ok(im_safetensors_add(&short_of, "history.decay", IM_TENSOR_F32, history->objective,
                                 1, &two, &err),
              &err);
    assert_ok(im_safetensors_set(&short_of, "history.terms", "sat of_later decay", &err),
              &err);
    assert_refused(im_history_load(&loaded, &short_of, "file", &err), &err, IMSAT_EFORMAT,
                   "tensor 'history.decay' is F32 (2), and must be F32 (3)");
    im_safetensors_clear(&file);
    im_safetensors_clear(&short_of);
    im_history_free(history);
}

/* From a file, and back to another. */
static imsat_status try_once(void *context, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    im_history *history = NULL, *loaded = NULL;
    IM_TRY(im_history_new(&history, 2, SAT, err));
    IM_TRY(im_history_load(&loaded, context, "file", err));
    IM_TRY(im_history_record(&file, loaded, err));
    IM_TRY(im_history_add(&file, loaded, err));
    assert_string_equal(im_safetensors_value(&file, "history.terms"), "sat");

cleanup:
    im_safetensors_clear(&file);
    im_history_free(history);
    im_history_free(loaded);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    im_history *history = made(2);
    im_safetensors file = {0};
    im_history_begin(history, 0, 0);
    train(history, 0, 1, 3);
    put(&file, history);
    assert_true(fail_each(try_once, &file) > 10);
    im_safetensors_clear(&file);
    im_history_free(history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_runs_are_kept_whole),
        cmocka_unit_test(long_runs_are_thinned),
        cmocka_unit_test(of_many_runs_some_are_kept),
        cmocka_unit_test(what_begins_again_is_dropped),
        cmocka_unit_test(what_is_no_epoch_is_left_alone),
        cmocka_unit_test(numbers_beyond_float_are_its_largest),
        cmocka_unit_test(it_goes_on_where_it_was_interrupted),
        cmocka_unit_test(a_file_has_all_of_it_or_nothing),
        cmocka_unit_test(what_no_training_leaves_is_refused),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(columns_of_another_shape_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
