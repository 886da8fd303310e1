/* SPDX-License-Identifier: MIT
 * Every part of an index that is not as it should be is noticed. */
#include "search/index.h"

#include "codes.h"
#include "support.h"

#include <string.h>

enum { ROWS = 307, BITS = 77 };

/* Change one number of an array, expect a refusal, and change it back. Needs `err`. */
#define ASSERT_NOTICED(type, index, array, at, value, part)                                   \
    do {                                                                                      \
        type *place = writable(index, (index)->array + (at));                                 \
        const type old = *place;                                                              \
        *place = (type)(value);                                                               \
        assert_refused(im_index_check(index, &err), &err, IMSAT_EFORMAT, part);               \
        *place = old;                                                                         \
        assert_ok(im_index_check(index, &err), &err);                                         \
    } while (0)

static void *writable(const imsat_index *index, const void *array)
{
    return (char *)index->memory.heap + ((const unsigned char *)array - index->memory.data);
}

static void wrong_numbers_are_noticed(void **state)
{
    (void)state;
    imsat_error err;
    codes_case c;
    imsat_index *index;
    codes_case_make(&c, CODES_CLUSTERED, ROWS, 1, BITS);
    assert_ok(imsat_index_new(&index, &c.codes, c.ids, &err), &err);
    assert_ok(im_index_check(index, &err), &err);
    const size_t n = index->distinct;
    size_t two = 0; /* a code with two ids, and a bucket with two codes */
    while (index->first[two + 1] - index->first[two] < 2)
        two++;
    ASSERT_NOTICED(uint64_t, index, codes, 2 * 5 + 1, index->codes[11] | 1 << 8,
                   "code 5 has a bit set behind its last one");
    ASSERT_NOTICED(uint64_t, index, codes, 2 * 5 + 1, index->codes[11] | 1 << 16,
                   "code 5 has a bit set behind its last one");
    ASSERT_NOTICED(uint64_t, index, codes, 2 * 9, 0, "code 9 is not above the one before it");
    ASSERT_NOTICED(uint32_t, index, first, 0, 1, "the codes have the ids 1 to 307 of 307");
    ASSERT_NOTICED(uint32_t, index, first, n, ROWS + 1, "to 308 of 307");
    ASSERT_NOTICED(uint32_t, index, first, 3, index->first[2], "code 2 has no ids");
    ASSERT_NOTICED(uint32_t, index, first, 3, ROWS + 5, "code 3 has no ids");
    ASSERT_NOTICED(int64_t, index, ids, index->first[two], index->ids[index->first[two] + 1],
                   "do not ascend");
    ASSERT_NOTICED(uint32_t, index, buckets, 0, 1, "table 0 does not have all codes");
    ASSERT_NOTICED(uint32_t, index, buckets, im_index_bucket(index, 2) - 1, n + 1,
                   "table 1 does not have all codes");
    ASSERT_NOTICED(uint32_t, index, buckets, im_index_bucket(index, 1) + 9, n + 1,
                   "table 1 has a bucket of negative size");
    ASSERT_NOTICED(uint32_t, index, entry, n + 7, n, "entry 7 of table 1 is wrong");
    ASSERT_NOTICED(uint32_t, index, entry, 2 * n + 7, index->entry[2 * n + 8], "of table 2");
    ASSERT_NOTICED(uint32_t, index, slot, 0, 1, "does not have all codes");
    ASSERT_NOTICED(uint32_t, index, slot, 5, n + 1, "has a bucket of negative size");
    ASSERT_NOTICED(uint32_t, index, slot_entry, 7, n + 1, "entry 7 of table");
    ASSERT_NOTICED(uint32_t, index, slot_entry, 8, index->slot_entry[20], "entry 8 of table");
    imsat_index_free(index);
    codes_case_clear(&c);
}

/* A whole last byte, and whole last words. */
static void full_codes_pass(void **state)
{
    (void)state;
    imsat_error err;
    const size_t bits[] = {8, 64, 72, 128, 1024};
    for (size_t b = 0; b < sizeof bits / sizeof *bits; b++) {
        uint8_t bytes[2 * IMSAT_MAX_BITS / 8];
        imsat_index *index;
        memset(bytes, 255, sizeof bytes);
        assert_ok(imsat_index_new(&index, &(imsat_codes){bytes, 2, bits[b]}, NULL, &err),
                  &err);
        assert_ok(im_index_check(index, &err), &err);
        assert_int_equal(index->distinct, 1);
        imsat_index_free(index);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_numbers_are_noticed),
        cmocka_unit_test(full_codes_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
