/* SPDX-License-Identifier: MIT
 * Presets and the checks of options. */
#include "blobs.h"
#include "support.h"

#include "train/trainer.h"

#include <math.h>

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(imsat_method_name(IMSAT_VAT), "imsat-vat");
    assert_null(imsat_method_name(IMSAT_METHODS));
    assert_string_equal(imsat_preset_name(IMSAT_PRESET_PAPER), "paper");
    assert_null(imsat_preset_summary(IMSAT_PRESETS));
    for (imsat_method method = 0; method < IMSAT_METHODS; method++)
        assert_non_null(imsat_method_summary(method));
}

/* The numbers of the paper and of the authors' code. */
static void test_presets(void **state)
{
    (void)state;
    imsat_options o;
    imsat_options_init(&o, IMSAT_VAT, IMSAT_PRESET_PAPER);
    assert_near(o.init_hidden, 0.1 * sqrt(2), 1e-12);
    assert_int_equal(o.neighbor, 10);
    assert_int_equal(o.mu_auto, 1);
    assert_true(o.delta < 0);
    assert_int_equal(o.fresh_batches, 0);
    imsat_options_init(&o, IMSAT_RPT, IMSAT_PRESET_REFERENCE);
    assert_near(o.init_output, 0.01, 1e-12);
    assert_near(o.lambda, 0.05, 1e-12);
    assert_near(o.mu, 0.2, 1e-12);
    assert_near(o.alpha, 2.5, 1e-12);
    assert_int_equal(o.neighbor, 11);
    assert_int_equal(o.fresh_batches, 1);
    assert_true(o.delta < 0);
    assert_int_equal(o.hidden_count, 2);
    assert_int_equal(o.hidden[1], 1200);
    imsat_options_init(&o, IMSAT_LINEAR_VAT, IMSAT_PRESET_REFERENCE);
    assert_near(o.lambda, 1.6, 1e-12);
    assert_int_equal(o.hidden_count, 0);
    imsat_options_init(&o, IMSAT_DEEP_RIM, IMSAT_PRESET_PAPER);
    assert_near(o.decay, 0.005, 1e-12);
}

static void test_resolve(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options o;
    imsat_options_init(&o, IMSAT_VAT, IMSAT_PRESET_DEFAULT);
    o.k = 4;
    o.mu_auto = 1;
    o = im_options_resolve(&o, data);
    assert_int_equal(o.hidden_count, 2);
    assert_int_equal(o.batch, 64);
    assert_int_equal(o.epochs, 400);
    assert_near(o.delta, 0.01 * log(4), 1e-12);
    assert_near(o.scale, 1, 0);
    o.batch = 1000;
    o.epochs = 0;
    o = im_options_resolve(&o, data);
    assert_int_equal(o.batch, BLOB_ROWS);
    assert_int_equal(o.epochs, 500);
    o.batch = 0;
    o.k = 30;
    assert_int_equal(im_options_resolve(&o, data).batch, 150);
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
        BAD(step_size, true, 0, "step-size is 0"),
        BAD(init_hidden, true, 0, "init-hidden is 0"),
        BAD(scale, true, INFINITY, "scale inf"),
        BAD(delta, true, NAN, "delta is not a number"),
        BAD(runs, false, 0, "runs is 0"),
        BAD(batch, false, 1, "batch is 1"),
        BAD(neighbor, false, 0, "neighbor is 0"),
        BAD(power, false, 0, "power is 0"),
        BAD(hidden[1], false, 0, "hidden layer 2 has 0 units"),
        BAD(hidden_count, false, IMSAT_MAX_HIDDEN + 1, "9 hidden layers"),
    };
    imsat_data *data = blobs_open();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_error err;
        imsat_options o = blobs_options(IMSAT_VAT);
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
    imsat_options o = blobs_options(IMSAT_AFFINE);
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "--image");
    o = blobs_options(IMSAT_OWN);
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "options.augment");
    o = blobs_options(IMSAT_LINEAR_RIM);
    o.hidden_count = 1;
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "is linear");
    o = blobs_options(IMSAT_VAT);
    o.resume = 1;
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "checkpoint");
    o = blobs_options(IMSAT_VAT);
    o.prior = short_of_one;
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "sums to 0.9");
    o.prior = zero;
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "cluster 2 is 0");
    float radius[BLOB_ROWS] = {0};
    radius[5] = -1;
    o = blobs_options(IMSAT_VAT);
    o.radius = radius;
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "radius of row 5");
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_presets),
        cmocka_unit_test(test_resolve),
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_bad_combinations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
