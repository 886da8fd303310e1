/* SPDX-License-Identifier: MIT
 * R_SAT by hand, and where a prediction is 0. Its gradient is also in grad/test_losses. */
#include "objective/sat.h"

#include "objective/floor.h"
#include "support.h"

#include <math.h>

enum { N = 2, K = 3 };

static const im_real P[N * K] = {(im_real)0.5, (im_real)0.25, (im_real)0.25, 1, 0, 0};
static const im_real Q[N * K] = {(im_real)0.25, (im_real)0.25, (im_real)0.5, 0, 1, 0};

/* Row 0: log 2 / 2 - log 2 / 4. Row 1 is sure of the wrong cluster: the floor rules. */
static void the_loss_is_as_defined(void **state)
{
    (void)state;
    assert_near(im_sat_loss(P, Q, N, K), (log(2) / 4 - log(IM_LOG_FLOOR)) / 2, 1e-6);
    assert_near(im_sat_loss(P, P, N, K), 0, 1e-12);
    assert_near(im_sat_loss(P, Q, 1, K), log(2) / 4, 1e-7);
}

static void the_gradient_raises_what_p_has(void **state)
{
    (void)state;
    im_real dq[N * K];
    im_sat_grad(dq, P, Q, 3, N, K);
    assert_near((double)dq[0], -3.0 / 2 * 0.5 / 0.25, 1e-6);
    assert_near((double)dq[2], -3.0 / 2 * 0.25 / 0.5, 1e-6);
    assert_near((double)dq[3] * IM_LOG_FLOOR, -3.0 / 2, 1e-6);
    assert_true(dq[4] == 0 && dq[5] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loss_is_as_defined),
        cmocka_unit_test(the_gradient_raises_what_p_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
