/* SPDX-License-Identifier: MIT
 * Characters of words and their lower case, in several scripts, and at the edges of ranges. */
#include "features/unicode.h"

#include "support.h"

static void words_are_made_of_letters_marks_and_numbers(void **state)
{
    (void)state;
    static const uint32_t in[] = {'a',    'Z',     '0',     '_',     0xaa,   0xb2,   0xc0,
                                  0xff,   0x301,   0x3b1,   0x430,   0x5d0,  0x915,  0x93f,
                                  0x661,  0x2160,  0x3042,  0x4e00,  0x9fff, 0xac00, 0xd7a3,
                                  0xff21, 0x10400, 0x1d400, 0x20000, 0xe01ef};
    static const uint32_t out[] = {0,      ' ',    '-',     '\'',    '@',     '[',
                                   '`',    '{',    0x80,    0xa0,    0xab,    0xd7,
                                   0xf7,   0x2019, 0x2022,  0x20ac,  0x3000,  0x3001,
                                   0xd800, 0xfffd, 0x1f600, 0xe01f0, 0x10ffff};
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        if (!im_unicode_in_word(in[i]))
            fail_msg("U+%04X is of a word", (unsigned)in[i]);
    for (size_t i = 0; i < sizeof out / sizeof *out; i++)
        if (im_unicode_in_word(out[i]))
            fail_msg("U+%04X is not of a word", (unsigned)out[i]);
}

static void lower_case_of_many_scripts(void **state)
{
    (void)state;
    static const uint32_t pairs[][2] = {
        {'A', 'a'},         {'Z', 'z'},         {0xc0, 0xe0},        {0xd7, 0xd7},
        {0xde, 0xfe},       {0xdf, 0xdf},       {0x100, 0x101},      {0x101, 0x101},
        {0x12e, 0x12f},     {0x130, 'i'},       {0x178, 0xff},       {0x1e9e, 0xdf},
        {0x23a, 0x2c65},    {0x391, 0x3b1},     {0x3a3, 0x3c3},      {0x410, 0x430},
        {0x531, 0x561},     {0x10a0, 0x2d00},   {0x13a0, 0xab70},    {0x2126, 0x3c9},
        {0x212a, 'k'},      {0xff21, 0xff41},   {0x10400, 0x10428},  {0x1e900, 0x1e922},
        {0x1e921, 0x1e943}, {0x1e922, 0x1e922}, {0x10ffff, 0x10ffff}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_int_equal(im_unicode_lower(pairs[i][0]), pairs[i][1]);
}

/* Of every character: a letter stays of a word, and lower case has no lower case. */
static void lower_case_is_of_words_and_final(void **state)
{
    (void)state;
    size_t changed = 0;
    for (uint32_t c = 0; c < 0x110000; c++) {
        const uint32_t lower = im_unicode_lower(c);
        assert_int_equal(im_unicode_lower(lower), lower);
        if (lower == c)
            continue;
        changed++;
        assert_int_equal(im_unicode_in_word(c), im_unicode_in_word(lower));
    }
    assert_int_equal(changed, 1433); /* of Unicode 14 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_made_of_letters_marks_and_numbers),
        cmocka_unit_test(lower_case_of_many_scripts),
        cmocka_unit_test(lower_case_is_of_words_and_final),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
