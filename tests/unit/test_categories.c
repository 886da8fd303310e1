/* SPDX-License-Identifier: MIT
 * The words of a column: numbers as they come, order by bytes, not too many. */
#include "data/categories.h"
#include "failing_alloc.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static size_t add(im_categories *categories, const char *word)
{
    imsat_error err = {{0}};
    size_t code = 77;
    assert_ok(im_categories_add(&code, categories, word, strlen(word), &err), &err);
    return code;
}

static void words_are_numbered_and_sorted(void **state)
{
    (void)state;
    static const char *const words[] = {"pear", "apple", "fig", "app", "pears"};
    static const char *const sorted[] = {"app", "apple", "fig", "pear", "pears"};
    im_categories categories = {0};
    size_t code = 77;
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(add(&categories, words[i]), i);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(add(&categories, words[i]), i);
        assert_string_equal(categories.words[i], sorted[i]);
        assert_string_equal(words[categories.codes[i]], sorted[i]);
    }
    assert_int_equal(categories.count, 5);
    assert_true(im_categories_find(&code, &categories, "figs", 3));
    assert_int_equal(code, 2);
    assert_false(im_categories_find(&code, &categories, "figs", 4));
    assert_false(im_categories_find(&code, &categories, "", 0));
    im_categories_clear(&categories);
}

static void there_may_be_too_many(void **state)
{
    (void)state;
    im_categories categories = {0};
    char word[16];
    for (size_t i = 0; i < IM_CATEGORIES_MOST; i++) {
        snprintf(word, sizeof word, "%zu", i * 7919 % IM_CATEGORIES_MOST);
        assert_int_equal(add(&categories, word), i);
    }
    assert_int_equal(add(&categories, "more"), IM_CATEGORIES_MOST);
    assert_int_equal(add(&categories, word), IM_CATEGORIES_MOST - 1);
    assert_int_equal(categories.count, IM_CATEGORIES_MOST);
    im_categories_clear(&categories);
}

static imsat_status add_some(void *context, imsat_error *err)
{
    im_categories categories = {0};
    size_t code;
    (void)context;
    imsat_status st = im_categories_add(&code, &categories, "b", 1, err);
    if (st == IMSAT_OK)
        st = im_categories_add(&code, &categories, "a", 1, err);
    im_categories_clear(&categories);
    return st;
}

static void memory_that_is_not_there(void **state)
{
    (void)state;
    assert_true(fail_each(add_some, NULL) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_numbered_and_sorted),
        cmocka_unit_test(there_may_be_too_many),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
