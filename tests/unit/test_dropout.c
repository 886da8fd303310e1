/* SPDX-License-Identifier: MIT
 * Dropout: how much is dropped, that the mean stays, and that it is a function of step, layer
 * and unit. */
#include "nn/dropout.h"

#include "support.h"

#include <string.h>

enum { N = 4000 };

static size_t apply(im_real *a, im_real *slope, double rate, uint32_t step, uint32_t unit)
{
    const im_dropout dropout = {rate, {7, IM_STREAM_DROPOUT, step, 1}};
    size_t dropped = 0;
    for (size_t i = 0; i < N; i++)
        a[i] = 3, slope[i] = 2;
    im_dropout_apply(a, slope, &dropout, unit, N);
    for (size_t i = 0; i < N; i++)
        dropped += a[i] == 0;
    return dropped;
}

static void the_share_is_the_rate_and_the_mean_stays(void **state)
{
    (void)state;
    im_real a[N], slope[N];
    assert_int_equal(apply(a, slope, 0, 1, 1), 0);
    const size_t dropped = apply(a, slope, 0.2, 1, 1);
    assert_near((double)dropped / N, 0.2, 0.02); /* three deviations */
    for (size_t i = 0; i < N; i++) {
        assert_near((double)a[i], a[i] == 0 ? 0 : 3 / 0.8, 1e-6);
        assert_near((double)slope[i], a[i] == 0 ? 0 : 2 / 0.8, 1e-6);
    }
}

static void steps_and_units_drop_others(void **state)
{
    (void)state;
    im_real one[N], two[N], slope[N];
    apply(one, slope, 0.2, 1, 1);
    apply(two, slope, 0.2, 1, 1);
    assert_memory_equal(one, two, sizeof one);
    apply(two, slope, 0.2, 2, 1);
    assert_int_not_equal(memcmp(one, two, sizeof one), 0);
    apply(two, slope, 0.2, 1, 2);
    assert_int_not_equal(memcmp(one, two, sizeof one), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_is_the_rate_and_the_mean_stays),
        cmocka_unit_test(steps_and_units_drop_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
