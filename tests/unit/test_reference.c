/* SPDX-License-Identifier: MIT
 * What a model remembers of its training data, and how far rows are from it. */
#include "model/reference.h"

#include "data_files.h"
#include "failing_alloc.h"
#include "imsat/search.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 6, DIM = 2, K = 3 };

/* Two clusters, and one without rows. */
static const float x[ROWS * DIM] = {0, 0, 2, 0, 1, 3, 10, 10, 10, 14, 10, 12};
static const int32_t labels[ROWS] = {0, 0, 0, 2, 2, 2};

static im_preprocess no_preprocessing(void)
{
    return (im_preprocess){.dim = DIM, .scale = 1, .factor = 1};
}

static imsat_data *view(const float *rows, size_t n)
{
    imsat_data *data = NULL;
    imsat_error err;
    assert_ok(imsat_data_view(&data, rows, n, DIM, DIM, &err), &err);
    return data;
}

static void means_and_scales(void **state)
{
    (void)state;
    const im_preprocess pre = no_preprocessing();
    const float far[DIM] = {10, 0}, there[DIM] = {10, 12}, zero[DIM] = {0, 0};
    imsat_error err;
    im_reference got = {0};
    imsat_data *data = view(x, ROWS);
    assert_ok(im_reference_learn(&got, data, &pre, labels, K, &err), &err);
    const float means[K * DIM] = {1, 1, 0, 0, 10, 12};
    assert_memory_equal(got.mean, means, sizeof means);
    assert_true(got.scale[0] == (float)sqrt(8.0 / 3)); /* 2, 2 and 4 */
    assert_true(got.scale[1] == 0);
    assert_true(got.scale[2] == (float)sqrt(8.0 / 3));
    assert_true(im_reference_distance(&got, far, 0) ==
                (float)(sqrt(82) / (double)got.scale[0]));
    assert_true(im_reference_distance(&got, there, 2) == 0);
    assert_true(im_reference_distance(&got, far, 1) == INFINITY);
    assert_true(im_reference_distance(&got, zero, 1) == 0);
    im_reference_clear(&got);
    imsat_data_free(data);
}

/* The mean of rows' squared distances to their own cluster is 1, whatever the scale of the
 * data, dense or sparse, and the model keeps it across a file. */
static imsat_model *train(const imsat_data *data, const char *method)
{
    imsat_model *model = NULL;
    imsat_options options;
    imsat_error err;
    imsat_options_init(&options, method, IMSAT_PRESET_DEFAULT);
    options.k = 2;
    options.epochs = strcmp(method, "kmeans") == 0 ? options.epochs : 5;
    options.threads = 1;
    assert_ok(imsat_cluster(&model, data, &options, NULL, &err), &err);
    return model;
}

static void assert_typical(const imsat_model *model, const imsat_data *data)
{
    const size_t n = imsat_data_rows(data);
    int32_t got[ROWS];
    float distance[ROWS], tail[2];
    double square = 0;
    imsat_error err;
    assert_true(n == ROWS && imsat_model_has_distance(model));
    assert_ok(imsat_predict(model, data, got, NULL, 1, &err), &err);
    assert_ok(imsat_distance(distance, model, data, 0, n, got, &err), &err);
    for (size_t i = 0; i < n; i++)
        square += (double)(distance[i] * distance[i]) / (double)n;
    assert_true(fabs(square - 1) < 1e-4);
    assert_ok(imsat_distance(tail, model, data, n - 2, 2, got + n - 2, &err), &err);
    assert_memory_equal(tail, distance + n - 2, sizeof tail);
}

static void distances_of_the_training_data_are_typical(void **state)
{
    (void)state;
    float large[ROWS * DIM];
    imsat_error err;
    imsat_model *loaded = NULL;
    for (size_t i = 0; i < ROWS * DIM; i++)
        large[i] = 1000 * x[i] + 5;
    imsat_data *small = view(x, ROWS), *big = view(large, ROWS);
    imsat_model *model = train(small, "kmeans"), *other = train(big, "kmeans");
    assert_typical(model, small);
    assert_typical(other, big);
    const char *path = in_folder("model");
    assert_ok(imsat_model_save(model, path, &err), &err);
    assert_ok(imsat_model_load(&loaded, path, &err), &err);
    assert_typical(loaded, small);
    /* What is far from everything is said to be. */
    const float away[DIM] = {1000, -1000};
    float distance;
    int32_t label;
    imsat_data *one = view(away, 1);
    assert_ok(imsat_predict(model, one, &label, NULL, 1, &err), &err);
    assert_ok(imsat_distance(&distance, model, one, 0, 1, &label, &err), &err);
    assert_true(distance > 100);
    imsat_data_free(one);
    imsat_model_free(loaded);
    imsat_model_free(model);
    imsat_model_free(other);
    imsat_data_free(small);
    imsat_data_free(big);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    imsat_options options;
    imsat_model *hash = NULL;
    float distance[ROWS];
    const int32_t wrong[1] = {2};
    imsat_data *data = view(x, ROWS);
    imsat_model *model = train(data, "kmeans");
    assert_refused(imsat_distance(distance, model, data, 1, ROWS, labels, &err), &err,
                   IMSAT_EINVAL, "6 from row 1 on are asked for; the data has 6");
    assert_refused(imsat_distance(distance, model, data, 3, 1, wrong, &err), &err,
                   IMSAT_EINVAL, "label 2 of row 3 is not a cluster");
    imsat_options_init_hash(&options, "linear-rim", IMSAT_PRESET_DEFAULT);
    options.bits = 2, options.epochs = 1, options.threads = 1;
    assert_ok(imsat_hash(&hash, data, &options, NULL, &err), &err);
    assert_false(imsat_model_has_distance(hash));
    assert_refused(imsat_distance(distance, hash, data, 0, 1, labels, &err), &err,
                   IMSAT_EINVAL, "makes codes");
    im_reference_clear(&model->reference); /* a model of before */
    assert_refused(imsat_distance(distance, model, data, 0, 1, labels, &err), &err,
                   IMSAT_EINVAL, "train it again");
    imsat_model_free(hash);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void files_are_hostile(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *loaded = NULL;
    imsat_data *data = view(x, ROWS);
    imsat_model *model = train(data, "kmeans");
    const char *path = in_folder("hostile");
    model->reference.scale[1] = -1;
    assert_ok(imsat_model_save(model, path, &err), &err);
    assert_refused(imsat_model_load(&loaded, path, &err), &err, IMSAT_EFORMAT,
                   "element 1 of reference.scale is -1, and must be 0 or more");
    model->reference.scale[1] = 1;
    model->reference.mean[3] = NAN;
    assert_ok(imsat_model_save(model, path, &err), &err);
    assert_refused(imsat_model_load(&loaded, path, &err), &err, IMSAT_EFORMAT,
                   "element 3 of reference.mean is nan, and must be finite");
    assert_null(loaded);
    imsat_model_free(model);
    imsat_data_free(data);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const im_preprocess pre = no_preprocessing();
    im_reference got = {0};
    const imsat_status st = im_reference_learn(&got, context, &pre, labels, K, err);
    im_reference_clear(&got);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = view(x, ROWS);
    assert_int_equal(fail_each(attempt, data), 7);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_and_scales),
        cmocka_unit_test(distances_of_the_training_data_are_typical),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(files_are_hostile),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
