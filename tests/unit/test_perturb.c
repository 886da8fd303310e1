/* SPDX-License-Identifier: MIT
 * Perturbations of a strip: r has the wanted length and direction, in both layouts, and is 0
 * where there is no direction to go. */
#include "augment/perturb.h"

#include "core/gemm.h"
#include "support.h"

#include <math.h>

/* More inputs than a panel, and a count that is no multiple of the rows taken together. */
enum { DIM = IM_GEMM_NR + 9, COUNT = 11, PANEL = IM_GEMM_NR * 13, LDG = 17 };

static const im_rng RNG = {.seed = 8, .stream = IM_STREAM_AUGMENT, .step = 3};

static im_real x[2 * PANEL], out[2 * PANEL];
static double length[COUNT];

/* Input j of row i, in rows that are IM_GEMM_NR apart and come in panels. */
static size_t at(size_t i, size_t j)
{
    return j / IM_GEMM_NR * PANEL + i * IM_GEMM_NR + j % IM_GEMM_NR;
}

static int fill(void **state)
{
    (void)state;
    float values[2 * PANEL];
    im_rng_normals(values, 2 * PANEL, RNG, 1);
    for (size_t i = 0; i < 2 * PANEL; i++)
        x[i] = out[i] = values[i];
    for (size_t i = 0; i < COUNT; i++)
        length[i] = 0.5 + 0.25 * (double)i;
    return 0;
}

/* out - x of row i must be length[i] along `direction` (DIM). */
static void assert_row(size_t i, const float *direction)
{
    double square = 0;
    for (size_t j = 0; j < DIM; j++)
        square += (double)direction[j] * (double)direction[j];
    for (size_t j = 0; j < DIM; j++)
        assert_near((double)out[at(i, j)] - (double)x[at(i, j)],
                    length[i] * (double)direction[j] / sqrt(square), 1e-6);
}

static void test_given(void **state)
{
    (void)state;
    float direction[COUNT * DIM];
    im_rng_normals(direction, COUNT * DIM, RNG, 2);
    for (size_t j = 0; j < DIM; j++)
        direction[4 * DIM + j] = 0;
    direction[5 * DIM + 3] = INFINITY;
    im_perturb_given(out, x, PANEL, direction, length, COUNT, DIM);
    for (size_t i = 0; i < COUNT; i++)
        if (i != 4 && i != 5)
            assert_row(i, direction + i * DIM);
    for (size_t j = 0; j < DIM; j++) { /* no direction: they stay */
        assert_true(out[at(4, j)] == x[at(4, j)]);
        assert_true(out[at(5, j)] == x[at(5, j)]);
    }
}

/* Each row has the stream of its item, wherever it lies in the strip. */
static void test_random(void **state)
{
    (void)state;
    float direction[DIM], scratch[COUNT * DIM];
    uint32_t item[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        item[i] = (uint32_t)(100 - 7 * i);
    im_perturb_random(out, x, PANEL, length, item, COUNT, DIM, RNG, scratch);
    for (size_t i = 0; i < COUNT; i++) {
        im_rng_normals(direction, DIM, RNG, item[i]);
        assert_row(i, direction);
    }
}

/* Columns of g: of the sign of g, so that the divergence grows. */
static void test_along(void **state)
{
    (void)state;
    float values[DIM * LDG];
    im_real g[DIM * LDG], from[DIM * IM_GEMM_NR], to[DIM * IM_GEMM_NR];
    im_rng_normals(values, DIM * LDG, RNG, 3);
    for (size_t i = 0; i < DIM * LDG; i++)
        g[i] = values[i];
    for (size_t i = 0; i < DIM * IM_GEMM_NR; i++)
        from[i] = x[i % PANEL];
    for (size_t j = 0; j < DIM; j++) {
        g[j * LDG + 2] = 0;
        g[j * LDG + 6] *= (im_real)1e-30; /* its square is no float, its direction is one */
    }
    g[7 * LDG + 8] = NAN;
    im_perturb_along(to, from, IM_GEMM_NR, g, LDG, length, COUNT, DIM);
    for (size_t i = 0; i < COUNT; i++) {
        double square = 0, along = 0;
        for (size_t j = 0; j < DIM; j++) {
            const double r = (double)to[j * IM_GEMM_NR + i] - (double)from[j * IM_GEMM_NR + i];
            square += r * r;
            along += r * (double)g[j * LDG + i];
        }
        const int lost = i == 2 || i == 8; /* a gradient that is 0, or not finite */
        assert_near(sqrt(square), lost ? 0 : length[i], 1e-5);
        assert_true(lost || along > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_given, fill),
        cmocka_unit_test_setup(test_random, fill),
        cmocka_unit_test_setup(test_along, fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
