/* SPDX-License-Identifier: MIT
 * Codes as words: the bytes in order, and refusals. */
#include "search/words.h"

#include "support.h"

static void sizes_are_rounded_up(void **state)
{
    (void)state;
    assert_int_equal(imsat_code_bytes(1), 1);
    assert_int_equal(imsat_code_bytes(8), 1);
    assert_int_equal(imsat_code_bytes(9), 2);
    assert_int_equal(imsat_code_bytes(1024), 128);
    assert_int_equal(im_words_of(1), 1);
    assert_int_equal(im_words_of(64), 1);
    assert_int_equal(im_words_of(65), 2);
    assert_int_equal(im_words_of(1024), IM_WORDS_MOST);
}

static void bytes_are_put_from_the_lowest(void **state)
{
    (void)state;
    uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 0xf0, 11, 12, 13, 14, 15, 16, 17, 18, 0x10};
    uint64_t words[4] = {9, 9, 9, 9};
    im_words_pack(words, &(imsat_codes){bytes, 2, 69});
    assert_true(words[0] == 0x0807060504030201 && words[1] == 0xf0);
    assert_true(words[2] == 0x1211100f0e0d0c0b && words[3] == 0x10);
}

static void bits_have_a_position(void **state)
{
    (void)state;
    for (size_t i = 0; i < 77; i++) {
        uint8_t bytes[10] = {0};
        uint64_t words[2];
        bytes[i / 8] = (uint8_t)(128U >> i % 8);
        im_words_pack(words, &(imsat_codes){bytes, 1, 77});
        const size_t at = im_words_position(i);
        assert_true(words[at / 64] == (uint64_t)1 << at % 64 && words[1 - at / 64] == 0);
    }
}

static void bits_behind_the_last_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    uint8_t bytes[] = {0xf8, 0x08, 0x0c};
    const imsat_codes good = {bytes, 3, 6}, bad = {bytes, 3, 5};
    assert_ok(im_words_check(&good, "the codes", &err), &err);
    assert_refused(im_words_check(&bad, "the codes", &err), &err, IMSAT_EINVAL,
                   "the codes: row 2 has a bit set behind the last of its 5 bits");
}

static void numbers_of_bits_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    assert_refused(im_words_check(&(imsat_codes){NULL, 0, 0}, "the queries", &err), &err,
                   IMSAT_EINVAL, "the queries have 0 bits, and must have from 1 to 1024");
    assert_refused(im_words_check(&(imsat_codes){NULL, 0, 1025}, "the queries", &err), &err,
                   IMSAT_EINVAL, "1025 bits");
    assert_ok(im_words_check(&(imsat_codes){NULL, 0, 1024}, "the queries", &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_rounded_up),
        cmocka_unit_test(bytes_are_put_from_the_lowest),
        cmocka_unit_test(bits_have_a_position),
        cmocka_unit_test(bits_behind_the_last_are_refused),
        cmocka_unit_test(numbers_of_bits_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
