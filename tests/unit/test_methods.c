/* SPDX-License-Identifier: MIT
 * Presets and the checks of options. */
#include "blobs.h"
#include "support.h"

#include "model/check.h"

#include <math.h>

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(imsat_method_name(0), "imsat-vat");
    assert_null(imsat_method_name(1000));
    assert_null(imsat_method_summary("imsat-cat"));
    assert_null(imsat_method_objective(NULL));
    assert_false(imsat_method_serves("imsat-affine", IMSAT_TASK_HASH));
    assert_true(imsat_method_needs_function("own"));
    assert_false(imsat_method_needs_function("imsat-vat"));
    assert_false(imsat_method_serves("imsat-vat", IMSAT_TASKS));
    assert_string_equal(imsat_preset_name(IMSAT_PRESET_PAPER), "paper");
    assert_null(imsat_preset_summary(IMSAT_PRESETS));
    for (size_t i = 0; imsat_method_name(i); i++) {
        assert_non_null(imsat_method_summary(imsat_method_name(i)));
        assert_non_null(imsat_method_objective(imsat_method_name(i)));
    }
}

/* The numbers of the paper and of the authors' code. */
static void test_presets(void **state)
{
    (void)state;
    imsat_options o;
    imsat_options_init(&o, "imsat-vat", IMSAT_PRESET_PAPER);
    assert_near(o.init_hidden, 0.1 * sqrt(2), 1e-12);
    assert_int_equal(o.neighbor, 10);
    assert_true(o.mu >= IMSAT_AUTO);
    assert_true(o.delta >= IMSAT_AUTO);
    assert_int_equal(o.fresh_batches, 0);
    imsat_options_init(&o, "imsat-rpt", IMSAT_PRESET_REFERENCE);
    assert_near(o.init_output, 0.01, 1e-12);
    assert_near(o.lambda, 0.05, 1e-12);
    assert_near(o.mu, 0.2, 1e-12);
    assert_near(o.alpha, 2.5, 1e-12);
    assert_int_equal(o.neighbor, 11);
    assert_int_equal(o.fresh_batches, 1);
    assert_true(o.delta >= IMSAT_AUTO);
    assert_int_equal(o.hidden_count, 2);
    assert_int_equal(o.hidden[1], 1200);
    imsat_options_init(&o, "linear-imsat-vat", IMSAT_PRESET_REFERENCE);
    assert_near(o.lambda, 1.6, 1e-12);
    assert_int_equal(o.hidden_count, 0);
    imsat_options_init(&o, "deep-rim", IMSAT_PRESET_PAPER);
    assert_near(o.decay, 0.005, 1e-12);
}

/* The tolerance of sizes: of the preset default what no empty cluster is within. */
static void test_delta(void **state)
{
    (void)state;
    const double prior[4] = {0.5, 0.3, 0.15, 0.05}, nearly_equal[4] = {0.2, 0.25, 0.3, 0.25};
    imsat_data *data = blobs_open();
    imsat_options o;
    double entropy = 0;
    for (size_t j = 0; j < 4; j++)
        entropy -= prior[j] * log(prior[j]);
    imsat_options_init(&o, "imsat-vat", IMSAT_PRESET_DEFAULT);
    o.k = 4;
    assert_near(im_check_decide(&o, data).even_start, 1, 0);
    assert_near(im_check_decide(&o, data).thin_weight, 1, 0);
    assert_near(im_check_decide(&o, data).delta, 0.9 * log(4.0 / 3), 1e-12);
    o.prior = prior;
    assert_near(im_check_decide(&o, data).even_start, 0.3, 0);
    assert_near(im_check_decide(&o, data).thin_weight, 5, 0);
    o.prior = nearly_equal;
    assert_near(im_check_decide(&o, data).thin_weight, 1.5, 1e-12);
    o.prior = prior;
    assert_near(im_check_decide(&o, data).delta, 0.01 * entropy, 1e-12);
    o.delta = 0.3;
    assert_near(im_check_decide(&o, data).delta, 0.3, 0);
    imsat_options_init(&o, "imsat-vat", IMSAT_PRESET_REFERENCE);
    o.k = 4;
    assert_near(o.even_start, 0, 0);
    assert_near(o.thin_weight, 1, 0);
    assert_near(im_check_decide(&o, data).delta, 0, 0);
    imsat_options_init(&o, "imsat-vat", IMSAT_PRESET_PAPER);
    o.k = 4;
    assert_near(o.even_start, 0, 0);
    assert_near(o.thin_weight, 1, 0);
    assert_near(im_check_decide(&o, data).delta, 0.01 * log(4), 1e-12);
    imsat_data_free(data);
}

static void assert_pixels(const imsat_data *data, const char *method, imsat_preset preset,
                          double scale, double shift)
{
    imsat_options o;
    imsat_options_init(&o, method, preset);
    o.k = 2;
    const imsat_options decided = im_check_decide(&o, data);
    assert_near(decided.scale, scale, 0);
    assert_near(decided.shift, shift, 0);
}

/* Where 8-bit images go, which is another place for the auto-encoder of Xie et al. */
static void test_pixels(void **state)
{
    (void)state;
    const uint8_t x[] = {0, 1, 2, 255, 4, 5, 6, 7};
    imsat_array array = {.elements = x,
                         .type = IMSAT_ELEMENT_UINT8,
                         .rows = 2,
                         .dim = 4,
                         .row_stride = 4,
                         .col_stride = 1,
                         .image = {2, 2, 1}};
    imsat_data *images = NULL, *rows = NULL;
    imsat_error err;
    assert_ok(imsat_data_array(&images, &array, &err), &err);
    assert_pixels(images, "imsat-vat", IMSAT_PRESET_DEFAULT, 1, 0);
    assert_pixels(images, "imsat-vat", IMSAT_PRESET_PAPER, 2.0 / 255, -1);
    assert_pixels(images, "imsat-vat", IMSAT_PRESET_REFERENCE, 1.0 / 128, -1);
    assert_pixels(images, "dec", IMSAT_PRESET_DEFAULT, 1, 0);
    assert_pixels(images, "dec", IMSAT_PRESET_PAPER, 0.02, 0);
    assert_pixels(images, "dae-kmeans", IMSAT_PRESET_REFERENCE, 0.02, 0);
    array.image = (imsat_image){0};
    assert_ok(imsat_data_array(&rows, &array, &err), &err);
    assert_pixels(rows, "imsat-vat", IMSAT_PRESET_REFERENCE, 1, 0);
    assert_pixels(rows, "dec", IMSAT_PRESET_REFERENCE, 1, 0);
    imsat_data_free(rows);
    imsat_data_free(images);
}

static void test_resolve(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options o;
    imsat_options_init(&o, "imsat-vat", IMSAT_PRESET_DEFAULT);
    o.k = 4;
    o.mu = IMSAT_AUTO;
    o = im_check_decide(&o, data);
    assert_int_equal(o.hidden_count, 2);
    assert_int_equal(o.batch, 64);
    assert_int_equal(o.epochs, 400);
    assert_near(o.delta, 0.01 * log(4), 1e-12);
    assert_near(o.scale, 1, 0);
    o.batch = 1000;
    o.epochs = IMSAT_AUTO;
    o = im_check_decide(&o, data);
    assert_int_equal(o.batch, BLOB_ROWS);
    assert_int_equal(o.epochs, 500);
    o.batch = IMSAT_AUTO;
    o.k = 30;
    assert_int_equal(im_check_decide(&o, data).batch, 150);
    imsat_data_free(data);
}

typedef struct bad_option {
    const char *part;
    size_t offset;
    bool real; /* a double, else a size_t */
    double value;
} bad_option;

#define BAD(field, is_real, bad, text)                                                        \
    {                                                                                         \
        text, offsetof(imsat_options, field), is_real, bad                                    \
    }

static void test_bad_options(void **state)
{
    (void)state;
    const bad_option cases[] = {
        BAD(k, false, 1, "k is 1, and must be at least 2"),
        BAD(k, false, BLOB_ROWS + 1, "k is 204, but there are only 203 rows"),
        BAD(lambda, true, -0.1, "lambda is -0.1"),
        BAD(lambda, true, NAN, "lambda is nan"),
        BAD(mu, true, -1, "mu is -1"),
        BAD(decay, true, -1, "decay is -1"),
        BAD(alpha, true, -1, "alpha is -1"),
        BAD(xi, true, 0, "xi is 0"),
        BAD(step_size, true, 0, "step_size is 0"),
        BAD(init_hidden, true, 0, "init_hidden is 0"),
        BAD(scale, true, INFINITY, "scale is inf"),
        BAD(delta, true, NAN, "delta is nan"),
        BAD(runs, false, 0, "runs is 0"),
        BAD(batch, false, 1, "batch is 1, and must be from 2 to 1000000000, or auto"),
        BAD(batch, false, 0, "batch is 0"),
        BAD(epochs, false, 0, "epochs is 0"),
        BAD(scale, true, -1, "scale is -1"),
        BAD(threads, false, 257, "threads is 257"),
        BAD(neighbor, false, 0, "neighbor is 0"),
        BAD(power, false, 0, "power is 0"),
        BAD(hidden[1], false, 0, "hidden layer 2 has 0 units"),
        BAD(hidden_count, false, IMSAT_MAX_HIDDEN + 1, "9 hidden layers"),
    };
    imsat_data *data = blobs_open();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_error err;
        imsat_options o = blobs_options("imsat-vat");
        char *field = (char *)&o + cases[i].offset;
        assert_ok(imsat_options_check(&o, data, &err), &err);
        if (cases[i].real)
            *(double *)(void *)field = cases[i].value;
        else
            *(size_t *)(void *)field = (size_t)cases[i].value;
        assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, cases[i].part);
    }
    imsat_data_free(data);
}

static void test_bad_combinations(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = blobs_open();
    const double short_of_one[BLOB_K] = {0.3, 0.3, 0.3}, zero[BLOB_K] = {0.5, 0.5, 0};
    imsat_options o = blobs_options("imsat-affine");
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "--image");
    o = blobs_options("own");
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "options.augment");
    o = blobs_options("linear-rim");
    o.hidden_count = 1;
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL,
                   "method linear-rim does not use it");
    o = blobs_options("imsat-vat");
    o.resume = 1;
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "checkpoint");
    o = blobs_options("imsat-vat");
    o.prior = short_of_one;
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "sums to 0.9");
    o.prior = zero;
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "cluster 2 is 0");
    float radius[BLOB_ROWS] = {0};
    radius[5] = -1;
    o = blobs_options("imsat-vat");
    o.radius = radius;
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "radius of row 5");
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_presets),
        cmocka_unit_test(test_delta),
        cmocka_unit_test(test_pixels),
        cmocka_unit_test(test_resolve),
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_bad_combinations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
