/* SPDX-License-Identifier: MIT
 * A limit on memory: how it is shared out, what it refuses, and that a message names a limit
 * that would do. */
#include "core/limit.h"

#include "core/alloc.h"
#include "core/status.h"
#include "support.h"

#include <stdio.h>

enum { MIB = 1 << 20 };

static int no_limit(void **state)
{
    (void)state;
    im_limit_set(0, 0);
    return 0;
}

static void there_is_none_at_first(void **state)
{
    (void)state;
    assert_true(im_limit_all() == SIZE_MAX);
    assert_true(im_limit_heap() == SIZE_MAX);
    assert_true(im_limit_pages() == SIZE_MAX);
    assert_true(im_alloc_left() == SIZE_MAX);
}

static void pages_have_a_quarter_of_the_rest(void **state)
{
    (void)state;
    im_limit_set(100 * MIB, 20 * MIB);
    assert_int_equal(im_limit_all(), 100 * MIB);
    assert_int_equal(im_limit_pages(), 20 * MIB);
    assert_int_equal(im_limit_heap(), 60 * MIB);
    im_limit_set(10 * MIB, 20 * MIB); /* the program alone has more */
    assert_int_equal(im_limit_pages(), 0);
    assert_int_equal(im_limit_heap(), 0);
}

static void the_limit_for_a_heap_allows_it(void **state)
{
    (void)state;
    for (size_t heap = 1; heap < (size_t)1 << 34; heap = 3 * heap + 1) {
        im_limit_set(1, 7 * MIB);
        im_limit_set(im_limit_for(heap), 7 * MIB);
        assert_true(im_limit_heap() >= heap);
        assert_true(im_limit_heap() <= heap + 1);
    }
}

static void blocks_are_refused_beyond_it(void **state)
{
    (void)state;
    const size_t before = im_alloc_used();
    void *first = im_alloc(MIB, 3);
    assert_true(im_alloc_used() >= before + 3 * MIB);
    assert_true(im_alloc_used() < before + 4 * MIB);
    im_limit_set(im_limit_for(im_alloc_used() + 2 * MIB), 0);
    assert_in_range(im_alloc_left(), 2 * MIB, 2 * MIB + 1);
    assert_int_equal(im_alloc_refused(), 0);
    assert_null(im_alloc(MIB, 4));
    assert_in_range(im_alloc_refused(), 4 * MIB, 4 * MIB + 64);
    assert_int_equal(im_alloc_refused(), 0); /* it is told once */
    assert_null(im_alloc_unset(MIB, 5));
    assert_null(im_grow(first, 3 * MIB, 6 * MIB, 1));
    im_free(first);
    void *second = im_alloc(MIB, 4);
    assert_non_null(second);
    im_free(second);
    assert_int_equal(im_alloc_used(), before);
}

/* The first number behind `word` in the message. */
static size_t number_behind(const imsat_error *err, const char *word)
{
    size_t number = 0;
    const char *at = strstr(err->message, word);
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(word), " %zu", &number), 1);
    return number;
}

static void a_message_names_a_limit_that_does(void **state)
{
    (void)state;
    imsat_error err;
    const size_t base = 30 * MIB;
    im_limit_set(50 * MIB, base);
    assert_null(im_alloc(MIB, 90));
    assert_refused(im_fail_memory(&err, "the index"), &err, IMSAT_ENOMEM,
                   "no memory for the index: it takes 91 MiB where ");
    assert_int_equal(number_behind(&err, "the limit is"), 50);
    im_limit_set(number_behind(&err, "; allow") * MIB, base);
    void *block = im_alloc(MIB, 90);
    assert_non_null(block);
    im_free(block);
    im_limit_set(0, 0);
    assert_int_equal(im_fail_memory(&err, "the index"), IMSAT_ENOMEM);
    assert_string_equal(err.message, "no memory for the index");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(there_is_none_at_first, no_limit),
        cmocka_unit_test_teardown(pages_have_a_quarter_of_the_rest, no_limit),
        cmocka_unit_test_teardown(the_limit_for_a_heap_allows_it, no_limit),
        cmocka_unit_test_teardown(blocks_are_refused_beyond_it, no_limit),
        cmocka_unit_test_teardown(a_message_names_a_limit_that_does, no_limit),
    };
    return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
