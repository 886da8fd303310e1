/* SPDX-License-Identifier: MIT
 * Gradient descent with momentum, against the definition in double; in pieces as at once. */
#include "nn/sgd.h"

#include "failing_alloc.h"
#include "support.h"

#include <string.h>

enum { N = 29, CUT = 11, STEPS = 5 };

static void steps_are_as_defined(void **state)
{
    (void)state;
    imsat_error err;
    im_sgd sgd;
    im_real w[N], g[N];
    double plain_w[N], plain_v[N] = {0};
    assert_ok(im_sgd_new(&sgd, N, &err), &err);
    for (size_t i = 0; i < N; i++)
        plain_w[i] = w[i] = (im_real)(0.1 * (double)i);
    for (size_t step = 0; step < STEPS; step++) {
        sgd.rate = step < 3 ? 0.5 : 0.05;
        sgd.momentum = 0.3 * (double)step;
        for (size_t i = 0; i < N; i++) {
            g[i] = (im_real)(0.25 * (double)((i + step) % 5) - 0.5);
            plain_v[i] = sgd.momentum * plain_v[i] + sgd.rate * (double)g[i];
            plain_w[i] -= plain_v[i];
        }
        im_sgd_update(&sgd, w, g + CUT, CUT, N - CUT);
        im_sgd_update(&sgd, w, g, 0, CUT);
        for (size_t i = 0; i < N; i++)
            assert_near((double)w[i], plain_w[i], 1e-5);
    }
    im_sgd_rest(&sgd);
    im_real before[N];
    memcpy(before, w, sizeof w);
    memset(g, 0, sizeof g);
    im_sgd_update(&sgd, w, g, 0, N);
    assert_memory_equal(before, w, sizeof w);
    im_sgd_clear(&sgd);
}

static void no_memory_is_told(void **state)
{
    (void)state;
    imsat_error err;
    im_sgd sgd = {0};
    failing_alloc_arm(1);
    const imsat_status st = im_sgd_new(&sgd, N, &err);
    failing_alloc_arm(0);
    assert_refused(st, &err, IMSAT_ENOMEM, "velocity");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_as_defined),
        cmocka_unit_test(no_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
