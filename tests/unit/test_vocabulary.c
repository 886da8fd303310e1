/* SPDX-License-Identifier: MIT
 * Words and their numbers. */
#include "features/vocabulary.h"

#include "failing_alloc.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 5000 };

static size_t word_at(char word[32], size_t i)
{
    return (size_t)snprintf(word, 32, "%zu", i * i + i % 7);
}

static imsat_status fill(im_vocabulary *words, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t i = 0; i < WORDS; i++) {
        char word[32];
        uint32_t number;
        const size_t size = word_at(word, i);
        IM_TRY(im_vocabulary_add(words, &number, word, size, err));
        assert_int_equal(number, i);
    }

cleanup:
    return st;
}

static void words_have_the_numbers_of_their_coming(void **state)
{
    (void)state;
    im_vocabulary words = {0};
    imsat_error err;
    assert_int_equal(im_vocabulary_find(&words, "x", 1), IM_VOCABULARY_NONE);
    assert_ok(fill(&words, &err), &err);
    assert_int_equal(words.count, WORDS);
    for (size_t i = 0; i < WORDS; i++) {
        char word[32];
        uint32_t number;
        size_t size;
        const size_t expected = word_at(word, i);
        assert_memory_equal(im_vocabulary_word(&words, i, &size), word, expected);
        assert_int_equal(size, expected);
        assert_int_equal(im_vocabulary_find(&words, word, size), i);
        assert_ok(im_vocabulary_add(&words, &number, word, size, &err), &err);
        assert_int_equal(number, i);
    }
    assert_int_equal(words.count, WORDS);
    assert_int_equal(im_vocabulary_find(&words, "x", 1), IM_VOCABULARY_NONE);
    assert_int_equal(im_vocabulary_find(&words, "", 0), IM_VOCABULARY_NONE);
    im_vocabulary_clear(&words);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    (void)context;
    im_vocabulary words = {0};
    const imsat_status st = fill(&words, err);
    im_vocabulary_clear(&words);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_each(attempt, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_have_the_numbers_of_their_coming),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
