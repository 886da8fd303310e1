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

static void characters_come_one_by_one(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        uint32_t character;
        size_t size;
    } cases[] = {
        {"A", 'A', 1},
        {"\x7f", 0x7f, 1},
        {"\xc2\x80", 0x80, 2},
        {"\xdf\xbf", 0x7ff, 2},
        {"\xe0\xa0\x80", 0x800, 3},
        {"\xef\xbf\xbf", 0xffff, 3},
        {"\xf0\x90\x80\x80", 0x10000, 4},
        {"\xf4\x8f\xbf\xbf", 0x10ffff, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char again[IM_UTF8_MOST];
        const char *at = cases[i].bytes;
        assert_int_equal(im_utf8_next(&at, cases[i].bytes + cases[i].size),
                         cases[i].character);
        assert_ptr_equal(at, cases[i].bytes + cases[i].size);
        assert_int_equal(im_utf8_put(again, cases[i].character), cases[i].size);
        assert_memory_equal(again, cases[i].bytes, cases[i].size);
    }
}

/* Also where a sequence is cut by the end of the text, which no zero follows. */
static void other_bytes_are_latin_1(void **state)
{
    (void)state;
    const char text[] = {'\xe9', 't', '\xe9', '\xff', '\xe2', '\x82'};
    const uint32_t expected[] = {0xe9, 't', 0xe9, 0xff, 0xe2, 0x82};
    const char *at = text;
    for (size_t i = 0; i < sizeof text; i++) {
        assert_int_equal(im_utf8_next(&at, text + sizeof text), expected[i]);
        assert_ptr_equal(at, text + i + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_texts),
        cmocka_unit_test(invalid_texts),
        cmocka_unit_test(control_characters_are_not_printable),
        cmocka_unit_test(characters_come_one_by_one),
        cmocka_unit_test(other_bytes_are_latin_1),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
