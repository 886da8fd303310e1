/* SPDX-License-Identifier: MIT
 * Ranges, places and ticks of axes. */
#include "plot/axis.h"

#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The ticks of a range, as text with blanks between them. */
static void assert_ticks(im_axis axis, size_t wanted, const char *expected)
{
    double ticks[IM_AXIS_TICKS];
    im_strbuf out = {0};
    const size_t count = im_axis_ticks(&axis, ticks, wanted);
    for (size_t i = 0; i < count; i++) {
        im_strbuf_put(&out, i ? " " : "");
        im_axis_text(&out, ticks[i]);
    }
    assert_string_equal(out.text ? out.text : "", expected);
    im_strbuf_clear(&out);
}

static void ticks_are_round_numbers(void **state)
{
    (void)state;
    assert_ticks((im_axis){.low = 0, .high = 1}, 5, "0 0.2 0.4 0.6 0.8 1");
    assert_ticks((im_axis){.low = 0, .high = 1}, 10,
                 "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
    assert_ticks((im_axis){.low = -3, .high = 7}, 5, "-2 0 2 4 6");
    assert_ticks((im_axis){.low = 97.3, .high = 98.7}, 4, "97.5 98 98.5");
    assert_ticks((im_axis){.low = 0, .high = 52000}, 3, "0 20000 40000");
    assert_ticks((im_axis){.low = -2e-7, .high = 2e-7}, 2, "-2e-07 0 2e-07");
    assert_ticks((im_axis){.low = 1, .high = 2}, 1, "1 2");
}

static void ticks_of_logarithms_are_powers(void **state)
{
    (void)state;
    assert_ticks((im_axis){.log = true, .low = 0.025, .high = 3.2}, 5, "0.05 0.1 0.2 0.5 1 2");
    assert_ticks((im_axis){.log = true, .low = 1, .high = 1e5}, 5,
                 "1 10 100 1000 10000 100000");
    assert_ticks((im_axis){.log = true, .low = 0.001, .high = 0.001}, 5, "0.001");
}

static void ranges_are_those_of_the_data(void **state)
{
    (void)state;
    const double values[] = {0.31, NAN, -0.2, INFINITY, 0.84};
    im_axis axis = {0};
    double low = INFINITY, high = -INFINITY;
    im_axis_cover(&axis, &low, &high, values, 5);
    assert_true(low == -0.2 && high == 0.84);
    im_axis_settle(&axis, low, high);
    assert_near(axis.low, -0.5, 0);
    assert_near(axis.high, 1, 0);
    im_axis given = {.low = 0, .high = 3};
    im_axis_settle(&given, 5, 6);
    assert_true(given.low == 0 && given.high == 3);
    axis = (im_axis){.log = true};
    low = INFINITY;
    high = -INFINITY;
    im_axis_cover(&axis, &low, &high, values, 5);
    assert_true(low == 0.31 && high == 0.84);
}

/* No value, one value, and zeros: each leaves a range that is not empty. */
static void a_range_without_extent_gets_some(void **state)
{
    (void)state;
    for (int log = 0; log < 2; log++) {
        im_axis none = {.log = log}, one = {.log = log}, zero = {0};
        im_axis_settle(&none, INFINITY, -INFINITY);
        im_axis_settle(&one, 7, 7);
        im_axis_settle(&zero, 0, 0);
        assert_true(none.low < none.high && one.low < 7 && one.high > 7);
        assert_true(zero.low < 0 && zero.high > 0);
    }
}

static void places_follow_the_scale(void **state)
{
    (void)state;
    const im_axis linear = {.low = 2, .high = 6, .at = 100, .length = -40};
    assert_near(im_axis_place(&linear, 2), 100, 0);
    assert_near(im_axis_place(&linear, 5), 70, 1e-12);
    const im_axis log = {.log = true, .low = 0.1, .high = 1000, .at = 10, .length = 400};
    assert_near(im_axis_place(&log, 1), 110, 1e-9);
    assert_near(im_axis_place(&log, 1000), 410, 1e-9);
    assert_false(im_axis_holds(&log, 0));
    assert_false(im_axis_holds(&log, -1));
    assert_true(im_axis_holds(&linear, -1));
    assert_false(im_axis_holds(&linear, NAN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_are_round_numbers),
        cmocka_unit_test(ticks_of_logarithms_are_powers),
        cmocka_unit_test(ranges_are_those_of_the_data),
        cmocka_unit_test(a_range_without_extent_gets_some),
        cmocka_unit_test(places_follow_the_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
