/* SPDX-License-Identifier: MIT
 * The index: its shape, append and delete as if built at once, refusals. */
#include "search/index_edit.h"

#include "codes.h"
#include "failing_alloc.h"
#include "support.h"

#include <string.h>

enum { ROWS = 509, BITS = 37, BYTES = 5 };

static void assert_same(const imsat_index *a, const imsat_index *b)
{
    im_index_array x[IM_INDEX_ARRAYS], y[IM_INDEX_ARRAYS];
    im_index_arrays(x, a);
    im_index_arrays(y, b);
    assert_true(a->bits == b->bits && a->rows == b->rows && a->tables == b->tables);
    for (size_t i = 0; i < IM_INDEX_ARRAYS; i++) {
        assert_int_equal(x[i].count, y[i].count);
        assert_memory_equal(x[i].data, y[i].data, x[i].count * x[i].size);
    }
}

static void make(codes_case *c, imsat_index **index)
{
    imsat_error err;
    codes_case_make(c, CODES_CLUSTERED, ROWS, 1, BITS);
    assert_ok(imsat_index_new(index, &c->codes, c->ids, &err), &err);
    assert_ok(im_index_check(*index, &err), &err);
}

static imsat_codes part(const codes_case *c, size_t first, size_t end)
{
    return (imsat_codes){c->codes.bytes + first * BYTES, end - first, BITS};
}

static void numbers_are_told(void **state)
{
    (void)state;
    codes_case c;
    imsat_index *index;
    make(&c, &index);
    assert_int_equal(imsat_index_rows(index), ROWS);
    assert_int_equal(imsat_index_bits(index), BITS);
    assert_int_equal(imsat_index_tables(index), index->tables);
    assert_true(index->tables > 1 && index->distinct < ROWS);
    imsat_index_free(index);
    imsat_index_free(NULL);
    codes_case_clear(&c);
}

static void ids_count_up_if_none_are_given(void **state)
{
    (void)state;
    imsat_error err;
    uint8_t bytes[] = {0x80, 0x40, 0x80, 0x20};
    const imsat_codes codes = {bytes, 4, 3};
    const int64_t low[] = {-9, -5, -6, -7};
    imsat_index *index, *more, *negative;
    assert_ok(imsat_index_new(&index, &codes, NULL, &err), &err);
    const int64_t expected[] = {3, 1, 0, 2}; /* of the codes 001, 010, 100 */
    assert_memory_equal(index->ids, expected, sizeof expected);
    assert_ok(imsat_index_append(&more, index, &codes, NULL, &err), &err);
    const int64_t longer[] = {3, 7, 1, 5, 0, 2, 4, 6};
    assert_memory_equal(more->ids, longer, sizeof longer);
    imsat_index_free(more);
    imsat_index_free(index);
    assert_ok(imsat_index_new(&negative, &codes, low, &err), &err);
    assert_ok(imsat_index_append(&more, negative, &(imsat_codes){bytes, 1, 3}, NULL, &err),
              &err);
    const int64_t after[] = {-7, -5, -9, -6, -4};
    assert_memory_equal(more->ids, after, sizeof after);
    imsat_index_free(more);
    imsat_index_free(negative);
}

static void append_is_as_building_at_once(void **state)
{
    (void)state;
    imsat_error err;
    codes_case c;
    imsat_index *whole, *index, *next;
    make(&c, &whole);
    const size_t cuts[] = {0, 3, 200, 200, ROWS};
    const imsat_codes none = part(&c, 0, 0);
    assert_ok(imsat_index_new(&index, &none, NULL, &err), &err);
    assert_int_equal(imsat_index_tables(index), 0);
    for (size_t i = 0; i + 1 < sizeof cuts / sizeof *cuts; i++) {
        const imsat_codes codes = part(&c, cuts[i], cuts[i + 1]);
        assert_ok(imsat_index_append(&next, index, &codes, c.ids + cuts[i], &err), &err);
        imsat_index_free(index);
        index = next;
    }
    assert_same(index, whole);
    imsat_index_free(index);
    imsat_index_free(whole);
    codes_case_clear(&c);
}

static void delete_is_as_never_added(void **state)
{
    (void)state;
    imsat_error err;
    codes_case c;
    imsat_index *whole, *less, *expected;
    make(&c, &whole);
    const imsat_codes rest = part(&c, 0, 300);
    int64_t gone[ROWS];
    size_t count = 0;
    for (size_t i = 300; i < ROWS; i++)
        gone[count++] = c.ids[i];
    gone[count++] = c.ids[301]; /* twice is as once */
    assert_ok(imsat_index_new(&expected, &rest, c.ids, &err), &err);
    assert_ok(imsat_index_delete(&less, whole, gone, count, &err), &err);
    assert_same(less, expected);
    imsat_index_free(less);
    assert_ok(imsat_index_delete(&less, whole, c.ids, ROWS, &err), &err);
    assert_int_equal(imsat_index_rows(less), 0);
    assert_ok(im_index_check(less, &err), &err);
    imsat_index_free(less);
    assert_ok(imsat_index_delete(&less, whole, NULL, 0, &err), &err);
    assert_same(less, whole);
    imsat_index_free(less);
    imsat_index_free(expected);
    imsat_index_free(whole);
    codes_case_clear(&c);
}

/* Rows in two parts count, and come into what is made of them, as if they were in one. */
static void both_parts_are_taken(void **state)
{
    (void)state;
    imsat_error err;
    codes_case c;
    imsat_index *whole, *parts, *made;
    make(&c, &whole);
    const imsat_codes front = part(&c, 0, 300), back = part(&c, 300, 500);
    const imsat_codes rest = part(&c, 500, ROWS);
    assert_ok(imsat_index_new(&parts, &front, c.ids, &err), &err);
    assert_ok(imsat_index_new(&parts->tail, &back, c.ids + 300, &err), &err);
    assert_int_equal(imsat_index_rows(parts), 500);
    assert_int_equal(imsat_index_journal_rows(parts), 200);
    int64_t largest = c.ids[0];
    for (size_t i = 0; i < 500; i++)
        largest = c.ids[i] > largest ? c.ids[i] : largest;
    assert_int_equal(im_index_largest(parts), largest);
    assert_ok(imsat_index_append(&made, parts, &rest, c.ids + 500, &err), &err);
    assert_same(made, whole);
    assert_null(made->tail);
    imsat_index_free(made);
    imsat_index_free(whole);
    const imsat_codes both = part(&c, 0, 500);
    assert_ok(imsat_index_new(&whole, &both, c.ids, &err), &err);
    assert_ok(im_index_merge(&made, parts, &err), &err);
    assert_same(made, whole);
    imsat_index_free(made);
    imsat_index_free(whole);
    assert_refused(imsat_index_append(&made, parts, &rest, c.ids + 400, &err), &err,
                   IMSAT_EINVAL, "is in the index already");
    const int64_t gone[] = {c.ids[7], c.ids[450]};
    assert_ok(imsat_index_delete(&made, parts, gone, 2, &err), &err);
    assert_int_equal(imsat_index_rows(made), 498);
    imsat_index_free(made);
    imsat_index_free(parts);
    codes_case_clear(&c);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    codes_case c;
    imsat_index *index, *out = NULL, *last;
    make(&c, &index);
    const int64_t ids[] = {c.ids[4], 1000000, c.ids[5]};
    const imsat_codes three = part(&c, 0, 3);
    imsat_codes other = three;
    other.bits = 38;
    assert_refused(imsat_index_append(&out, index, &other, NULL, &err), &err, IMSAT_EMISMATCH,
                   "codes of 38 bits cannot be added to an index of 37 bits");
    assert_refused(imsat_index_append(&out, index, &three, ids, &err), &err, IMSAT_EINVAL,
                   "is in the index already");
    const int64_t twice[] = {1000000, 1000001, 1000000};
    assert_refused(imsat_index_append(&out, index, &three, twice, &err), &err, IMSAT_EINVAL,
                   "the id 1000000 is given twice, for rows 0 and 2");
    assert_refused(imsat_index_delete(&out, index, ids, 3, &err), &err, IMSAT_EMISMATCH,
                   "the id 1000000 is not in the index");
    const int64_t end[] = {0, 1, INT64_MAX - 1};
    assert_ok(imsat_index_new(&last, &three, end, &err), &err);
    assert_refused(imsat_index_append(&out, last, &three, NULL, &err), &err, IMSAT_EINVAL,
                   "behind the id 9223372036854775806 there are none for 3 codes");
    assert_null(out);
    imsat_index_free(last);
    imsat_index_free(index);
    codes_case_clear(&c);
}

static void impossible_shapes_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    imsat_index index;
    assert_ok(im_index_shape(&index, 64, 10, 7, 3, &err), &err);
    assert_int_equal(im_index_width(&index, 0), 21);
    assert_int_equal(im_index_width(&index, 2), 22);
    assert_int_equal(im_index_bucket(&index, 2), (1 << 21) + (1 << 21) + 2);
    assert_ok(im_index_shape(&index, 1024, 0, 0, 0, &err), &err);
    const size_t bad[][4] = {{0, 1, 1, 0},          {1025, 1, 1, 0}, {64, 3, 4, 0},
                             {64, 3, 0, 0},         {64, 3, 2, 2},   {64, 3, 2, 65},
                             {64, UINT32_MAX, 2, 3}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(
            im_index_shape(&index, bad[i][0], bad[i][1], bad[i][2], bad[i][3], &err), &err,
            IMSAT_EFORMAT, i < 2 ? "bits" : "not possible");
}

/* Across words, and up to the last bit. */
static void subcodes_are_bits_of_the_words(void **state)
{
    (void)state;
    const uint64_t code[] = {0xfedcba9876543210, 0x0123456789abcdef};
    assert_int_equal(im_index_subcode(code, 0, 12), 0x210);
    assert_int_equal(im_index_subcode(code, 60, 8), 0xff);
    assert_int_equal(im_index_subcode(code, 56, 30), 0x2bcdeffe);
    assert_int_equal(im_index_subcode(code, 104, 24), 0x012345);
}

typedef struct attempt {
    const codes_case *c;
    const imsat_index *index;
    int what;
} attempt;

static imsat_status try_all(void *context, imsat_error *err)
{
    const attempt *a = context;
    imsat_index *out = NULL;
    int64_t ids[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        ids[i] = 100000 + (int64_t)i;
    const imsat_status st = a->what == 0 ? imsat_index_new(&out, &a->c->codes, a->c->ids, err)
                            : a->what == 1
                                ? imsat_index_append(&out, a->index, &a->c->codes, ids, err)
                                : imsat_index_delete(&out, a->index, a->c->ids, 50, err);
    assert_true((st == IMSAT_OK) == (out != NULL));
    imsat_index_free(out);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    codes_case c;
    imsat_index *index;
    make(&c, &index);
    for (int what = 0; what < 3; what++)
        assert_true(fail_each(try_all, &(attempt){&c, index, what}) >= 6);
    imsat_index_free(index);
    codes_case_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_told),
        cmocka_unit_test(ids_count_up_if_none_are_given),
        cmocka_unit_test(append_is_as_building_at_once),
        cmocka_unit_test(delete_is_as_never_added),
        cmocka_unit_test(both_parts_are_taken),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(impossible_shapes_are_refused),
        cmocka_unit_test(subcodes_are_bits_of_the_words),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
