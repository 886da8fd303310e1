/* SPDX-License-Identifier: MIT
 * Inference: the bits of the training pass in its mode of inference, for any cut of rows, and
 * the fold against its definition. */
#include "nn/infer.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "nn/softmax.h"
#include "nn/tape.h"
#include "support.h"

#include <math.h>

enum { DIM = 23, OUTPUTS = 5, MOST = IM_INFER_ROWS };

/* A network whose normalization does something. */
static im_net make_net(const size_t *hidden, size_t count)
{
    imsat_error err;
    im_net net;
    assert_ok(im_net_new(&net, DIM, hidden, count, OUTPUTS, &err), &err);
    im_net_init(&net, 1, 1, 7);
    for (size_t l = 0; l < net.layers; l++) {
        const im_layer *layer = &net.layer[l];
        for (size_t u = 0; u < layer->out; u++) {
            layer->bias[u] = (im_real)(0.1 * (double)(u % 7) - 0.25);
            if (!layer->hidden)
                continue;
            layer->gain[u] = (im_real)(0.5 + 0.3 * (double)(u % 5));
            layer->mean[u] = (im_real)(0.2 * (double)(u % 3) - 0.3);
            layer->var[u] = (im_real)(0.4 + 0.1 * (double)(u % 11));
        }
    }
    return net;
}

static im_real rows[MOST * DIM];

static void make_rows(void)
{
    float row[DIM];
    for (size_t i = 0; i < MOST; i++) {
        im_rng_normals(row, DIM, (im_rng){11, IM_STREAM_INIT, 0, 0}, (uint32_t)i);
        for (size_t j = 0; j < DIM; j++)
            rows[i * DIM + j] = row[j];
    }
}

static void tape_proba(im_real *p, im_net *net, const im_gemm_kernel *kernel, size_t n)
{
    imsat_error err;
    im_pool *pool;
    im_tape tape;
    assert_ok(im_pool_new(&pool, 1, &err), &err);
    assert_ok(im_tape_new(&tape, net, pool, kernel, n, 1, &err), &err);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < DIM; j++)
            im_tape_input(&tape, 0, i)[j * IM_GEMM_NR] = rows[i * DIM + j];
    im_tape_forward(&tape, net, 0, IM_BN_INFER);
    im_softmax_forward(p, tape.xhat[net->layers - 1], tape.ld, n, OUTPUTS);
    im_tape_clear(&tape);
    im_pool_free(pool);
}

static void check_net(const size_t *hidden, size_t count, bool reference)
{
    static im_real expected[MOST * OUTPUTS];
    imsat_error err;
    im_infer infer;
    im_net net = make_net(hidden, count);
    const im_gemm_kernel *kernel = im_gemm_select(reference);
    assert_ok(im_infer_new(&infer, &net, kernel, 2, MOST, &err), &err);
    tape_proba(expected, &net, kernel, MOST);
    const size_t sizes[] = {MOST, 1, 37, 32, 127};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const size_t n = sizes[s], first = MOST - n;
        const int thread = (int)(s % 2);
        for (size_t i = 0; i < n; i += IM_GEMM_NR)
            im_infer_put(&infer, thread, i / IM_GEMM_NR, rows + (first + i) * DIM,
                         n - i < IM_GEMM_NR ? n - i : IM_GEMM_NR);
        assert_memory_equal(im_infer_run(&infer, thread, n), expected + first * OUTPUTS,
                            n * OUTPUTS * sizeof *expected);
    }
    im_infer_clear(&infer);
    im_net_clear(&net);
}

static void test_the_bits_of_the_training_pass(void **state)
{
    (void)state;
    const size_t hidden[] = {61, 97, 13};
    make_rows();
    for (size_t count = 0; count <= 3; count++) {
        check_net(hidden, count, false);
        check_net(hidden, count, true);
    }
}

/* z scale + shift is gain (z - mean) / sqrt(var + eps) + bias, also far from 0. */
/* A row of values that its weights cannot take is found, wherever it is in the block; without
 * it there is none. */
static void test_overflow_is_of_its_row(void **state)
{
    (void)state;
    enum { N = 70 };
    const size_t hidden[2] = {29, 17};
    imsat_error err;
    im_infer infer;
    im_net net = make_net(hidden, 2);
    assert_ok(im_infer_new(&infer, &net, im_gemm_select(false), 1, N, &err), &err);
    for (size_t bad = 0; bad <= N; bad++) {
        make_rows();
        for (size_t j = 0; bad < N && j < DIM; j++)
            rows[bad * DIM + j] = (im_real)(bad % 2 ? 3e38 : -3e38);
        for (size_t first = 0; first < N; first += IM_GEMM_NR)
            im_infer_put(&infer, 0, first / IM_GEMM_NR, rows + first * DIM,
                         im_size_min(N - first, IM_GEMM_NR));
        im_infer_run(&infer, 0, N);
        assert_int_equal(im_infer_overflow(&infer, 0, N), bad);
    }
    im_infer_clear(&infer);
    im_net_clear(&net);
}

static void test_fold(void **state)
{
    (void)state;
    const double means[] = {0, 0.3, -7, 1000};
    for (size_t m = 0; m < sizeof means / sizeof *means; m++) {
        im_real mean = (im_real)means[m], var = (im_real)0.37;
        const im_bn_unit unit = {(im_real)1.3, (im_real)-0.2, &mean, &var};
        const im_bn_fold fold = im_batchnorm_fold(unit);
        for (double step = -2; step <= 2; step += 0.37) {
            const double z = means[m] + step;
            const double y = 1.3 * step / sqrt(0.37 + IM_BN_EPSILON) - 0.2;
            assert_near(im_batchnorm_infer((im_real)z, fold), y > 0 ? y : 0,
                        1e-6 * (1 + 2 * fabs(means[m])));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_bits_of_the_training_pass),
        cmocka_unit_test(test_overflow_is_of_its_row),
        cmocka_unit_test(test_fold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
