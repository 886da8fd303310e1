/* SPDX-License-Identifier: MIT
 * Numbers in text, against strtod() in the C locale. */
#include "data/number.h"
#include "support.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_same_as_strtod(const char *text)
{
    double value = -1;
    const double expected = strtod(text, NULL);
    if (im_number_parse(&value, text, strlen(text)) != IM_NUMBER_FINITE ||
        memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("'%s': %.17g is not %.17g", text, value, expected);
}

static void chosen_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "+1",
        "00012",
        "1.",
        ".5",
        "-.5e1",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993000e-3",
        "0.1",
        "0.30000000000000004",
        "1.500000000000000000e+00",
        "18446744073709551615",
        "18446744073709551616",
        "12345678901234567890123",
        "123456789012345678901234e-24",
        "2.2250738585072011e-308",
        "4.9e-324",
        "1e-400",
        "1.7976931348623157e308",
        "0e99999",
        "0.0000000000000000000000001",
        "1E5",
        "1e+05",
        "100000000000000000000000000000000000000",
        "0.000e-9999",
        "99999999999999999999e-20",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_same_as_strtod(texts[i]);
}

static void random_numbers(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252U;
    char text[64];
    for (int i = 0; i < 20000; i++) {
        double value;
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        memcpy(&value, &x, sizeof value);
        if (!isfinite(value))
            continue;
        snprintf(text, sizeof text, "%.*g", 1 + i % 19, value);
        if (isfinite(strtod(text, NULL)))
            assert_same_as_strtod(text);
        snprintf(text, sizeof text, "%" PRIu64 ".%d", x % 1000003, i);
        assert_same_as_strtod(text);
    }
}

static void what_is_not_a_number(void **state)
{
    (void)state;
    static const char *const texts[] = {"",     "-",    "+",    ".",     "e5",   "1e", "1e+",
                                        "1e5.", "0x10", "1,5",  "1 2",   " 1",   "1 ", "--1",
                                        "1f",   "na",   "nano", "infin", "1_000"};
    double value;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(im_number_parse(&value, texts[i], strlen(texts[i])), IM_NUMBER_NONE);
    char digits[502];
    memset(digits, '1', sizeof digits);
    assert_int_equal(im_number_parse(&value, digits, 501), IM_NUMBER_NONE);
    assert_int_equal(im_number_parse(&value, digits, 308), IM_NUMBER_FINITE);
    assert_int_equal(im_number_parse(&value, digits, 500), IM_NUMBER_NONFINITE);
}

static void what_is_not_finite(void **state)
{
    (void)state;
    static const char *const texts[] = {"nan",  "NaN",       "-nan",  "inf",
                                        "+Inf", "-INFINITY", "1e999", "-1e309"};
    double value;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(im_number_parse(&value, texts[i], strlen(texts[i])),
                         IM_NUMBER_NONFINITE);
        assert_true(!isfinite(value));
    }
    im_number_parse(&value, "-inf", 4);
    assert_true(value < 0);
}

/* Only `size` bytes may be looked at. */
static void the_text_need_not_end(void **state)
{
    (void)state;
    double value;
    assert_int_equal(im_number_parse(&value, "12345", 2), IM_NUMBER_FINITE);
    assert_true(value == 12);
    assert_int_equal(im_number_parse(&value, "1e5", 2), IM_NUMBER_NONE);
}

static void whole_numbers(void **state)
{
    (void)state;
    int32_t whole = 77;
    assert_false(im_number_whole(&whole, 1.5));
    assert_false(im_number_whole(&whole, 2147483648.0));
    assert_false(im_number_whole(&whole, -2147483649.0));
    assert_false(im_number_whole(&whole, (double)NAN));
    assert_int_equal(whole, 77);
    assert_true(im_number_whole(&whole, -2147483648.0) && whole == INT32_MIN);
    assert_true(im_number_whole(&whole, 2147483647.0) && whole == INT32_MAX);
}

/* The text of a float is read back to it, also by who reads a float without a double between;
 * of a double to that. 6 and 15 digits are taken where they do. */
static void written_numbers_read_back(void **state)
{
    (void)state;
    static const struct {
        double value;
        bool is_float;
        const char *text;
    } chosen[] = {
        {0.1, false, "0.1"},
        {0.1f, true, "0.1"},
        {1.0f / 3, true, "0.333333343"},
        {-0.0, true, "-0"},
        {1e14, false, "100000000000000"},
        {1e15, false, "1e+15"},
        {-12, true, "-12"},
        {0.1 + 0.2, false, "0.30000000000000004"},
        {(double)NAN, false, "nan"},
        {-INFINITY, true, "-inf"},
    };
    char text[IM_NUMBER_ROOM];
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        assert_int_equal(im_number_text(text, chosen[i].value, chosen[i].is_float),
                         strlen(chosen[i].text));
        assert_string_equal(text, chosen[i].text);
    }
    uint64_t bits = 88172645463325252U;
    for (size_t i = 0; i < 20000; i++) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        double wide;
        float narrow;
        const uint32_t half = (uint32_t)bits;
        memcpy(&wide, &bits, sizeof wide);
        memcpy(&narrow, &half, sizeof narrow);
        if (isfinite(wide)) {
            im_number_text(text, wide, false);
            assert_true(strtod(text, NULL) == wide);
        }
        if (isfinite(narrow)) {
            im_number_text(text, (double)narrow, true);
            assert_true(strtof(text, NULL) == narrow);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_numbers),
        cmocka_unit_test(random_numbers),
        cmocka_unit_test(what_is_not_a_number),
        cmocka_unit_test(what_is_not_finite),
        cmocka_unit_test(the_text_need_not_end),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(written_numbers_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
