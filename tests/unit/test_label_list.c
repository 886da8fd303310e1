/* SPDX-License-Identifier: MIT
 * Numbering of labels: many of them, numbers and texts, titles. */
#include "core/alloc.h"
#include "data/label_list.h"
#include "failing_alloc.h"
#include "support.h"

#include <stdio.h>

static void add(im_label_list *list, const char *text)
{
    assert_int_equal(im_label_list_add_text(list, text, strlen(text), NULL), IMSAT_OK);
}

/* More than the first room of values, of starts and of texts. */
static void long_lists_keep_their_order(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    im_label_list list = {0};
    int32_t *labels = NULL;
    char **words = (char **)&list;
    for (int32_t i = 0; i < COUNT; i++)
        assert_int_equal(im_label_list_add(&list, i % 613 - 300, NULL), IMSAT_OK);
    assert_int_equal(im_label_list_number(&labels, &words, &list, "y", NULL), IMSAT_OK);
    assert_null(words);
    for (int32_t i = 0; i < COUNT; i++)
        assert_int_equal(labels[i], i % 613 - 300);
    im_free(labels);
    for (int i = 0; i < COUNT; i++) {
        char text[32];
        snprintf(text, sizeof text, "w%04d", i % 997);
        add(&list, text);
    }
    assert_int_equal(list.count, 2 * COUNT);
    assert_int_equal(im_label_list_number(&labels, &words, &list, "y", NULL), IMSAT_OK);
    for (int i = 0; i < COUNT; i++) /* the 613 decimals come before w */
        assert_int_equal(labels[COUNT + i], 613 + i % 997);
    assert_int_equal(labels[0], labels[613]);
    assert_true(labels[0] != labels[1]);
    assert_string_equal(words[labels[0]], "-300");
    assert_string_equal(words[labels[COUNT + 996]], "w0996");
    assert_null(words[613 + 997]);
    im_free(words);
    im_free(labels);
    im_label_list_clear(&list);
    assert_int_equal(list.count, 0);
}

static void missing_labels_are_refused_among_numbers(void **state)
{
    (void)state;
    im_label_list list = {0};
    imsat_error err = {{0}};
    int32_t *labels = NULL;
    add(&list, "4");
    add(&list, "NaN");
    assert_refused(im_label_list_number(&labels, NULL, &list, "y.csv", &err), &err,
                   IMSAT_EFORMAT, "y.csv: label 1 (from 0) is NaN");
    assert_null(labels);
    add(&list, "yue"); /* a word: then nan is one as well */
    assert_int_equal(im_label_list_number(&labels, NULL, &list, "y.csv", NULL), IMSAT_OK);
    assert_true(labels[0] == 0 && labels[1] == 1 && labels[2] == 2);
    im_free(labels);
    im_label_list_clear(&list);
}

/* Two of four labels, and again as a copy; of numbers there are none. */
static imsat_status words_of_labels(void *context, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    int32_t *labels = NULL;
    char **words = NULL, **copy = NULL;
    IM_TRY(im_label_list_number(&labels, &words, context, "y", err));
    IM_TRY(im_label_list_copy_words(&copy, words, err));
    assert_string_equal(copy[0], "<b>");
    assert_string_equal(copy[1], "yue");
    assert_null(copy[2]);

cleanup:
    im_free(labels);
    im_free(words);
    im_free(copy);
    return st;
}

static void words_are_kept(void **state)
{
    (void)state;
    im_label_list list = {0};
    char **copy = (char **)&list;
    const char *const texts[] = {"yue", "<b>", "yue", "<b>"};
    for (size_t i = 0; i < 4; i++)
        add(&list, texts[i]);
    assert_int_equal(fail_each(words_of_labels, &list), 4);
    assert_int_equal(im_label_list_copy_words(&copy, NULL, NULL), IMSAT_OK);
    assert_null(copy);
    im_label_list_clear(&list);
}

static bool is_title(const char *first, const char *second)
{
    return im_label_is_title(first, strlen(first), second, strlen(second));
}

static void titles(void **state)
{
    (void)state;
    assert_true(is_title("species", "3"));
    assert_true(is_title("Label", "cat"));
    assert_true(is_title("y", "cat"));
    assert_false(is_title("dog", "cat"));
    assert_false(is_title("3", "4"));
    assert_false(is_title("3", "cat"));
    assert_false(is_title("nan", "4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_lists_keep_their_order),
        cmocka_unit_test(missing_labels_are_refused_among_numbers),
        cmocka_unit_test(words_are_kept),
        cmocka_unit_test(titles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
