/* SPDX-License-Identifier: MIT
 * The list of stop words, and what is found in it. */
#include "features/stop_words.h"

#include "features/tokens.h"
#include "support.h"

#include <string.h>

static void the_list_is_sorted_and_of_words(void **state)
{
    (void)state;
    size_t count = 0;
    for (const char *word; (word = im_stop_words_at(count)); count++) {
        im_tokens tokens;
        im_tokens_start(&tokens, word, strlen(word));
        assert_true(im_tokens_next(&tokens));
        assert_int_equal(tokens.size, strlen(word));
        assert_memory_equal(tokens.word, word, tokens.size);
        if (count)
            assert_true(strcmp(im_stop_words_at(count - 1), word) < 0);
        assert_true(im_stop_words_has(word, strlen(word)));
    }
    assert_int_equal(count, 317); /* as the head of stop_words.c says */
}

static void other_words_are_not_in_it(void **state)
{
    (void)state;
    static const char *const others[] = {"",      "th",       "thee",   "aardvark",
                                         "zebra", "computer", "aboutt", "yourselvesx",
                                         "god",   "windows"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(im_stop_words_has(others[i], strlen(others[i])));
    assert_true(im_stop_words_has("these", 3)); /* of its first three letters: the */
    assert_false(im_stop_words_has("these", 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_is_sorted_and_of_words),
        cmocka_unit_test(other_words_are_not_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
