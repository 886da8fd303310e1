/* SPDX-License-Identifier: MIT
 * Folders as labels. */
#include "data/member.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "support.h"

#include <string.h>

/* The numbers of the labels of these members, and how many there are. */
static imsat_status number(int32_t *out, size_t *count, const char *const *members, size_t n,
                           imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_label_list list = {0};
    im_member_labels labels = {.list = &list};
    int32_t *numbers = NULL;
    for (size_t i = 0; i < n; i++)
        IM_TRY(im_member_label(&labels, members[i], err));
    *count = list.count;
    if (list.count) {
        IM_TRY(im_label_list_number(&numbers, NULL, &list, "x", err));
        memcpy(out, numbers, list.count * sizeof *out);
    }

cleanup:
    im_free(numbers);
    im_member_labels_clear(&labels);
    im_label_list_clear(&list);
    return st;
}

static void the_last_folder_is_the_label(void **state)
{
    (void)state;
    int32_t labels[4];
    size_t count;
    imsat_error err;
    const char *const members[] = {"train/dogs/1", "train/dogs/2", "test/cats/1",
                                   "test/dogs/1"};
    assert_ok(number(labels, &count, members, 4, &err), &err);
    assert_int_equal(count, 4);
    const int32_t expected[] = {1, 1, 0, 1};
    assert_memory_equal(labels, expected, sizeof expected);
    const char *const numbers[] = {"3/x", "11/x", "11/y", "3/y"}; /* as they are */
    assert_ok(number(labels, &count, numbers, 4, &err), &err);
    const int32_t as_said[] = {3, 11, 11, 3};
    assert_memory_equal(labels, as_said, sizeof as_said);
}

static void one_folder_says_nothing(void **state)
{
    (void)state;
    int32_t labels[3];
    size_t count;
    imsat_error err;
    const char *const flat[] = {"1", "2", "3"}, *const one[] = {"a/1", "a/2", "a/3"};
    const char *const beside[] = {"1", "2", "a/3"};
    assert_ok(number(labels, &count, flat, 3, &err), &err);
    assert_int_equal(count, 0);
    assert_ok(number(labels, &count, one, 3, &err), &err);
    assert_int_equal(count, 0);
    assert_ok(number(labels, &count, beside, 3, &err), &err);
    assert_int_equal(count, 3);
    const int32_t expected[] = {0, 0, 1};
    assert_memory_equal(labels, expected, sizeof expected);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    int32_t labels[3];
    size_t count;
    return number(labels, &count, context, 3, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const char *members[] = {"a/1", "b/2", "c/3"};
    assert_true(fail_each(attempt, members) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_folder_is_the_label),
        cmocka_unit_test(one_folder_says_nothing),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
