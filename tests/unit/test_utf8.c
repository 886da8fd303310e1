/* SPDX-License-Identifier: MIT
 * UTF-8: the edges of each length, and what lies just outside. */
#include "core/utf8.h"

#include "support.h"

static void valid_texts(void **state)
{
    (void)state;
    static const char *const good[] = {
        "",
        "plain",
        "\x01\x7f",
        "\xc2\x80",
        "\xdf\xbf",
        "\xe0\xa0\x80",
        "\xed\x9f\xbf",
        "\xee\x80\x80",
        "\xef\xbf\xbf",
        "\xf0\x90\x80\x80",
        "\xf4\x8f\xbf\xbf",
        "a\xc3\xa9z",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!im_utf8_valid(good[i]))
            fail_msg("text %zu is valid", i);
}

static void invalid_texts(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\x80",             /* a continuation alone */
        "\xc0\x80",         /* overlong, two bytes */
        "\xc1\xbf",         /* overlong, two bytes */
        "\xe0\x9f\xbf",     /* overlong, three bytes */
        "\xf0\x8f\xbf\xbf", /* overlong, four bytes */
        "\xed\xa0\x80",     /* the first surrogate */
        "\xed\xbf\xbf",     /* the last surrogate */
        "\xf4\x90\x80\x80", /* above U+10FFFF */
        "\xf5\x80\x80\x80", /* above U+10FFFF */
        "\xff",             /* never a lead byte */
        "a\xc3",            /* cut short */
        "\xe2\x82",         /* cut short */
        "\xf0\x9f\x98",     /* cut short */
        "\xc3(",            /* not continued */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (im_utf8_valid(bad[i]))
            fail_msg("text %zu is not valid", i);
}

static void control_characters_are_not_printable(void **state)
{
    (void)state;
    static const char *const good[] = {"", "plain ~", "\xc2\xa0", "a\xc3\xa9z",
                                       "\xe0\xa0\x80"};
    static const char *const bad[] = {"a\nb", "\x1b[2J", "\x7f", "\xc2\x80", "\xc2\x9b[2J"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!im_utf8_printable(good[i]))
            fail_msg("text %zu is printable", i);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (im_utf8_printable(bad[i]))
            fail_msg("text %zu is not printable", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_texts),
        cmocka_unit_test(invalid_texts),
        cmocka_unit_test(control_characters_are_not_printable),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
