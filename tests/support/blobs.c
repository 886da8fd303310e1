/* SPDX-License-Identifier: MIT
 * See blobs.h. */
#include "blobs.h"

#include "data_files.h"
#include "failing_alloc.h"
#include "support.h"

#include "model/check.h"
#include "train/step.h"

#include <stdio.h>
#include <string.h>

static float x[BLOB_ROWS * BLOB_DIM];

static void fill_blobs(void)
{
    for (size_t i = 0; i < BLOB_ROWS; i++) {
        float *row = x + i * BLOB_DIM;
        im_rng_normals(row, BLOB_DIM, (im_rng){3, IM_STREAM_INIT, 1, 0}, (uint32_t)i);
        row[i % BLOB_K] += 9;
    }
}

imsat_data *blobs_open(void)
{
    imsat_error err;
    imsat_data *data = NULL;
    fill_blobs();
    assert_ok(imsat_data_view(&data, x, BLOB_ROWS, BLOB_DIM, BLOB_DIM, &err), &err);
    return data;
}

imsat_data *blobs_open_images(void)
{
    imsat_error err;
    imsat_data *data = NULL;
    char header[80];
    const imsat_data_options options = {.image = {2, 3, 1}};
    fill_blobs();
    snprintf(header, sizeof header,
             "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", BLOB_ROWS,
             BLOB_DIM);
    const char *path = file_npy("blobs.npy", header, x, sizeof x);
    assert_ok(imsat_data_open(&data, &path, 1, &options, &err), &err);
    return data;
}

void blobs_set(imsat_options *opt, const char *name, const char *text)
{
    imsat_error err;
    if (imsat_option_used(imsat_option_named(name), opt->method, opt->task))
        assert_ok(imsat_options_set(opt, name, text, &err), &err);
}

static void make_short(imsat_options *opt)
{
    opt->threads = 2;
    blobs_set(opt, "epochs", "12");
    blobs_set(opt, "batch", "40");
    blobs_set(opt, "hidden", "30,21");
    blobs_set(opt, "restarts", "3");
    blobs_set(opt, "code", "5");
}

imsat_options blobs_options(const char *method)
{
    imsat_options opt;
    imsat_options_init(&opt, method, IMSAT_PRESET_DEFAULT);
    opt.k = BLOB_K;
    make_short(&opt);
    return opt;
}

imsat_options blobs_hash_options(const char *method)
{
    imsat_options opt;
    imsat_options_init_hash(&opt, method, IMSAT_PRESET_DEFAULT);
    opt.bits = BLOB_BITS;
    make_short(&opt);
    return opt;
}

static imsat_status train(imsat_model **model, const imsat_data *data,
                          const imsat_options *options, imsat_error *err)
{
    return options->task == IMSAT_TASK_HASH ? imsat_hash(model, data, options, NULL, err)
                                            : imsat_cluster(model, data, options, NULL, err);
}

size_t blobs_model_bytes(const imsat_data *data, const imsat_options *options,
                         const char *name, char *bytes, size_t room)
{
    imsat_error err;
    imsat_model *model = NULL;
    assert_ok(train(&model, data, options, &err), &err);
    assert_ok(imsat_model_save(model, in_folder(name), &err), &err);
    imsat_model_free(model);
    return read_file(in_folder(name), bytes, room);
}

int blobs_stop_after(void *user, const imsat_progress *progress)
{
    blobs_stop *stop = user;
    if (strcmp(progress->stage, "prepare") == 0 || strcmp(progress->stage, "radius") == 0)
        return 0;
    return ++stop->calls == stop->stop_at;
}

void blobs_interrupt(imsat_options *resumed, const imsat_data *data,
                     const imsat_options *options, size_t stop_at)
{
    imsat_error err;
    imsat_model *model = NULL;
    blobs_stop stop = {0, stop_at};
    imsat_options opt = *options;
    opt.checkpoint = in_folder("checkpoint");
    opt.progress = blobs_stop_after;
    opt.progress_user = &stop;
    remove(opt.checkpoint);
    assert_refused(train(&model, data, &opt, &err), &err, IMSAT_ESTOPPED, "resume from");
    opt.progress = NULL;
    opt.resume = 1;
    opt.threads = 1 + stop_at % 3;
    *resumed = opt;
}

void blobs_same_file(const imsat_data *data, const imsat_options *options)
{
    static char one[1 << 16], two[1 << 16];
    imsat_options opt = *options, resumed;
    imsat_status st = IMSAT_ESTOPPED;
    opt.runs = 3;
    const size_t size = blobs_model_bytes(data, &opt, "one", one, sizeof one);
    assert_true(size < sizeof one);
    for (size_t stop_at = 1; st == IMSAT_ESTOPPED; stop_at += 1 + stop_at / 2) {
        imsat_error err;
        imsat_model *model = NULL;
        blobs_stop stop = {0, stop_at};
        resumed = opt;
        resumed.checkpoint = in_folder("checkpoint");
        resumed.progress = blobs_stop_after;
        resumed.progress_user = &stop;
        remove(resumed.checkpoint);
        st = train(&model, data, &resumed, &err);
        assert_true(st == IMSAT_OK || (st == IMSAT_ESTOPPED && strstr(err.message, "resume")));
        assert_true(st != IMSAT_OK || stop_at > 3);
        imsat_model_free(model);
        resumed.progress = NULL;
        resumed.resume = 1;
        resumed.threads = 1 + stop_at % 3;
        assert_int_equal(blobs_model_bytes(data, &resumed, "two", two, sizeof two), size);
        assert_memory_equal(one, two, size);
    }
}

typedef struct attempt {
    const imsat_data *data;
    imsat_options options;
} attempt;

static imsat_status train_once(void *context, imsat_error *err)
{
    const attempt *a = context;
    imsat_model *model = NULL;
    const imsat_status st = train(&model, a->data, &a->options, err);
    assert_true((st == IMSAT_OK) == (model != NULL));
    imsat_model_free(model);
    return st;
}

size_t blobs_fail_each(const imsat_data *data, const imsat_options *options)
{
    attempt a = {data, *options};
    a.options.threads = 1;
    return fail_each(train_once, &a);
}

void blobs_steps_allocate_nothing(const imsat_data *data, const imsat_options *options,
                                  const double *prior)
{
    imsat_error err;
    im_pool *pool;
    im_preprocess pre;
    im_trainer t;
    im_terms terms;
    float radius[BLOB_ROWS];
    for (size_t i = 0; i < BLOB_ROWS; i++)
        radius[i] = 1;
    const imsat_options opt = im_check_decide(options, data);
    assert_ok(im_pool_new(&pool, 2, &err), &err);
    assert_ok(im_preprocess_fit(&pre, data, &opt, NULL, &err), &err);
    const im_fit fit = {.method = im_methods_find(opt.method),
                        .opt = &opt,
                        .data = data,
                        .pre = &pre,
                        .radius = radius,
                        .prior = prior,
                        .pool = pool};
    assert_ok(im_trainer_new(&t, &fit, &err), &err);
    im_trainer_reset(&t, 1);
    failing_alloc_arm(0);
    for (size_t step = 0; step < 3; step++) {
        im_batch_draw(&t.batch, t.seed, 0, step);
        assert_ok(im_step_run(&t, (uint32_t)step, &terms, NULL, &err), &err);
    }
    assert_int_equal(failing_alloc_count(), 0);
    im_trainer_clear(&t);
    im_preprocess_clear(&pre);
    im_pool_free(pool);
}
