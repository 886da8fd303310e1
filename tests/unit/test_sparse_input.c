/* SPDX-License-Identifier: MIT
 * A batch of sparse rows: logits and gradients have the bits of the dense batch, for any
 * number of threads; with a background they are those of the filled batch but for rounding.
 * tsan: same_bits_as_the_dense_batch. */
#include "nn/sparse_input.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "nn/tape.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* More inputs and rows than a panel, more units than a block. */
enum { DIM = 71, H = 29, OUTPUTS = 5, ROWS = 41, BRANCHES = 2, MOST = ROWS + 3, EVERY = 6 };

static float x[BRANCHES * ROWS * DIM]; /* of the clean batch one in EVERY is not zero */
static im_real background[DIM];

static int make_rows(void **state)
{
    (void)state;
    float normal[DIM];
    im_rng_normals(x, BRANCHES * ROWS * DIM, (im_rng){5, IM_STREAM_INIT, 9, 0}, 0);
    im_rng_normals(normal, DIM, (im_rng){5, IM_STREAM_INIT, 10, 0}, 0);
    for (size_t i = 0; i < ROWS * DIM; i++) {
        uint32_t word[4];
        im_rng_block(word, (im_rng){6, IM_STREAM_INIT, 0, 0}, (uint32_t)i, 0);
        if (word[0] % EVERY)
            x[i] = 0;
    }
    for (size_t j = 0; j < DIM; j++)
        background[j] = normal[j];
    return 0;
}

static void make_net(im_net *net, size_t layers)
{
    imsat_error err;
    const size_t hidden[1] = {H};
    assert_ok(im_net_new(net, DIM, hidden, layers - 1, OUTPUTS, &err), &err);
    im_net_init(net, 1, 1, 3);
    for (size_t l = 0; l < layers; l++)
        for (size_t u = 0; u < net->layer[l].out; u++)
            net->layer[l].bias[u] = (im_real)(0.02 * (double)u);
}

/* Row i of a branch, filled: the background, if there is one, is added in the clean batch. */
static void fill_row(im_tape *tape, size_t branch, size_t i, bool filled)
{
    for (size_t j = 0; j < DIM; j++)
        im_tape_input_row(tape, branch,
                          i)[j / IM_GEMM_NR * im_gemm_panel(ROWS) + j % IM_GEMM_NR] =
            x[(branch * ROWS + i) * DIM + j] + (filled && branch == 0 ? background[j] : 0);
}

static void fill_sparse(im_sparse_input *input)
{
    im_sparse_input_begin(input);
    for (size_t i = 0; i < ROWS; i++) {
        size_t count = 0;
        for (size_t j = 0; j < DIM; j++)
            count += x[i * DIM + j] != 0;
        im_sparse_input_count(input, count);
    }
    for (size_t i = 0; i < ROWS; i++) {
        int32_t *column = im_sparse_input_columns(input, i);
        im_real *value = im_sparse_input_values(input, i);
        for (size_t j = 0; j < DIM; j++)
            if (x[i * DIM + j] != 0) {
                *column++ = (int32_t)j;
                *value++ = x[i * DIM + j];
            }
    }
    im_sparse_input_end(input);
}

static void run(im_tape *tape, im_net *net, im_bn_mode mode)
{
    const size_t last = net->layers - 1;
    for (size_t r = 0; r < BRANCHES; r++) {
        im_tape_forward(tape, net, r, mode);
        for (size_t k = 0; k < OUTPUTS; k++)
            memcpy(im_tape_branch(tape, tape->dz[last], r) + k * tape->ld,
                   im_tape_branch(tape, tape->xhat[last], r) + k * tape->ld,
                   ROWS * sizeof(im_real));
    }
    im_tape_backward(tape, net, NULL, 0);
}

/* The gradient of all parameters, from the logits as dz; and dx of the second branch. */
static void gradient(im_real *grad, size_t layers, int threads, bool sparse, bool shifted,
                     im_bn_mode mode)
{
    imsat_error err;
    im_pool *pool;
    im_net net;
    im_tape tape;
    im_sparse_input input;
    make_net(&net, layers);
    assert_ok(im_pool_new(&pool, threads, &err), &err);
    assert_ok(im_tape_new(&tape, &net, pool, im_gemm_select(false), ROWS, BRANCHES, &err),
              &err);
    assert_ok(im_sparse_input_new(&input, DIM, MOST, DIM, shifted ? background : NULL,
                                  (size_t)threads, &err),
              &err);
    fill_sparse(&input);
    if (sparse)
        tape.sparse = &input;
    for (size_t r = sparse ? 1 : 0; r < BRANCHES; r++)
        for (size_t i = 0; i < ROWS; i++)
            fill_row(&tape, r, i, shifted);
    for (size_t r = sparse ? 1 : 0; r < BRANCHES; r++)
        for (size_t i = 0; i < ROWS; i += 16)
            im_tape_rows_to_columns(&tape, r, i, ROWS - i < 16 ? ROWS - i : 16);
    run(&tape, &net, mode);
    memcpy(grad, tape.grad, net.nparams * sizeof *grad);
    im_tape_backward_input(&tape, 1);
    for (size_t j = 0; j < DIM; j++)
        memcpy(grad + net.nparams + j * ROWS, tape.dx + j * tape.dx_ld,
               ROWS * sizeof(im_real));
    im_sparse_input_clear(&input);
    im_tape_clear(&tape);
    im_pool_free(pool);
    im_net_clear(&net);
}

static size_t count_of(size_t layers)
{
    im_net net;
    make_net(&net, layers);
    const size_t count = net.nparams + DIM * ROWS;
    im_net_clear(&net);
    return count;
}

static void same_bits_as_the_dense_batch(void **state)
{
    (void)state;
    for (size_t layers = 1; layers <= 2; layers++) {
        const size_t count = count_of(layers);
        im_real *dense = im_alloc(count, sizeof *dense);
        im_real *sparse = im_alloc(count, sizeof *sparse);
        gradient(dense, layers, 1, false, false, IM_BN_BATCH);
        for (int threads = 1; threads <= 3; threads++) {
            gradient(sparse, layers, threads, true, false, IM_BN_BATCH);
            assert_true(sparse[0] != 0);
            assert_memory_equal(sparse, dense, count * sizeof *dense);
        }
        im_free(dense);
        im_free(sparse);
    }
}

/* Not normalized by the batch, which would take the background out again. */
static void background_is_not_filled(void **state)
{
    (void)state;
    for (size_t layers = 1; layers <= 2; layers++) {
        const size_t count = count_of(layers);
        im_real *filled = im_alloc(count, sizeof *filled);
        im_real *sparse = im_alloc(count, sizeof *sparse);
        im_real *plain = im_alloc(count, sizeof *plain);
        gradient(filled, layers, 1, false, true, IM_BN_INFER);
        gradient(sparse, layers, 1, true, true, IM_BN_INFER);
        gradient(plain, layers, 2, true, true, IM_BN_INFER);
        assert_memory_equal(plain, sparse, count * sizeof *plain); /* threads */
        gradient(plain, layers, 1, true, false, IM_BN_INFER);
        double apart = 0;
        for (size_t i = 0; i < count; i++) {
            assert_near((double)sparse[i], (double)filled[i],
                        2e-5 * (10 + fabs((double)filled[i])));
            apart = fmax(apart, fabs((double)(plain[i] - filled[i])));
        }
        assert_true(apart > 0.1); /* or there is nothing to see */
        im_free(filled);
        im_free(sparse);
        im_free(plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_as_the_dense_batch),
        cmocka_unit_test(background_is_not_filled),
    };
    return cmocka_run_group_tests(tests, make_rows, NULL);
}
