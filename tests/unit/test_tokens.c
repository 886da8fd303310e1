/* SPDX-License-Identifier: MIT
 * The words of a text. */
#include "features/tokens.h"

#include "support.h"

#include <stdio.h>
#include <string.h>

/* The words, with a bar between them. */
static const char *words_of(const char *text, size_t size)
{
    static char out[2048];
    im_tokens tokens;
    size_t used = 0;
    im_tokens_start(&tokens, text, size);
    out[0] = '\0';
    while (im_tokens_next(&tokens))
        used += (size_t)snprintf(out + used, sizeof out - used, "%s%.*s", used ? "|" : "",
                                 (int)tokens.size, tokens.word);
    assert_false(im_tokens_next(&tokens)); /* the end stays the end */
    return out;
}

static void assert_words(const char *text, const char *expected)
{
    assert_string_equal(words_of(text, strlen(text)), expected);
}

static void words_are_runs_in_lower_case(void **state)
{
    (void)state;
    assert_words("", "");
    assert_words("  ...  ", "");
    assert_words("The cat, the CAT_2 & a dog!", "the|cat|the|cat_2|dog");
    assert_words("x don't e-mail a1 I", "don|mail|a1");
    assert_words("end", "end");
    assert_words("mail@site.org\r\n> quoted", "mail|site|org|quoted");
}

static void words_of_other_scripts(void **state)
{
    (void)state;
    assert_words("\xc3\x89t\xc3\xa9, \xce\x95\xce\xbb\xce\xbb\xce\xac\xce\xb4\xce\xb1",
                 "\xc3\xa9t\xc3\xa9|\xce\xb5\xce\xbb\xce\xbb\xce\xac\xce\xb4\xce\xb1");
    assert_words("e\xcc\x81t\xe2\x80\x99"
                 "ab",
                 "e\xcc\x81t|ab"); /* an accent of its own */
    assert_words("\xd0\x9c\xd0\x98\xd0\xa0\xe3\x80\x82\xe6\x97\xa5\xe6\x9c\xac",
                 "\xd0\xbc\xd0\xb8\xd1\x80|\xe6\x97\xa5\xe6\x9c\xac");
    assert_words("na\xefve \xc9t\xe9", "na\xc3\xafve|\xc3\xa9t\xc3\xa9"); /* Latin-1 */
}

static void a_zero_byte_parts_words(void **state)
{
    (void)state;
    assert_string_equal(words_of("one\0two", 7), "one|two");
    assert_string_equal(words_of("one\0two", 5), "one"); /* and the end does */
}

static void what_is_too_long_is_no_word(void **state)
{
    char text[IM_TOKEN_MOST + 20];
    (void)state;
    memset(text, 'x', sizeof text);
    memcpy(text + IM_TOKEN_MOST, " ab", 3);
    assert_int_equal(strlen(words_of(text, IM_TOKEN_MOST + 3)), IM_TOKEN_MOST + 3);
    text[IM_TOKEN_MOST] = 'x';
    text[IM_TOKEN_MOST + 1] = ' ';
    memcpy(text + IM_TOKEN_MOST + 2, "ab", 2);
    assert_string_equal(words_of(text, IM_TOKEN_MOST + 4), "ab");
    assert_string_equal(words_of(text, IM_TOKEN_MOST + 1), "");
    /* The lower case of U+023A is longer than itself. */
    for (size_t i = 0; i < IM_TOKEN_MOST - 1; i += 2)
        memcpy(text + i, "\xc8\xba", 2);
    assert_string_equal(words_of(text, IM_TOKEN_MOST - 1), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_runs_in_lower_case),
        cmocka_unit_test(words_of_other_scripts),
        cmocka_unit_test(a_zero_byte_parts_words),
        cmocka_unit_test(what_is_too_long_is_no_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
