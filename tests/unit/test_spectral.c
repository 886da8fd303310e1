/* SPDX-License-Identifier: MIT
 * Spectral clustering as a method, on the arms of a spiral: labels and cut are scikit-learn's,
 * and new rows get the label of their arm. tests/peers/spectral.py has more sets. */
#include "blobs.h"
#include "failing_alloc.h"
#include "support.h"

#include "core/partition.h"

#include <math.h>
#include <string.h>

enum { ROWS = 90, DIM = 2, ARMS = 3 };

static float x[ROWS * DIM];
static int32_t arms[ROWS];

/* shift: how far along their arm the points are, of the step between two. */
static imsat_data *open_spiral(double shift)
{
    imsat_error err;
    imsat_data *data = NULL;
    const double pi = acos(-1);
    for (int i = 0; i < ROWS; i++) {
        const double t = (i / ARMS + shift) / 30 * 3 + 0.6;
        const double angle = t * 1.1 + i % ARMS * 2 * pi / ARMS;
        arms[i] = i % ARMS;
        x[i * DIM] = (float)(t * cos(angle) + 0.06 * sin(i * i * 0.7 + 1));
        x[i * DIM + 1] = (float)(t * sin(angle) + 0.06 * sin(i * i * 1.3 + 2));
    }
    assert_ok(imsat_data_view(&data, x, ROWS, DIM, DIM, &err), &err);
    return data;
}

static imsat_options options_of(size_t neighbors)
{
    imsat_options opt = blobs_options("spectral");
    opt.k = ARMS;
    opt.graph_neighbors = neighbors;
    opt.center = 0;
    return opt;
}

static double agreement(const int32_t *one, const int32_t *two)
{
    double ari = 0;
    assert_ok(im_partition_ari(&ari, one, two, ROWS, NULL), NULL);
    return ari;
}

/* SpectralClustering(3, affinity="precomputed") of the same graph: with few neighbors the
 * arms, with many it cuts across their ends. */
static void labels_of_scikit_learn(void **state)
{
    (void)state;
    static const int32_t theirs[ROWS] = {1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2,
                                         1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2,
                                         1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2,
                                         1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 0, 0, 2, 0, 2, 1,
                                         0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1};
    imsat_data *data = open_spiral(0);
    for (size_t neighbors = 4; neighbors <= 10; neighbors += 6) {
        imsat_error err;
        imsat_model *model = NULL;
        imsat_result *result = NULL;
        const imsat_options opt = options_of(neighbors);
        assert_ok(imsat_cluster(&model, data, &opt, &result, &err), &err);
        assert_near(agreement(result->labels, neighbors == 4 ? arms : theirs), 1, 1e-12);
        assert_near(imsat_result_run(result, 0)->objective,
                    neighbors == 4 ? 0 : 0.3231830038200547, 1e-9);
        imsat_result_free(result);
        imsat_model_free(model);
    }
    imsat_data_free(data);
}

/* Through a file; the model is smaller than its rows. */
static void new_rows_belong_to_their_arm(void **state)
{
    (void)state;
    int32_t labels[ROWS];
    float proba[ROWS * ARMS];
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = open_spiral(0);
    const imsat_options opt = options_of(4);
    assert_ok(imsat_cluster(&model, data, &opt, NULL, &err), &err);
    assert_ok(imsat_model_save(model, in_folder("model"), &err), &err);
    imsat_model_free(model);
    imsat_data_free(data);
    data = open_spiral(0.5);
    assert_ok(imsat_model_load(&model, in_folder("model"), &err), &err);
    assert_ok(imsat_predict(model, data, labels, proba, 2, &err), &err);
    assert_true(agreement(labels, arms) > 0.9);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t c = 0; c < ARMS; c++)
            assert_true(proba[i * ARMS + c] <= proba[i * ARMS + (size_t)labels[i]]);
    imsat_model_free(model);
    imsat_data_free(data);
}

/* More neighbors than there are other rows: all are joined. */
static void neighbors_may_be_all(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = blobs_open();
    imsat_options opt = blobs_options("spectral");
    opt.graph_neighbors = 1000;
    assert_ok(imsat_cluster(&model, data, &opt, NULL, &err), &err);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void the_same_file(void **state)
{
    (void)state;
    imsat_data *data = open_spiral(0);
    const imsat_options opt = options_of(6);
    blobs_same_file(data, &opt);
    imsat_data_free(data);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = open_spiral(0);
    imsat_options opt = options_of(6);
    opt.restarts = 1;
    assert_true(blobs_fail_each(data, &opt) > 30);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_of_scikit_learn),
        cmocka_unit_test(new_rows_belong_to_their_arm),
        cmocka_unit_test(neighbors_may_be_all),
        cmocka_unit_test(the_same_file),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
