/* SPDX-License-Identifier: MIT
 * Batch normalization of one unit: what each mode normalizes by, what it leaves in the running
 * averages, and that folding changes nothing. Its gradient is in grad/test_losses. */
#include "nn/batchnorm.h"

#include "support.h"

#include <math.h>

enum { N = 21 };

static const double GAIN = 0.75, BIAS = 0.125;

static void fill(im_real *z)
{
    for (size_t i = 0; i < N; i++)
        z[i] = (im_real)(3 + 2 * sin(1 + 5.0 * (double)i));
}

/* Mean and sum of squares about it. */
static void moments(double *mean, double *squares, const im_real *z)
{
    *mean = *squares = 0;
    for (size_t i = 0; i < N; i++)
        *mean += (double)z[i] / N;
    for (size_t i = 0; i < N; i++)
        *squares += ((double)z[i] - *mean) * ((double)z[i] - *mean);
}

static void assert_normalized(const im_real *a, const im_real *z, double mean, double var)
{
    for (size_t i = 0; i < N; i++) {
        const double xhat = ((double)z[i] - mean) / sqrt(var + IM_BN_EPSILON);
        assert_near((double)a[i], fmax(GAIN * xhat + BIAS, 0), 1e-6);
    }
}

static void check_batch(im_bn_mode mode)
{
    im_real z[N], xhat[N], a[N], running_mean = 2, running_var = 5;
    double mean, squares;
    fill(z);
    fill(xhat);
    moments(&mean, &squares, z);
    const im_bn_unit unit = {(im_real)GAIN, (im_real)BIAS, &running_mean, &running_var};
    const im_real inv = im_batchnorm_forward(a, xhat, unit, mode, N);
    assert_normalized(a, z, mean, squares / N);
    assert_near((double)inv, 1 / sqrt(squares / N + IM_BN_EPSILON), 1e-6);
    const double kept = mode == IM_BN_TRAIN ? IM_BN_DECAY : 1;
    assert_near((double)running_mean, kept * 2 + (1 - kept) * mean, 1e-6);
    assert_near((double)running_var, kept * 5 + (1 - kept) * squares / (N - 1), 1e-6);
}

static void a_batch_is_normalized_by_itself(void **state)
{
    (void)state;
    check_batch(IM_BN_TRAIN);
    check_batch(IM_BN_BATCH);
}

static void inference_uses_the_running_averages(void **state)
{
    (void)state;
    im_real z[N], xhat[N], a[N], mean = (im_real)2.5, var = (im_real)1.75;
    fill(z);
    fill(xhat);
    const im_bn_unit unit = {(im_real)GAIN, (im_real)BIAS, &mean, &var};
    const im_bn_fold fold = im_batchnorm_fold(unit);
    im_batchnorm_forward(a, xhat, unit, IM_BN_INFER, N);
    assert_normalized(a, z, 2.5, 1.75);
    for (size_t i = 0; i < N; i++)
        assert_true(a[i] == im_batchnorm_infer(z[i], fold));
    assert_true(mean == (im_real)2.5 && var == (im_real)1.75);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_is_normalized_by_itself),
        cmocka_unit_test(inference_uses_the_running_averages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
