/* SPDX-License-Identifier: MIT
 * K-means as a method: what it leaves is a network that finds the nearest center, wherever the
 * data lies, and runs, checkpoints and files work with it as with any other. */
#include "blobs.h"
#include "failing_alloc.h"
#include "support.h"

#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Centers are the means of their rows, and every row is at its nearest center: k-means has
 * converged, and prediction knows the same centers. */
static void check_labels(const imsat_data *data, const int32_t *labels)
{
    double mean[BLOB_K][BLOB_DIM] = {{0}};
    size_t size[BLOB_K] = {0};
    float x[BLOB_ROWS * BLOB_DIM];
    imsat_error err;
    assert_ok(imsat_data_read(data, 0, BLOB_ROWS, x, &err), &err);
    for (size_t i = 0; i < BLOB_ROWS; i++, size[labels[i - 1]]++)
        for (size_t j = 0; j < BLOB_DIM; j++)
            mean[labels[i]][j] += x[i * BLOB_DIM + j];
    for (size_t i = 0; i < BLOB_ROWS; i++) {
        double sq[BLOB_K] = {0};
        for (size_t c = 0; c < BLOB_K; c++)
            for (size_t j = 0; j < BLOB_DIM; j++)
                sq[c] += pow(x[i * BLOB_DIM + j] - mean[c][j] / (double)size[c], 2);
        for (size_t c = 0; c < BLOB_K; c++)
            assert_true(sq[labels[i]] <= sq[c]);
    }
}

/* Without preprocessing, around 0 and far from it. */
static void check_at(float offset)
{
    imsat_error err;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    imsat_data *data = blobs_open(), *moved = NULL;
    float x[BLOB_ROWS * BLOB_DIM], proba[BLOB_ROWS * BLOB_K];
    int32_t labels[BLOB_ROWS];
    imsat_options opt = blobs_options("kmeans");
    opt.center = 0;
    assert_ok(imsat_data_read(data, 0, BLOB_ROWS, x, &err), &err);
    for (size_t i = 0; i < BLOB_ROWS * BLOB_DIM; i++)
        x[i] += offset;
    assert_ok(imsat_data_view(&moved, x, BLOB_ROWS, BLOB_DIM, BLOB_DIM, &err), &err);
    assert_ok(imsat_cluster(&model, moved, &opt, &result, &err), &err);
    check_labels(moved, result->labels);
    assert_ok(imsat_predict(model, moved, labels, proba, 1, &err), &err);
    assert_memory_equal(labels, result->labels, sizeof labels);
    for (size_t i = 0; i < BLOB_ROWS; i++) {
        const float *p = proba + i * BLOB_K;
        assert_near(p[0] + p[1] + p[2], 1, 1e-5);
        assert_true(p[labels[i]] > 0.5F);
    }
    imsat_result_free(result);
    imsat_model_free(model);
    imsat_data_free(moved);
    imsat_data_free(data);
}

static void test_nearest_center(void **state)
{
    (void)state;
    check_at(0);
    check_at(3000);
    check_at(-3e5F);
}

/* The objective is the inertia of what was prepared, and runs are compared by it. */
static void test_objective(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    imsat_data *data = blobs_open();
    imsat_options opt = blobs_options("kmeans");
    float x[BLOB_ROWS * BLOB_DIM];
    double inertia = 0;
    opt.k = 7;
    opt.restarts = 1;
    opt.runs = 4;
    opt.center = 0;
    assert_ok(imsat_cluster(&model, data, &opt, &result, &err), &err);
    assert_ok(imsat_data_read(data, 0, BLOB_ROWS, x, &err), &err);
    for (size_t r = 1; r < 4; r++)
        assert_true(imsat_result_run(result, result->best)->objective <=
                    imsat_result_run(result, r)->objective);
    const int32_t *labels = result->labels + result->best * BLOB_ROWS;
    for (int32_t c = 0; c < 7; c++)
        for (size_t j = 0; j < BLOB_DIM; j++) {
            double sum = 0, square = 0, size = 0;
            for (size_t i = 0; i < BLOB_ROWS; i++)
                if (labels[i] == c) {
                    size++;
                    sum += x[i * BLOB_DIM + j];
                    square += pow(x[i * BLOB_DIM + j], 2);
                }
            inertia += square - sum * sum / size;
        }
    assert_near(imsat_result_run(result, result->best)->objective, inertia, 1e-3 * inertia);
    assert_true(imsat_result_run(result, 0)->epochs >= 1);
    assert_near(imsat_result_run(result, 0)->term[IMSAT_TERM_SAT], 0, 0);
    imsat_result_free(result);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void test_same_file(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    const imsat_options opt = blobs_options("kmeans");
    blobs_same_file(data, &opt);
    imsat_data_free(data);
}

static void test_too_few_different_rows(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = NULL;
    static float x[BLOB_ROWS * BLOB_DIM];
    for (size_t i = 0; i < BLOB_ROWS; i++)
        x[i * BLOB_DIM] = (float)(i % 2);
    assert_ok(imsat_data_view(&data, x, BLOB_ROWS, BLOB_DIM, BLOB_DIM, &err), &err);
    const imsat_options opt = blobs_options("kmeans");
    assert_refused(imsat_cluster(&model, data, &opt, NULL, &err), &err, IMSAT_EINVAL,
                   "only 2 rows are different, so there are no 3 clusters");
    imsat_data_free(data);
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options opt = blobs_options("kmeans");
    opt.restarts = 1;
    assert_true(blobs_fail_each(data, &opt) > 15);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_center),
        cmocka_unit_test(test_objective),
        cmocka_unit_test(test_same_file),
        cmocka_unit_test(test_too_few_different_rows),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
