/* SPDX-License-Identifier: MIT
 * Mixtures of normals as a method: the network has the shares of the normals, wherever the
 * data lies, and long clusters of unequal sizes, which k-means cuts, are found. */
#include "blobs.h"
#include "failing_alloc.h"
#include "support.h"

#include "core/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 400, DIM = 2 };

static float x[ROWS * DIM];
static int32_t truth[ROWS];

/* Two long, thin clusters side by side, one of three fourths of the rows. */
static imsat_data *open_long(float offset)
{
    imsat_error err;
    imsat_data *data = NULL;
    for (uint32_t i = 0; i < ROWS; i++) {
        float normal[DIM];
        im_rng_normals(normal, DIM, (im_rng){.seed = 9, .stream = IM_STREAM_INIT}, i);
        truth[i] = i % 4 == 0;
        x[i * DIM] = offset + 4 * normal[0];
        x[i * DIM + 1] = offset + 0.3F * normal[1] + (truth[i] ? 3 : 0);
    }
    assert_ok(imsat_data_view(&data, x, ROWS, DIM, DIM, &err), &err);
    return data;
}

static imsat_options options_of(imsat_covariance kind)
{
    imsat_options opt = blobs_options("gmm");
    opt.k = 2;
    opt.covariance = kind;
    opt.restarts = 8;
    opt.center = 0;
    return opt;
}

/* The shares by the definition, from means, covariances and weights of the rows by these very
 * shares: EM has come to a rest. Full covariances of two columns. */
static void check_shares(const float *share, double objective)
{
    double weight[2] = {0}, mean[2][2] = {{0}}, s[2][3] = {{0}}, sum = 0;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t c = 0; c < 2; c++) {
            weight[c] += (double)share[i * 2 + c];
            for (size_t j = 0; j < DIM; j++)
                mean[c][j] += (double)share[i * 2 + c] * (double)x[i * DIM + j];
        }
    for (size_t c = 0; c < 2; c++)
        for (size_t i = 0; i < ROWS; i++) {
            const double u = (double)x[i * DIM] - mean[c][0] / weight[c];
            const double v = (double)x[i * DIM + 1] - mean[c][1] / weight[c];
            const double w = (double)share[i * 2 + c] / weight[c];
            s[c][0] += w * u * u;
            s[c][1] += w * u * v;
            s[c][2] += w * v * v;
        }
    for (size_t i = 0; i < ROWS; i++) {
        double p[2];
        for (size_t c = 0; c < 2; c++) {
            const double u = (double)x[i * DIM] - mean[c][0] / weight[c];
            const double v = (double)x[i * DIM + 1] - mean[c][1] / weight[c];
            const double det = s[c][0] * s[c][2] - s[c][1] * s[c][1];
            const double sq = (s[c][2] * u * u - 2 * s[c][1] * u * v + s[c][0] * v * v) / det;
            p[c] = weight[c] / ROWS * exp(-sq / 2) / (2 * acos(-1) * sqrt(det));
        }
        sum -= log(p[0] + p[1]) / ROWS;
        assert_near((double)share[i * 2], p[0] / (p[0] + p[1]), 2e-3);
    }
    assert_near(objective, sum, 1e-3);
}

static void check_at(float offset, imsat_covariance kind)
{
    static float share[ROWS * 2];
    imsat_error err;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    imsat_cluster_score score;
    imsat_data *data = open_long(offset);
    imsat_options opt = options_of(kind);
    opt.tolerance = 0;
    opt.iterations = 300;
    assert_ok(imsat_cluster(&model, data, &opt, &result, &err), &err);
    assert_ok(imsat_evaluate_clusters(&score, result->labels, truth, ROWS, &err), &err);
    assert_true(score.acc > 0.99);
    assert_ok(imsat_predict(model, data, NULL, share, 2, &err), &err);
    if (kind == IMSAT_COVARIANCE_FULL)
        check_shares(share, imsat_result_run(result, 0)->objective);
    imsat_result_free(result);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void long_clusters_are_found(void **state)
{
    (void)state;
    for (imsat_covariance kind = 0; kind < IMSAT_COVARIANCES; kind++) {
        check_at(0, kind);
        check_at(500, kind);
    }
}

static void the_same_file(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    for (imsat_covariance kind = 0; kind < IMSAT_COVARIANCES; kind++) {
        imsat_options opt = blobs_options("gmm");
        opt.restarts = 2;
        opt.iterations = 3;
        opt.covariance = kind;
        blobs_same_file(data, &opt);
    }
    imsat_data_free(data);
}

static void too_many_columns_are_refused(void **state)
{
    (void)state;
    enum { WIDE = 10000 };
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = NULL;
    float *wide = test_calloc((size_t)3 * WIDE, sizeof *wide);
    wide[0] = 1;
    assert_ok(imsat_data_view(&data, wide, 3, WIDE, WIDE, &err), &err);
    imsat_options opt = options_of(IMSAT_COVARIANCE_FULL);
    opt.k = 3;
    assert_refused(imsat_cluster(&model, data, &opt, NULL, &err), &err, IMSAT_EINVAL,
                   "3 normals of 10000 columns take k d^2 numbers");
    imsat_data_free(data);
    test_free(wide);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options opt = blobs_options("gmm");
    opt.restarts = 1;
    opt.iterations = 1;
    assert_true(blobs_fail_each(data, &opt) > 20);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_clusters_are_found),
        cmocka_unit_test(the_same_file),
        cmocka_unit_test(too_many_columns_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
