/* SPDX-License-Identifier: MIT
 * Training, from data to model: it finds clusters, the same bits for any number of threads and
 * across an interruption, and every allocation may fail.
 * tsan: test_threads_do_not_change_a_bit, test_step_allocates_nothing. */
#define _POSIX_C_SOURCE 200809L
#include "blobs.h"
#include "core/rng.h"
#include "data_files.h"
#include "failing_alloc.h"

#include "model/methods.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 1 << 20 };

static char one[ROOM], two[ROOM];

static int32_t *truth(void)
{
    static int32_t labels[BLOB_ROWS];
    for (size_t i = 0; i < BLOB_ROWS; i++)
        labels[i] = (int32_t)(i % BLOB_K);
    return labels;
}

/* Train and save; the size of the file read to bytes. */
static size_t model_bytes(const imsat_data *data, const imsat_options *opt, const char *name,
                          char *bytes)
{
    return blobs_model_bytes(data, opt, name, bytes, ROOM);
}

static void assert_same_file(const imsat_data *data, const imsat_options *a,
                             const imsat_options *b)
{
    const size_t size = model_bytes(data, a, "one", one);
    assert_int_equal(size, model_bytes(data, b, "two", two));
    assert_true(size > 1000);
    assert_memory_equal(one, two, size);
}

static int own(void *user, float *out, const float *in, const size_t *rows, size_t n,
               size_t dim, uint64_t seed)
{
    (void)rows;
    ++*(size_t *)user;
    for (size_t i = 0; i < n * dim; i++)
        out[i] = in[i] + 0.1F * (float)((seed >> i % 60 & 1) ? 1 : -1);
    return 0;
}

/* Three far blobs are an easy case: every method must find them in one of a few runs. */
static void test_every_method_finds_blobs(void **state)
{
    (void)state;
    imsat_data *data = blobs_open_images();
    for (size_t i = 0; imsat_method_name(i); i++) {
        const char *method = imsat_method_name(i);
        if (!imsat_method_serves(method, IMSAT_TASK_CLUSTER))
            continue;
        imsat_error err;
        imsat_model *model = NULL;
        imsat_result *result = NULL;
        imsat_cluster_score score;
        size_t calls = 0;
        imsat_options opt = blobs_options(method);
        blobs_set(&opt, "epochs", "60");
        opt.runs = 4;
        opt.augment = own;
        opt.augment_user = &calls;
        assert_ok(imsat_cluster(&model, data, &opt, &result, &err), &err);
        const int32_t *labels = result->labels + result->best * result->rows;
        assert_ok(imsat_evaluate_clusters(&score, labels, truth(), BLOB_ROWS, &err), &err);
        /* warping a 2x3 "image" mixes the coordinates that tell the blobs apart */
        if (!(im_methods_find(method)->uses & IM_USES_IMAGES) && score.acc < 0.97)
            fail_msg("%s has ACC %g", method, score.acc);
        assert_int_equal(calls > 0, strcmp(method, "own") == 0);
        for (size_t r = 0; r < opt.runs; r++)
            assert_true(imsat_result_run(result, result->best)->objective <=
                        imsat_result_run(result, r)->objective);
        assert_int_equal(imsat_result_run(result, 1)->seed, opt.seed + 1);

        int32_t predicted[BLOB_ROWS];
        assert_ok(imsat_predict(model, data, predicted, NULL, 2, &err), &err);
        assert_memory_equal(predicted, labels, sizeof predicted);
        imsat_result_free(result);
        imsat_model_free(model);
    }
    imsat_data_free(data);
}

static void test_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options a = blobs_options("imsat-vat"), b;
    a.runs = 2;
    for (size_t threads = 1; threads <= 3; threads += 2) {
        b = a;
        b.threads = threads;
        assert_same_file(data, &a, &b);
    }
    b.seed = 2; /* and the comparison can fail */
    model_bytes(data, &a, "one", one);
    const size_t size = model_bytes(data, &b, "two", two);
    assert_int_not_equal(memcmp(one, two, size), 0);
    imsat_data_free(data);
}

/* Stopped at many places, in epochs and between them, in the first run and the second. */
static void test_resume_gives_the_same_bits(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options whole = blobs_options("imsat-vat");
    whole.runs = 2;
    whole.mu = IMSAT_AUTO;
    const size_t size = model_bytes(data, &whole, "one", one);
    for (size_t stop_at = 4; stop_at < 160; stop_at += 31) {
        imsat_options opt;
        blobs_interrupt(&opt, data, &whole, stop_at);
        assert_int_equal(model_bytes(data, &opt, "two", two), size);
        assert_memory_equal(one, two, size);
    }
    imsat_data_free(data);
}

/* Stopped in the even start, while sizes are loose, and when they are drawn to the prior. */
static void test_resume_with_a_prior_gives_the_same_bits(void **state)
{
    (void)state;
    const double prior[BLOB_K] = {0.6, 0.3, 0.1};
    imsat_data *data = blobs_open();
    imsat_options whole = blobs_options("imsat-vat");
    whole.prior = prior;
    whole.epochs = 10;
    const size_t size = model_bytes(data, &whole, "one", one);
    for (size_t stop_at = 4; stop_at < 40; stop_at += 7) {
        imsat_options opt;
        blobs_interrupt(&opt, data, &whole, stop_at);
        assert_int_equal(model_bytes(data, &opt, "two", two), size);
        assert_memory_equal(one, two, size);
    }
    whole.thin_weight = 1; /* and rows did count by their radius */
    model_bytes(data, &whole, "two", two);
    assert_int_not_equal(memcmp(one, two, size), 0);
    imsat_data_free(data);
}

/* Most of these are stopped within a step, or within the assessment of a batch. */
static void test_resume_within_a_step_gives_the_same_bits(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options whole = blobs_options("imsat-vat");
    whole.power = 5;
    whole.epochs = 3;
    const size_t size = model_bytes(data, &whole, "one", one);
    for (size_t stop_at = 1; stop_at < 105; stop_at += 17) {
        imsat_options opt;
        blobs_interrupt(&opt, data, &whole, stop_at);
        assert_int_equal(model_bytes(data, &opt, "two", two), size);
        assert_memory_equal(one, two, size);
    }
    imsat_data_free(data);
}

/* Stop the training at once, and keep how far it is. */
static int stop_training(void *user, const imsat_progress *progress)
{
    *(double *)user = progress->fraction;
    return strcmp(progress->stage, "train") == 0;
}

static void test_power_iterations_heed_a_stop(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = blobs_open();
    imsat_options opt = blobs_options("imsat-vat");
    double fraction = 1;
    opt.epochs = 1;
    opt.batch = BLOB_ROWS; /* one step in all */
    opt.power = 1000;
    opt.progress = stop_training;
    opt.progress_user = &fraction;
    assert_refused(imsat_cluster(&model, data, &opt, NULL, &err), &err, IMSAT_ESTOPPED,
                   "stopped in run 1, epoch 1");
    assert_true(fraction < 0.01);
    imsat_data_free(data);
}

static void test_the_data_is_no_checkpoint(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = blobs_open_images();
    imsat_options opt = blobs_options("imsat-vat");
    const size_t size = read_file(in_folder("blobs.npy"), one, sizeof one);
    assert_int_equal(symlink("blobs.npy", in_folder("link")), 0);
    const char *const names[] = {in_folder("blobs.npy"), in_folder("link")};
    for (size_t i = 0; i < 2; i++) {
        opt.checkpoint = names[i];
        assert_refused(imsat_cluster(&model, data, &opt, NULL, &err), &err, IMSAT_EINVAL,
                       "is a file of the data");
    }
    assert_int_equal(read_file(names[1], two, sizeof two), size);
    assert_memory_equal(one, two, size);
    imsat_data_free(data);
}

static void test_foreign_checkpoint_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = blobs_open();
    imsat_options opt = blobs_options("imsat-vat");
    const char *checkpoint = in_folder("foreign");
    opt.checkpoint = checkpoint;
    model_bytes(data, &opt, "one", one);
    opt.resume = 1;
    opt.lambda = 0.2;
    assert_refused(imsat_cluster(&model, data, &opt, NULL, &err), &err, IMSAT_EMISMATCH,
                   "was made with lambda 0.1");
    opt.lambda = 0.1;
    imsat_data *fewer = NULL;
    float x[BLOB_ROWS * BLOB_DIM];
    assert_ok(imsat_data_read(data, 0, BLOB_ROWS, x, &err), &err);
    x[17] += 1;
    assert_ok(imsat_data_view(&fewer, x, BLOB_ROWS, BLOB_DIM, BLOB_DIM, &err), &err);
    assert_refused(imsat_cluster(&model, fewer, &opt, NULL, &err), &err, IMSAT_EMISMATCH,
                   "fingerprint");
    assert_null(model);
    imsat_data_free(fewer);
    imsat_data_free(data);
}

/* The ladder climbs until the marginal is within delta of the prior. */
static void test_ladder_keeps_the_prior(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    imsat_data *data = blobs_open();
    imsat_options opt = blobs_options("imsat-vat");
    const double prior[BLOB_K] = {0.6, 0.3, 0.1};
    opt.prior = prior;
    opt.mu = IMSAT_AUTO;
    opt.delta = IMSAT_AUTO;
    opt.epochs = 40;
    assert_ok(imsat_cluster(&model, data, &opt, &result, &err), &err);
    assert_near(result->used->delta, 0.01 * 0.8979457, 1e-6);
    assert_true(imsat_result_run(result, 0)->term[IMSAT_TERM_MARGINAL_KL] <=
                result->used->delta);
    assert_true(imsat_result_run(result, 0)->mu > opt.lambda); /* it had to climb */
    imsat_result_free(result);
    imsat_model_free(model);
    imsat_data_free(data);
}

/* Nine tenths of the rows are of one blob. The prior is known, and it does not matter which
 * cluster it calls the large one. */
static void test_prior_is_matched_by_size(void **state)
{
    (void)state;
    enum { ROWS = 200, LARGE = 180 };
    static const double prior[2][2] = {{0.9, 0.1}, {0.1, 0.9}};
    float x[ROWS * 2];
    im_rng rng = {3, IM_STREAM_INIT, 0, 0};
    imsat_error err;
    imsat_data *data = NULL;
    im_rng_normals(x, sizeof x / sizeof *x, rng, 0);
    for (size_t i = LARGE; i < ROWS; i++)
        x[2 * i] += 12;
    assert_ok(imsat_data_view(&data, x, ROWS, 2, 2, &err), &err);
    for (size_t p = 0; p < 2; p++) {
        imsat_model *model = NULL;
        imsat_result *result = NULL;
        imsat_options opt;
        imsat_options_init(&opt, "imsat-vat", IMSAT_PRESET_DEFAULT);
        opt.k = 2, opt.runs = 3, opt.threads = 1, opt.epochs = 100, opt.prior = prior[p];
        opt.hidden_count = 1, opt.hidden[0] = 20;
        assert_ok(imsat_cluster(&model, data, &opt, &result, &err), &err);
        const int32_t *labels = result->labels + result->best * ROWS;
        for (size_t i = 0; i < ROWS; i++)
            assert_true(labels[i] == (i < LARGE ? labels[0] : 1 - labels[0]));
        imsat_result_free(result);
        imsat_model_free(model);
    }
    imsat_data_free(data);
}

static void test_step_allocates_nothing(void **state)
{
    (void)state;
    imsat_data *data = blobs_open_images();
    const double prior[BLOB_K] = {0.3, 0.3, 0.4};
    const imsat_options opt = blobs_options("imsat-vat-affine");
    blobs_steps_allocate_nothing(data, &opt, prior);
    imsat_data_free(data);
}

static imsat_status fit_and_save(void *context, imsat_error *err)
{
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    imsat_options opt = blobs_options("imsat-vat-affine");
    const char *path = in_folder("failing");
    opt.epochs = 1;
    opt.runs = 2;
    opt.hidden_count = 1;
    opt.checkpoint = path;
    opt.standardize = 1;
    opt.threads = 1; /* of the 950 allocations one is a thread's, and test_threads has it */
    remove(path);
    imsat_status st = imsat_cluster(&model, context, &opt, &result, err);
    if (st != IMSAT_OK) {
        assert_null(model);
        assert_null(result);
    }
    if (st == IMSAT_OK)
        st = imsat_model_save(model, in_folder("model"), err);
    imsat_result_free(result);
    imsat_model_free(model);
    return st;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = blobs_open_images();
    assert_true(fail_each(fit_and_save, data) > 50);
    imsat_data_free(data);
}

/* Multiplying or shifting everything finds the same clusters under the default preset. */
static void test_scale_and_shift(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = blobs_open();
    static float x[BLOB_ROWS * BLOB_DIM];
    int32_t labels[3][BLOB_ROWS];
    for (int form = 0; form < 3; form++) {
        imsat_model *model = NULL;
        imsat_data *changed = NULL;
        const imsat_options opt = blobs_options("imsat-vat");
        assert_ok(imsat_data_read(data, 0, BLOB_ROWS, x, &err), &err);
        for (size_t i = 0; i < BLOB_ROWS * BLOB_DIM; i++)
            x[i] = form == 1 ? 1024 * x[i] : form == 2 ? x[i] + 32 : x[i];
        assert_ok(imsat_data_view(&changed, x, BLOB_ROWS, BLOB_DIM, BLOB_DIM, &err), &err);
        assert_ok(imsat_cluster(&model, changed, &opt, NULL, &err), &err);
        assert_ok(imsat_predict(model, changed, labels[form], NULL, 1, &err), &err);
        imsat_model_free(model);
        imsat_data_free(changed);
    }
    for (int form = 1; form < 3; form++) {
        imsat_cluster_score score;
        assert_ok(imsat_evaluate_clusters(&score, labels[form], labels[0], BLOB_ROWS, &err),
                  &err);
        assert_true(score.ari >= 0.98);
    }
    imsat_data_free(data);
}

static void test_copies_of_every_row(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = NULL;
    static float x[BLOB_ROWS * BLOB_DIM];
    for (size_t i = 0; i < BLOB_ROWS; i++)
        x[i * BLOB_DIM] = (float)(i % 4);
    const imsat_options opt = blobs_options("imsat-vat");
    assert_ok(imsat_data_view(&data, x, BLOB_ROWS, BLOB_DIM, BLOB_DIM, &err), &err);
    assert_refused(imsat_cluster(&model, data, &opt, NULL, &err), &err, IMSAT_EINVAL,
                   "copies");
    imsat_data_free(data);
}

/* What rounding merges is told in the result; where nothing is left, it is not called copies
 * that could be removed. */
static void test_rounding_is_told(void **state)
{
    (void)state;
    static double x[BLOB_ROWS];
    char header[96];
    imsat_error err;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    for (size_t i = 0; i < BLOB_ROWS; i++)
        x[i] = 1700000000000.0 + (double)(i * 100); /* all within one float */
    snprintf(header, sizeof header,
             "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, 1)}", BLOB_ROWS);
    imsat_data *data = open_with(file_npy("times.npy", header, x, sizeof x), NULL);
    imsat_options opt = blobs_options("imsat-vat");
    assert_ok(imsat_cluster(&model, data, &opt, &result, &err), &err);
    assert_null(result->note);
    imsat_model_free(model);
    imsat_result_free(result);
    model = NULL, result = NULL;
    opt.center = 0;
    assert_refused(imsat_cluster(&model, data, &opt, NULL, &err), &err, IMSAT_EINVAL,
                   "--center or --standardize keeps them apart");
    assert_null(strstr(err.message, "remove"));
    opt = blobs_options("linear-rim");
    opt.center = 0;
    assert_ok(imsat_cluster(&model, data, &opt, &result, &err), &err);
    assert_non_null(strstr(result->note, "203 different values"));
    imsat_model_free(model);
    imsat_result_free(result);
    imsat_data_free(data);
}

/* imsat_neighbor_radius() looks at a few options, and refuses those that cannot be. */
static void test_radius_checks_its_options(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    static float radius[BLOB_ROWS];
    static const struct {
        const char *part;
        double scale, shift;
        size_t neighbor, threads;
        int method;
    } cases[] = {
        {"scale is nan", (double)NAN, 0, 1, 1, 0},
        {"scale is inf", (double)INFINITY, 0, 1, 1, 0},
        {"scale is 0", 0, 0, 1, 1, 0},
        {"shift is -inf", 1, -(double)INFINITY, 1, 1, 0},
        {"neighbor is 0", 1, 0, 0, 1, 0},
        {"threads is 257", 1, 0, 1, 257, 0},
        {"threads is 18446744073709551615", 1, 0, 1, SIZE_MAX, 0},
        {"radius_method 3 is unknown", 1, 0, 1, 1, IMSAT_RADIUS_METHODS},
        {"radius_method -1 is unknown", 1, 0, 1, 1, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_error err = {""};
        imsat_radius_info info = {.sample = 7};
        imsat_options opt = blobs_options("imsat-vat");
        opt.scale = cases[i].scale, opt.shift = cases[i].shift;
        opt.neighbor = cases[i].neighbor, opt.threads = cases[i].threads;
        opt.radius_method = (imsat_radius_method)cases[i].method;
        radius[0] = -1;
        assert_refused(imsat_neighbor_radius(radius, &info, data, &opt, &err), &err,
                       IMSAT_EINVAL, cases[i].part);
        assert_true(radius[0] == -1 && info.sample == 7);
    }
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_finds_blobs),
        cmocka_unit_test(test_threads_do_not_change_a_bit),
        cmocka_unit_test(test_resume_gives_the_same_bits),
        cmocka_unit_test(test_resume_with_a_prior_gives_the_same_bits),
        cmocka_unit_test(test_resume_within_a_step_gives_the_same_bits),
        cmocka_unit_test(test_power_iterations_heed_a_stop),
        cmocka_unit_test(test_the_data_is_no_checkpoint),
        cmocka_unit_test(test_foreign_checkpoint_is_refused),
        cmocka_unit_test(test_ladder_keeps_the_prior),
        cmocka_unit_test(test_prior_is_matched_by_size),
        cmocka_unit_test(test_step_allocates_nothing),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_scale_and_shift),
        cmocka_unit_test(test_copies_of_every_row),
        cmocka_unit_test(test_rounding_is_told),
        cmocka_unit_test(test_radius_checks_its_options),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
