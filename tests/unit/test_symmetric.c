/* SPDX-License-Identifier: MIT
 * Eigenvalues and eigenvectors of symmetric matrices, against LAPACK's and by what they are.
 */
#include "linear/symmetric.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "support.h"

#include <math.h>

enum { MOST = 40 };

static double a[MOST * MOST], before[MOST * MOST], z[MOST * MOST], value[MOST];

static void solve(size_t n)
{
    double *scratch = im_alloc(im_symmetric_scratch(n), sizeof *scratch);
    assert_non_null(scratch);
    memcpy(before, a, n * n * sizeof *a);
    im_symmetric_eigen(value, z, a, n, scratch);
    im_free(scratch);
}

/* A = Z^T diag(value) Z, Z Z^T = I, values descending, signs as promised. */
static void check(size_t n, double tolerance)
{
    for (size_t i = 0; i < n; i++) {
        size_t largest = 0;
        for (size_t j = 0; j < n; j++) {
            double sum = 0, dot = 0;
            for (size_t e = 0; e < n; e++) {
                sum += z[e * n + i] * value[e] * z[e * n + j];
                dot += z[i * n + e] * z[j * n + e];
            }
            assert_near(sum, before[i * n + j], tolerance);
            assert_near(dot, i == j, 1e-13 * (double)n);
            largest = fabs(z[i * n + j]) > fabs(z[i * n + largest]) ? j : largest;
        }
        assert_true(z[i * n + largest] > 0);
        assert_true(i == 0 || value[i] <= value[i - 1]);
    }
}

/* numpy.linalg.eigh, which is LAPACK's dsyevd. */
static void as_lapack_has_it(void **state)
{
    (void)state;
    static const double matrix[] = {4, 1, -2, .5, 1, 3, 0, -1, -2, 0, -1, 2, .5, -1, 2, 5};
    static const double values[] = {6.036672710002512, 4.844573642337671, 2.465788841945445,
                                    -2.347035194285627};
    static const double vectors[] = {
        -0.28839932749890884, -0.36690903539072994, 0.3166788340860543,   0.8257833273254668,
        0.8547206690406636,   0.2197652243080132,   -0.13871777996755602, 0.4493475287796762,
        -0.2868147609323354,  0.8968411708907146,   0.27647533207683755,  0.19228779956019684,
        0.32251464885208725,  -0.11294653659526299, 0.8966790308219393,   -0.2814144573954532};
    memcpy(a, matrix, sizeof matrix);
    solve(4);
    for (size_t i = 0; i < 4; i++)
        assert_near(value[i], values[i], 1e-14);
    for (size_t i = 0; i < 16; i++)
        assert_near(z[i], vectors[i], 1e-14);
}

static void random_matrices(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 2, 3, 17, MOST};
    for (size_t s = 0; s < 5; s++) {
        const size_t n = sizes[s];
        for (size_t i = 0; i < n; i++) {
            float normal[MOST];
            im_rng_normals(normal, n, (im_rng){7, IM_STREAM_INIT, (uint32_t)n, 0},
                           (uint32_t)i);
            for (size_t j = 0; j <= i; j++)
                a[i * n + j] = a[j * n + i] = normal[j];
        }
        solve(n);
        check(n, 1e-12);
    }
}

/* Values that repeat, and that are 0: one in each of a few blocks that are all ones. */
static void values_that_repeat(void **state)
{
    (void)state;
    const size_t n = 12, block = 4;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            a[i * n + j] = i / block == j / block;
    solve(n);
    check(n, 1e-13);
    for (size_t i = 0; i < n; i++)
        assert_near(value[i], i < n / block ? (double)block : 0, 1e-13);
    memset(a, 0, sizeof a);
    solve(n);
    check(n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_lapack_has_it),
        cmocka_unit_test(random_matrices),
        cmocka_unit_test(values_that_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
