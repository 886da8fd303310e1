/* SPDX-License-Identifier: MIT
 * The rotation nearest to a matrix, against numpy's singular value decomposition and by what
 * it is. */
#include "linear/polar.h"

#include "core/rng.h"
#include "failing_alloc.h"
#include "support.h"

enum { N = 9 };

static void as_numpy_has_it(void **state)
{
    (void)state;
    static const double m[] = {2, -1, .5, 0, 1, 3, 1.5, 0, -1};
    static const double expected[] = {
        0.6702928224047568, -0.6829214611736211, 0.2903890667727538,
        0.1213140291376806, 0.48688311160605935, 0.8650015849506768,
        0.7321136787187125, 0.544576086053444,   -0.4092022090991999};
    double r[9];
    assert_ok(im_polar_rotation(r, m, 3, NULL), NULL);
    for (size_t i = 0; i < 9; i++)
        assert_near(r[i], expected[i], 1e-13);
}

/* R^T R = I; and P = R^T M is symmetric. rank: how many rows of M are not 0. */
static void check(size_t rank)
{
    double m[N * N] = {0}, r[N * N];
    for (size_t i = 0; i < rank; i++) {
        float normal[N];
        im_rng_normals(normal, N, (im_rng){.seed = 8, .stream = IM_STREAM_INIT}, (uint32_t)i);
        for (size_t j = 0; j < N; j++)
            m[i * N + j] = normal[j];
    }
    assert_ok(im_polar_rotation(r, m, N, NULL), NULL);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double dot = 0, p = 0, q = 0;
            for (size_t k = 0; k < N; k++) {
                dot += r[k * N + i] * r[k * N + j];
                p += r[k * N + i] * m[k * N + j];
                q += r[k * N + j] * m[k * N + i];
            }
            assert_near(dot, i == j, 1e-13);
            assert_near(p, q, 1e-6);
        }
}

static void rotations_whatever_the_rank(void **state)
{
    (void)state;
    check(N);
    check(N - 1);
    check(3);
    check(0);
}

static imsat_status try_once(void *context, imsat_error *err)
{
    double r[9];
    return im_polar_rotation(r, context, 3, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    double m[] = {2, -1, .5, 0, 1, 3, 1.5, 0, -1};
    assert_int_equal(fail_each(try_once, m), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_numpy_has_it),
        cmocka_unit_test(rotations_whatever_the_rank),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
