/* SPDX-License-Identifier: MIT
 * Ids in order: found where they are, and said of them what they share. */
#include "search/id_set.h"

#include "failing_alloc.h"
#include "support.h"

enum { COUNT = 7 };

/* Above and below 0, and the ends of what 64 bits hold. */
static const int64_t ids[COUNT] = {40, INT64_MIN, -3, INT64_MAX, 0, 12, -70};

static void ids_are_found(void **state)
{
    (void)state;
    imsat_error err;
    im_id_set set = {0};
    assert_ok(im_id_set_new(&set, ids, COUNT, &err), &err);
    assert_int_equal(set.count, COUNT);
    for (size_t i = 1; i < COUNT; i++)
        assert_true(im_id_set_at(&set, i - 1) < im_id_set_at(&set, i));
    for (size_t i = 0; i < COUNT; i++) {
        const size_t place = im_id_set_find(&set, ids[i]);
        assert_true(im_id_set_at(&set, place) == ids[i]);
        assert_int_equal(set.pairs[place].row, i);
    }
    const int64_t others[] = {41, INT64_MIN + 1, -4, INT64_MAX - 1, 1, -1};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(im_id_set_find(&set, others[i]), COUNT);
    assert_ok(im_id_set_check(&set, &err), &err);
    im_id_set_clear(&set);
    assert_ok(im_id_set_new(&set, NULL, 0, &err), &err);
    assert_int_equal(im_id_set_find(&set, 0), 0);
    im_id_set_clear(&set);
}

static void what_is_there_twice_is_said(void **state)
{
    (void)state;
    imsat_error err;
    im_id_set set = {0};
    const int64_t twice[] = {5, 9, -2, 9};
    const int64_t taken[] = {1, 2, 9, 5};
    assert_ok(im_id_set_new(&set, twice, 4, &err), &err);
    assert_refused(im_id_set_check(&set, &err), &err, IMSAT_EINVAL,
                   "the id 9 is given twice, for rows 1 and 3; ids must differ");
    assert_int_equal(im_id_set_find(&set, 9), 2);
    assert_ok(im_id_set_apart(&set, taken, 2, &err), &err);
    assert_refused(im_id_set_apart(&set, taken, 4, &err), &err, IMSAT_EINVAL,
                   "the id 9, given for row 1, is in the index already; ids must differ");
    assert_refused(im_id_set_apart(&set, taken + 3, 1, &err), &err, IMSAT_EINVAL,
                   "the id 5, given for row 0,");
    im_id_set_clear(&set);
    assert_ok(im_id_set_new(&set, (int64_t[]){5, -1, 6}, 3, &err), &err);
    assert_refused(im_id_set_check(&set, &err), &err, IMSAT_EINVAL,
                   "the id of row 1 is -1, which marks what a search did not find");
    im_id_set_clear(&set);
    assert_refused(im_id_set_new(&set, NULL, UINT32_MAX, &err), &err, IMSAT_EINVAL,
                   "4294967295 ids are too many; the most are 4294967294");
}

static imsat_status try_new(void *context, imsat_error *err)
{
    (void)context;
    im_id_set set = {0};
    const imsat_status st = im_id_set_new(&set, ids, COUNT, err);
    assert_true((st == IMSAT_OK) == (set.pairs != NULL));
    im_id_set_clear(&set);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_each(try_new, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_found),
        cmocka_unit_test(what_is_there_twice_is_said),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
