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

/* Word i mod 4 of block i / 4 decides on number i, whatever n is and with slopes or without.
 */
static void the_words_are_those_of_the_generator(void **state)
{
    (void)state;
    const im_dropout dropout = {0.3, {7, IM_STREAM_DROPOUT, 5, 1}};
    const size_t sizes[] = {1, 3, 63, 64, 65, 250};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        im_real a[251], slope[251];
        for (size_t i = 0; i < 251; i++)
            a[i] = slope[i] = 1;
        im_dropout_apply(a, k % 2 ? slope : NULL, &dropout, 9, sizes[k]);
        for (size_t i = 0; i < sizes[k]; i++) {
            uint32_t word[4];
            im_rng_block(word, dropout.rng, 9, (uint32_t)(i / 4));
            assert_int_equal(a[i] == 0, word[i % 4] < (uint32_t)(0.3 * 0x1p32));
            assert_true(slope[i] == (k % 2 ? a[i] : 1));
        }
        assert_true(a[sizes[k]] == 1); /* nothing behind them is touched */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_is_the_rate_and_the_mean_stays),
        cmocka_unit_test(steps_and_units_drop_others),
        cmocka_unit_test(the_words_are_those_of_the_generator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
