/* SPDX-License-Identifier: MIT
 *
 * Rows of a file that becomes shorter while they are predicted, measured or learned from
 * (support/losing.h). Nothing is written of what was made of the zeros in their place. tsan:
 * pieces_that_were_handed_over_are_right. */
#define _GNU_SOURCE
#include "blobs.h"
#include "data_files.h"
#include "imsat/process.h"
#include "losing.h"
#include "process.h"

#include "core/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Fewer than ROWS would have no approximate radius; trainings have the first FEW. */
enum { ROWS = 2311, FEW = 601, DIM = 6, K = 3, THREADS = 3 /* more than one */ };

static float x[ROWS * DIM];
static char state_path[300], rows_path[300], few_path[300];

static imsat_options short_options(const char *method)
{
    imsat_options opt;
    imsat_options_init(&opt, method, IMSAT_PRESET_DEFAULT);
    opt.k = K;
    opt.threads = THREADS;
    blobs_set(&opt, "restarts", "2");
    blobs_set(&opt, "iterations", "5");
    blobs_set(&opt, "epochs", "2");
    blobs_set(&opt, "hidden", "50,20"); /* blocks of units for all threads */
    return opt;
}

static int make_files(void **state)
{
    imsat_error err;
    imsat_data *view = NULL;
    imsat_model *trained = NULL;
    const imsat_options opt = short_options("deep-rim");
    folder_setup(state);
    snprintf(state_path, sizeof state_path, "%s", in_folder("state"));
    snprintf(rows_path, sizeof rows_path, "%s", in_folder("rows.npy"));
    snprintf(few_path, sizeof few_path, "%s", in_folder("few.npy"));
    for (size_t i = 0; i < ROWS; i++) {
        im_rng_normals(x + i * DIM, DIM, (im_rng){7, IM_STREAM_INIT, 1, 0}, (uint32_t)i);
        x[i * DIM + i % K] += 5;
    }
    assert_ok(imsat_npy_write_float(rows_path, x, ROWS, DIM, &err), &err);
    assert_ok(imsat_npy_write_float(few_path, x, FEW, DIM, &err), &err);
    assert_ok(imsat_data_view(&view, x, FEW, DIM, DIM, &err), &err);
    assert_ok(imsat_cluster(&trained, view, &opt, NULL, &err), &err);
    assert_ok(imsat_model_save(trained, in_folder("model"), &err), &err);
    imsat_model_free(trained);
    imsat_data_free(view);
    return 0;
}

/* ---- the calls ------------------------------------------------------------------------ */

static imsat_data *data;
static imsat_model *model;

static void open_data(const char *path)
{
    if (imsat_data_open(&data, &path, 1, NULL, NULL) != IMSAT_OK ||
        imsat_model_load(&model, in_folder("model"), NULL) != IMSAT_OK)
        abort();
}

static void have_data(void)
{
    open_data(rows_path);
}

static void have_few(void)
{
    open_data(few_path);
}

static void drop_data(void)
{
    imsat_data_free(data);
    imsat_model_free(model);
    data = NULL;
    model = NULL;
    unlink(state_path);
}

static imsat_status read_rows(imsat_error *err)
{
    static float all[ROWS * DIM];
    const imsat_status st = imsat_data_read(data, 5, ROWS - 5, all, err);
    if (st == IMSAT_OK)
        losing_give(all, sizeof all);
    return st;
}

static imsat_status predict_with(int threads, imsat_error *err)
{
    static int32_t found[ROWS];
    static float proba[ROWS * K];
    const imsat_status st = imsat_predict(model, data, found, proba, threads, err);
    if (st == IMSAT_OK) {
        losing_give(found, sizeof found);
        losing_give(proba, sizeof proba);
    }
    return st;
}

static imsat_status predict_alone(imsat_error *err)
{
    return predict_with(1, err);
}

static imsat_status predict(imsat_error *err)
{
    return predict_with(THREADS, err);
}

static imsat_status radius_by(imsat_radius_method method, imsat_error *err)
{
    static float radius[ROWS];
    imsat_options opt = short_options("imsat-vat");
    opt.radius_method = method;
    memset(radius, 0x11, sizeof radius);
    const float before = radius[ROWS / 2];
    const imsat_status st = imsat_neighbor_radius(radius, NULL, data, &opt, err);
    if (st == IMSAT_OK)
        losing_give(radius, sizeof radius);
    else if (memcmp(&before, &radius[ROWS / 2], sizeof before) != 0)
        abort(); /* on failure outputs are as they were */
    return st;
}

static imsat_status exact_radius(imsat_error *err)
{
    return radius_by(IMSAT_RADIUS_EXACT, err);
}

static imsat_status approx_radius(imsat_error *err)
{
    return radius_by(IMSAT_RADIUS_APPROX, err);
}

static imsat_status learn(const imsat_options *opt, imsat_error *err)
{
    imsat_result *result = NULL;
    imsat_model *learned = NULL;
    const imsat_status st = imsat_cluster(&learned, data, opt, &result, err);
    if (st == IMSAT_OK)
        losing_give(result->labels, FEW * sizeof *result->labels);
    else if (learned || result)
        abort();
    imsat_result_free(result);
    imsat_model_free(learned);
    return st;
}

static imsat_status kmeans(imsat_error *err)
{
    const imsat_options opt = short_options("kmeans");
    return learn(&opt, err);
}

static imsat_status train(imsat_error *err)
{
    const imsat_options opt = short_options("imsat-vat");
    return learn(&opt, err);
}

/* A run that stops after its first epoch leaves a checkpoint, and another goes on from it. */
static int stop_at_once(void *user, const imsat_progress *progress)
{
    (void)user;
    return progress->epoch_done;
}

static void have_checkpoint(void)
{
    imsat_options opt = short_options("deep-rim");
    have_few();
    opt.checkpoint = state_path;
    opt.progress = stop_at_once;
    if (imsat_cluster(&model, data, &opt, NULL, NULL) != IMSAT_ESTOPPED)
        abort();
}

static imsat_status resume(imsat_error *err)
{
    imsat_options opt = short_options("deep-rim");
    opt.checkpoint = state_path;
    opt.resume = 1;
    return learn(&opt, err);
}

static void nothing_wrong_gets_out(void **state)
{
    (void)state;
    static const losing_call calls[] = {
        {"read rows", have_data, read_rows, drop_data, "rows.npy", true},
        {"predict, 1 thread", have_data, predict_alone, drop_data, "rows.npy", true},
        {"predict", have_data, predict, drop_data, "rows.npy", true},
        {"exact radius", have_data, exact_radius, drop_data, "rows.npy", true},
        {"approximate radius", have_data, approx_radius, drop_data, "rows.npy", true},
        {"k-means", have_few, kmeans, drop_data, "few.npy", true},
        {"train", have_few, train, drop_data, "few.npy", true},
        {"resume", have_checkpoint, resume, drop_data, "few.npy", true},
        {"resume, the checkpoint", have_checkpoint, resume, drop_data, "state", true},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        losing_try(&calls[i]);
    unlink(state_path);
}

/* ---- in the caller's functions ------------------------------------------------------------
 */

/* The pieces that are handed over before and after the loss. */
static size_t handed_over;
static bool handed_right;

static int take(void *user, const imsat_piece *piece)
{
    const int32_t *all = user;
    handed_right = handed_right &&
                   memcmp(all + piece->first, piece->labels, piece->count * sizeof *all) == 0;
    handed_over += piece->count;
    losing_lose();
    return 0;
}

enum { MANY = 100000 };

static int lose_in_a_stream(const void *all)
{
    imsat_error err = {{0}};
    imsat_data *many = NULL;
    const char *path = in_folder("many.npy");
    losing_choose(path, 5000);
    imsat_guard_maps();
    have_data();
    if (imsat_data_open(&many, &path, 1, NULL, &err) != IMSAT_OK)
        return LOSING_UNCLEAR;
    handed_right = true;
    const imsat_status st =
        imsat_predict_stream(model, many, take, (void *)(uintptr_t)all, THREADS, &err);
    if (!handed_right || handed_over == 0 || handed_over == MANY)
        return LOSING_WRONG;
    return (int)losing_judge(st, &err);
}

static void pieces_that_were_handed_over_are_right(void **state)
{
    (void)state;
    imsat_error err;
    const size_t bytes = (size_t)MANY * DIM * sizeof(float);
    float *rows = test_malloc(bytes);
    int32_t *all = test_malloc(MANY * sizeof *all);
    imsat_data *view = NULL;
    for (size_t i = 0; i < (size_t)MANY * DIM; i++)
        rows[i] = x[i % (ROWS * DIM)];
    have_data();
    assert_ok(imsat_data_view(&view, rows, MANY, DIM, DIM, &err), &err);
    assert_ok(imsat_predict(model, view, all, NULL, 1, &err), &err);
    assert_ok(imsat_npy_write_float(in_folder("many.npy"), rows, MANY, DIM, &err), &err);
    assert_int_equal(process_run(lose_in_a_stream, all), LOSING_SHORTER);
    imsat_data_free(view);
    drop_data();
    test_free(all);
    test_free(rows);
}

/* Lose the data in the n-th call. */
static int lose_later(void *user, const imsat_progress *progress)
{
    size_t *calls_left = user;
    (void)progress;
    if (--*calls_left == 0)
        losing_lose();
    return 0;
}

/* A training that would take a year, with a checkpoint after every epoch. */
static imsat_options long_options(imsat_progress_fn progress, void *user)
{
    imsat_options opt = short_options("imsat-vat");
    opt.epochs = 1000000;
    opt.checkpoint = state_path;
    opt.checkpoint_every = 1;
    opt.progress = progress;
    opt.progress_user = user;
    return opt;
}

typedef struct loss {
    size_t calls;    /* of progress, before it */
    bool checkpoint; /* there is one; without, nothing else would end the training */
} loss;

static int lose_in_training(const void *context)
{
    const loss *l = context;
    size_t calls_left = l->calls;
    imsat_error err = {{0}};
    imsat_options opt = long_options(lose_later, &calls_left);
    if (!l->checkpoint)
        opt.checkpoint = NULL;
    alarm(120);
    imsat_guard_maps();
    losing_choose(few_path, 4096);
    have_few();
    const int end = (int)losing_judge(learn(&opt, &err), &err);
    if (end != LOSING_SHORTER)
        fprintf(stderr, "%s\n", err.message);
    return end;
}

/* Stop when an epoch is done: the n-th, or if n is 0, as soon as a training goes on, and say
 * which was the last one before. */
static int stop_after(void *user, const imsat_progress *progress)
{
    size_t *n = user;
    if (*n)
        return progress->epoch_done && progress->epoch == *n;
    *n = progress->epoch;
    return *n > 0;
}

/* Train on the whole data, and stop; see stop_after(). */
static size_t train_and_stop(size_t n, int resume_it)
{
    imsat_error err;
    imsat_options opt = long_options(stop_after, &n);
    opt.resume = resume_it;
    have_few();
    imsat_model *none = NULL;
    assert_refused(imsat_cluster(&none, data, &opt, NULL, &err), &err, IMSAT_ESTOPPED, "stop");
    imsat_data_free(data);
    imsat_model_free(model);
    return n;
}

/* A checkpoint of what was made of zeros is not written: the one that is there, if any, is to
 * the bit that of an epoch on the whole data. */
static bool kept_a_checkpoint(void)
{
    static unsigned char kept[LOSING_ROOM], clean[LOSING_ROOM];
    if (access(state_path, F_OK) != 0)
        return false;
    const size_t size = read_file(state_path, kept, LOSING_ROOM);
    const size_t epoch = train_and_stop(0, 1);
    assert_true(epoch > 0);
    unlink(state_path);
    train_and_stop(epoch, 0);
    assert_int_equal(read_file(state_path, clean, LOSING_ROOM), size);
    assert_memory_equal(kept, clean, size);
    unlink(state_path);
    return true;
}

static void training_ends_soon(void **state)
{
    (void)state;
    static unsigned char bytes[LOSING_ROOM];
    const size_t size = read_file(few_path, bytes, LOSING_ROOM);
    size_t kept = 0;
    for (size_t n = 1; n < 2000; n = 4 * n + 3) {
        assert_int_equal(process_run(lose_in_training, &(loss){n, false}), LOSING_SHORTER);
        write_file(few_path, bytes, size);
        assert_int_equal(process_run(lose_in_training, &(loss){n, true}), LOSING_SHORTER);
        write_file(few_path, bytes, size);
        kept += kept_a_checkpoint();
    }
    assert_true(kept > 0); /* of late losses */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_wrong_gets_out),
        cmocka_unit_test(pieces_that_were_handed_over_are_right),
        cmocka_unit_test(training_ends_soon),
    };
    return cmocka_run_group_tests_name("lost rows", tests, make_files, folder_teardown);
}
