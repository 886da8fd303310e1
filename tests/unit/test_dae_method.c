/* SPDX-License-Identifier: MIT
 * Auto-encoder and k-means as a method, and DEC on it: stopped anywhere and resumed, with
 * other threads, and from a model that has the auto-encoder already, the file is the same;
 * what runs share is trained once; what cannot be is refused. */
#include "blobs.h"
#include "failing_alloc.h"
#include "support.h"

#include "model/model.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 1 << 17 };

static char one[ROOM], two[ROOM];

static imsat_options short_options(const char *method)
{
    imsat_options opt = blobs_options(method);
    opt.epochs = 4;
    opt.runs = 2;
    opt.checkpoint_every = 5;
    opt.step_size = 8; /* too high at first, so that all begins again */
    if (imsat_option_used(imsat_option_named("interval"), method, opt.task))
        opt.interval = 7;
    return opt;
}

/* Counts calls, and stops at one of them. */
static size_t calls_of(const imsat_data *data, const imsat_options *options)
{
    imsat_error err;
    imsat_model *model = NULL;
    blobs_stop count = {0, 0};
    imsat_options opt = *options;
    opt.progress = blobs_stop_after;
    opt.progress_user = &count;
    assert_ok(imsat_cluster(&model, data, &opt, NULL, &err), &err);
    imsat_model_free(model);
    return count.calls;
}

/* In each stage of the auto-encoder, in k-means, and in each part of DEC. */
static void a_stop_changes_no_bit(void **state)
{
    const char *method = *state;
    imsat_data *data = blobs_open();
    const imsat_options whole = short_options(method);
    const size_t calls = calls_of(data, &whole);
    const size_t size = blobs_model_bytes(data, &whole, "one", one, ROOM);
    assert_true(size > 1000 && size < ROOM);
    for (size_t stop_at = 3; stop_at < calls; stop_at += calls / 9) {
        imsat_options opt;
        blobs_interrupt(&opt, data, &whole, stop_at);
        assert_int_equal(blobs_model_bytes(data, &opt, "two", two, ROOM), size);
        assert_memory_equal(one, two, size);
    }
    imsat_data_free(data);
}

/* The runs share what is made once: a run costs little after the first. */
static int count_epochs(void *user, const imsat_progress *progress)
{
    *(size_t *)user += progress->epoch_done != 0;
    return 0;
}

/* Epochs that are done in training, from the first to the last beginning. */
static void too_high_a_rate_is_halved(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_error err;
    imsat_model *model = NULL;
    size_t epochs[2] = {0, 0};
    for (size_t high = 0; high < 2; high++) {
        imsat_options opt = short_options("dae-kmeans");
        opt.epochs = 20;
        opt.step_size = high ? 64 : 0.1;
        opt.progress = count_epochs;
        opt.progress_user = &epochs[high];
        assert_ok(imsat_cluster(&model, data, &opt, NULL, &err), &err);
        imsat_model_free(model);
    }
    assert_int_equal(epochs[0], 20 + 3 * 10);
    assert_true(epochs[1] > epochs[0]);
    imsat_data_free(data);
}

static void runs_share_the_auto_encoder(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_error err;
    imsat_model *model = NULL;
    size_t epochs[2] = {0, 0};
    for (size_t more = 0; more < 2; more++) {
        imsat_options opt = short_options("dae-kmeans");
        opt.runs = 1 + more;
        opt.step_size = 0.1;
        opt.progress = count_epochs;
        opt.progress_user = &epochs[more];
        assert_ok(imsat_cluster(&model, data, &opt, NULL, &err), &err);
        imsat_model_free(model);
    }
    assert_int_equal(epochs[0], 4 + 3 * 2); /* three pairs of layers, half as long each */
    assert_int_equal(epochs[1], epochs[0]);
    imsat_data_free(data);
}

static void a_model_is_a_start(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    const imsat_options first = short_options("dae-kmeans");
    imsat_options opt = short_options("dec");
    blobs_model_bytes(data, &first, "start", one, ROOM);
    const size_t size = blobs_model_bytes(data, &opt, "one", one, ROOM);
    opt.start = in_folder("start");
    const size_t calls = calls_of(data, &opt);
    assert_int_equal(blobs_model_bytes(data, &opt, "two", two, ROOM), size);
    assert_memory_equal(one, two, size);
    opt.start = NULL;
    assert_true(calls < calls_of(data, &opt));
    imsat_data_free(data);
}

static void refuse_start(const imsat_data *data, const imsat_options *opt, imsat_status status,
                         const char *part)
{
    imsat_error err;
    imsat_model *model = NULL;
    assert_refused(imsat_cluster(&model, data, opt, NULL, &err), &err, status, part);
}

static void other_starts_are_refused(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    const imsat_options first = short_options("dae-kmeans"), plain = blobs_options("kmeans");
    imsat_options opt = short_options("dec");
    blobs_model_bytes(data, &first, "start", one, ROOM);
    blobs_model_bytes(data, &plain, "plain", one, ROOM);
    opt.start = in_folder("missing");
    refuse_start(data, &opt, IMSAT_EIO, "missing");
    opt.start = in_folder("plain");
    refuse_start(data, &opt, IMSAT_EMISMATCH, "has no auto-encoder to start from");
    opt.start = in_folder("start");
    opt.code = 4;
    refuse_start(data, &opt, IMSAT_EMISMATCH, "other layers");
    opt.code = first.code;
    opt.hidden[1]++;
    refuse_start(data, &opt, IMSAT_EMISMATCH, "other layers");
    opt.hidden[1]--;
    opt.scale = 2;
    opt.center = 0;
    refuse_start(data, &opt, IMSAT_EMISMATCH, "prepared in another way");
    opt = plain;
    opt.start = in_folder("start");
    refuse_start(data, &opt, IMSAT_EINVAL, "start is set");
    imsat_data_free(data);
}

static void divergence_is_told(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options opt = short_options("dae-kmeans");
    opt.step_size = 1e30;
    refuse_start(data, &opt, IMSAT_EINVAL, "lower --step-size");
    imsat_data_free(data);
}

typedef struct one_run {
    imsat_data *data;
    const char *method;
} one_run;

static imsat_status run_once(void *context, imsat_error *err)
{
    const one_run *run = context;
    imsat_model *model = NULL;
    imsat_options opt = short_options(run->method);
    opt.epochs = 1;
    opt.runs = 1;
    opt.hidden_count = 1;
    opt.hidden[0] = 7;
    opt.batch = 203; /* one step an epoch */
    opt.restarts = 1;
    opt.threads = 1;
    opt.checkpoint = in_folder("failing");
    remove(opt.checkpoint);
    const imsat_status st = imsat_cluster(&model, run->data, &opt, NULL, err);
    if (st != IMSAT_OK)
        assert_null(model);
    imsat_model_free(model);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    one_run run = {blobs_open(), *state};
    assert_true(fail_each(run_once, &run) > 50);
    imsat_data_free(run.data);
}

int main(void)
{
    static char dae[] = "dae-kmeans", dec[] = "dec";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_stop_changes_no_bit, dae),
        cmocka_unit_test_prestate(a_stop_changes_no_bit, dec),
        cmocka_unit_test(runs_share_the_auto_encoder),
        cmocka_unit_test(too_high_a_rate_is_halved),
        cmocka_unit_test(a_model_is_a_start),
        cmocka_unit_test(other_starts_are_refused),
        cmocka_unit_test(divergence_is_told),
        cmocka_unit_test_prestate(every_allocation_may_fail, dae),
        cmocka_unit_test_prestate(every_allocation_may_fail, dec),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
