/* SPDX-License-Identifier: MIT
 * The checksum: known values, pieces, and every flipped bit. */
#include "core/checksum.h"

#include "failing_alloc.h"
#include "support.h"

static uint64_t checksum_of(const unsigned char *bytes, size_t size, size_t piece)
{
    imsat_error err;
    im_checksum *checksum = NULL;
    assert_ok(im_checksum_new(&checksum, &err), &err);
    for (size_t i = 0; i < size; i += piece)
        im_checksum_add(checksum, bytes + i, size - i < piece ? size - i : piece);
    im_checksum_add(checksum, NULL, 0);
    const uint64_t value = im_checksum_value(checksum);
    im_checksum_free(checksum);
    assert_true(im_checksum_of(bytes, size) == value);
    return value;
}

/* As `printf abc | xxhsum -H3` says. */
static void values_are_those_of_xxh3(void **state)
{
    (void)state;
    assert_true(checksum_of((const unsigned char *)"", 0, 1) == UINT64_C(0x2d06800538d394c2));
    assert_true(checksum_of((const unsigned char *)"abc", 3, 3) ==
                UINT64_C(0x78af5f94892f3950));
}

static void pieces_do_not_matter_and_every_bit_does(void **state)
{
    (void)state;
    unsigned char bytes[701];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * i);
    const uint64_t whole = checksum_of(bytes, sizeof bytes, sizeof bytes);
    for (size_t piece = 1; piece < sizeof bytes; piece += 37)
        assert_true(checksum_of(bytes, sizeof bytes, piece) == whole);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        assert_true(checksum_of(bytes, sizeof bytes, 100) != whole);
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
    }
}

static imsat_status make(void *context, imsat_error *err)
{
    im_checksum *checksum = NULL;
    (void)context;
    const imsat_status st = im_checksum_new(&checksum, err);
    assert_true((st == IMSAT_OK) == (checksum != NULL));
    im_checksum_free(checksum);
    return st;
}

static void memory_may_be_missing(void **state)
{
    (void)state;
    assert_int_equal(fail_each(make, NULL), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_xxh3),
        cmocka_unit_test(pieces_do_not_matter_and_every_bit_does),
        cmocka_unit_test(memory_may_be_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
