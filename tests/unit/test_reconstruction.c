/* SPDX-License-Identifier: MIT
 * The loss of a reconstruction, with and without a ReLU behind it. Its gradient in a network
 * is in grad/test_autoencoder. */
#include "objective/reconstruction.h"

#include "support.h"

#include <math.h>

enum { N = 5, D = 3 };

static void loss_and_gradient_are_as_defined(void **state)
{
    (void)state;
    const im_real z[N] = {1, -2, 3, -1, 0}, x[N] = {2, 1, 1, 0, 4};
    for (int rectified = 0; rectified < 2; rectified++) {
        im_real dz[N];
        double loss = 0;
        const double found = im_reconstruction_unit(dz, z, x, rectified != 0, N, D);
        for (size_t i = 0; i < N; i++) {
            const double y = rectified ? fmax((double)z[i], 0) : (double)z[i];
            const double e = y - (double)x[i];
            loss += e * e / (2.0 * N * D);
            assert_near((double)dz[i], rectified && z[i] <= 0 ? 0 : e / N / D, 1e-7);
        }
        assert_near(found, loss, 1e-6);
    }
}

/* A training that went wrong must show. */
static void what_is_not_finite_shows(void **state)
{
    (void)state;
    const im_real z[2] = {(im_real)NAN, 0}, x[2] = {0, 0};
    im_real dz[2];
    const double loss = im_reconstruction_unit(dz, z, x, false, 2, D);
    assert_false(loss - loss == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loss_and_gradient_are_as_defined),
        cmocka_unit_test(what_is_not_finite_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
