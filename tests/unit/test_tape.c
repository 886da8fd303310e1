/* SPDX-License-Identifier: MIT
 * Passes over a batch: as the definition in double says, the same bits for any number of
 * threads, and both forms of the input alike. Gradients are in grad/test_step.
 * tsan: threads_do_not_change_the_bits. */
#include "nn/tape.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "nn/blocks.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* More inputs and rows than a panel, more units than a block. */
enum { DIM = 37, H = 29, OUTPUTS = 5, ROWS = 41, BRANCHES = 2 };

static im_net net;
static float x[BRANCHES * ROWS * DIM];

static int open_net(void **state)
{
    (void)state;
    imsat_error err;
    const size_t hidden[1] = {H};
    assert_ok(im_net_new(&net, DIM, hidden, 1, OUTPUTS, &err), &err);
    im_net_init(&net, 1, 1, 3);
    for (size_t u = 0; u < H; u++)
        net.layer[0].bias[u] = (im_real)(0.02 * (double)u);
    im_rng_normals(x, BRANCHES * ROWS * DIM, (im_rng){5, IM_STREAM_INIT, 9, 0}, 0);
    return 0;
}

static int close_net(void **state)
{
    (void)state;
    im_net_clear(&net);
    return 0;
}

/* Every unit is in one block, and blocks begin at tiles. */
static void check_cut(size_t units, size_t parts)
{
    enum { MOST = 200 };
    int taken[MOST] = {0};
    for (size_t b = 0; b < im_blocks_count(units, parts); b++) {
        const im_units block = im_blocks_at(units, parts, b);
        assert_true(block.count <= IM_UNIT_BLOCK && block.first % IM_GEMM_MR == 0);
        for (size_t u = block.first; u < block.first + block.count; u++)
            taken[u]++;
    }
    for (size_t u = 0; u < MOST; u++)
        if (taken[u] != (u < units))
            fail_msg("%zu units in %zu parts: unit %zu is taken %d times", units, parts, u,
                     taken[u]);
}

static void blocks_have_each_unit_once(void **state)
{
    (void)state;
    for (size_t units = 1; units < 200; units++)
        for (size_t parts = 1; parts < 8; parts++)
            check_cut(units, parts);
}

/* The last blocks of each part are small, and no others: threads end together. */
static void last_blocks_are_small(void **state)
{
    (void)state;
    enum { UNITS = 600, PARTS = 2, BLOCKS = UNITS / PARTS / IM_UNIT_BLOCK };
    assert_int_equal(im_blocks_per_part(UNITS, PARTS), BLOCKS + 1 + 1);
    for (size_t b = 0; b < im_blocks_count(UNITS, PARTS); b++) {
        const size_t left = im_blocks_per_part(UNITS, PARTS) - b % (BLOCKS + 2);
        assert_int_equal(im_blocks_at(UNITS, PARTS, b).count,
                         left <= 3 ? IM_GEMM_MR : IM_UNIT_BLOCK);
    }
}

static void open_tape(im_tape *tape, int threads)
{
    imsat_error err;
    im_pool *pool;
    assert_ok(im_pool_new(&pool, threads, &err), &err);
    assert_ok(im_tape_new(tape, &net, pool, im_gemm_select(false), ROWS, BRANCHES, &err),
              &err);
    for (size_t r = 0; r < BRANCHES; r++) {
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < DIM; j++)
                im_tape_input_row(tape, r,
                                  i)[j / IM_GEMM_NR * im_gemm_panel(ROWS) + j % IM_GEMM_NR] =
                    x[(r * ROWS + i) * DIM + j];
        for (size_t i = 0; i < ROWS; i += 16) /* rows of one panel */
            im_tape_rows_to_columns(tape, r, i, ROWS - i < 16 ? ROWS - i : 16);
    }
}

static void close_tape(im_tape *tape)
{
    im_pool *pool = tape->pool;
    im_tape_clear(tape);
    im_pool_free(pool);
}

/* Unit u of the hidden layer, of all rows of a branch, normalized by the batch. */
static void plain_unit(double a[ROWS], size_t branch, size_t u)
{
    double mean = 0, var = 0;
    for (size_t i = 0; i < ROWS; i++) {
        a[i] = 0;
        for (size_t j = 0; j < DIM; j++)
            a[i] +=
                (double)net.layer[0].w[u * DIM + j] * (double)x[(branch * ROWS + i) * DIM + j];
        mean += a[i] / ROWS;
    }
    for (size_t i = 0; i < ROWS; i++)
        var += (a[i] - mean) * (a[i] - mean) / ROWS;
    for (size_t i = 0; i < ROWS; i++)
        a[i] =
            fmax((a[i] - mean) / sqrt(var + IM_BN_EPSILON) + (double)net.layer[0].bias[u], 0);
}

static void logits_are_as_defined(void **state)
{
    (void)state;
    im_tape tape;
    open_tape(&tape, 2);
    for (size_t r = 0; r < BRANCHES; r++) {
        double logit[OUTPUTS * ROWS] = {0}, a[ROWS];
        im_tape_forward(&tape, &net, r, IM_BN_BATCH);
        for (size_t u = 0; u < H; u++) {
            plain_unit(a, r, u);
            for (size_t k = 0; k < OUTPUTS; k++)
                for (size_t i = 0; i < ROWS; i++)
                    logit[k * ROWS + i] += (double)net.layer[1].w[k * H + u] * a[i];
        }
        const im_real *z = im_tape_branch(&tape, tape.xhat[1], r);
        for (size_t k = 0; k < OUTPUTS; k++)
            for (size_t i = 0; i < ROWS; i++)
                assert_near((double)z[k * tape.ld + i], logit[k * ROWS + i], 1e-5);
    }
    close_tape(&tape);
}

/* The gradient of all parameters, from the logits as dz. */
static void gradient(im_real *grad, int threads)
{
    im_tape tape;
    open_tape(&tape, threads);
    for (size_t r = 0; r < BRANCHES; r++) {
        im_tape_forward(&tape, &net, r, IM_BN_BATCH);
        for (size_t k = 0; k < OUTPUTS; k++)
            memcpy(im_tape_branch(&tape, tape.dz[1], r) + k * tape.ld,
                   im_tape_branch(&tape, tape.xhat[1], r) + k * tape.ld,
                   ROWS * sizeof(im_real));
    }
    im_tape_backward(&tape, &net, NULL, 0);
    memcpy(grad, tape.grad, net.nparams * sizeof *grad);
    close_tape(&tape);
}

static void threads_do_not_change_the_bits(void **state)
{
    (void)state;
    im_real *one = im_alloc(net.nparams, sizeof *one),
            *other = im_alloc(net.nparams, sizeof *one);
    gradient(one, 1);
    assert_true(one[0] != 0 && one[net.nparams - 1] != 0);
    for (int threads = 2; threads <= 3; threads++) {
        gradient(other, threads);
        assert_memory_equal(other, one, net.nparams * sizeof *one);
    }
    im_free(one);
    im_free(other);
}

static void both_forms_of_the_input_are_alike(void **state)
{
    (void)state;
    im_tape tape;
    open_tape(&tape, 1);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < DIM; j++)
            assert_true(im_tape_input(&tape, 1, i)[j * IM_GEMM_NR] ==
                        (im_real)x[(ROWS + i) * DIM + j]);
    im_tape_input(&tape, 1, 33)[36 * IM_GEMM_NR] = 77; /* row 33, input 36 */
    im_tape_columns_to_rows(&tape, 1, 32, ROWS - 32);
    assert_true(im_tape_input_row(&tape, 1, 33)[im_gemm_panel(ROWS) + 36 - IM_GEMM_NR] == 77);
    close_tape(&tape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_have_each_unit_once),
        cmocka_unit_test(last_blocks_are_small),
        cmocka_unit_test(logits_are_as_defined),
        cmocka_unit_test(threads_do_not_change_the_bits),
        cmocka_unit_test(both_forms_of_the_input_are_alike),
    };
    return cmocka_run_group_tests(tests, open_net, close_net);
}
