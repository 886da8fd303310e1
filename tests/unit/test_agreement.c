/* SPDX-License-Identifier: MIT
 * How far codes agree: blind to the order and the sense of bits, and 0 for strangers. */
#include "support.h"

#include "core/rng.h"
#include "model/agreement.h"

#include <string.h>

enum { ROWS = 301, BYTES = 3 };

static void fill(uint8_t codes[ROWS * BYTES], uint64_t seed)
{
    for (size_t i = 0; i < ROWS * BYTES; i++) {
        uint32_t word[4];
        im_rng_block(word, (im_rng){seed, IM_STREAM_INIT, 0, 0}, (uint32_t)i, 0);
        codes[i] = (uint8_t)word[0];
    }
}

static void test_blind_to_names_of_bits(void **state)
{
    (void)state;
    uint8_t a[ROWS * BYTES], b[ROWS * BYTES];
    fill(a, 1);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < BYTES; j++) /* bytes permuted, some bits complemented */
            b[i * BYTES + j] = a[i * BYTES + (j + 1) % BYTES] ^ 0x5a;
    assert_near(im_agreement_codes(a, b, ROWS, BYTES), 1, 1e-12);
    for (size_t i = 0; i < ROWS; i++) /* a third of the bits says something else */
        b[i * BYTES] = (uint8_t)(i * 37);
    const double less = im_agreement_codes(a, b, ROWS, BYTES);
    assert_true(less > 0.4 && less < 0.9);
}

/* Not by a rounding more than 1, which is the most. */
static void test_one_is_the_most(void **state)
{
    (void)state;
    uint8_t a[ROWS * BYTES], b[ROWS * BYTES];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fill(a, seed);
        assert_near(im_agreement_codes(a, a, ROWS, BYTES), 1, 0);
        for (size_t i = 0; i < ROWS * BYTES; i += BYTES) { /* distances twice as long */
            b[i] = b[i + 1] = a[i];
            b[i + 2] = a[i + 1] = a[i + 2] = 0;
        }
        assert_near(im_agreement_codes(a, b, ROWS, BYTES), 1, 0);
    }
}

static void test_strangers(void **state)
{
    (void)state;
    uint8_t a[ROWS * BYTES], b[ROWS * BYTES];
    fill(a, 1);
    fill(b, 2);
    assert_near(im_agreement_codes(a, b, ROWS, BYTES), 0, 0.05);
}

static void test_constant(void **state)
{
    (void)state;
    uint8_t a[ROWS * BYTES] = {0}, b[ROWS * BYTES];
    fill(b, 3);
    assert_near(im_agreement_codes(a, a, ROWS, BYTES), 1, 0);
    assert_near(im_agreement_codes(a, b, ROWS, BYTES), 0, 0);
    assert_near(im_agreement_codes(b, b, 2, BYTES), 1, 0); /* one pair has no variance */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blind_to_names_of_bits), cmocka_unit_test(test_one_is_the_most),
        cmocka_unit_test(test_strangers), cmocka_unit_test(test_constant)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
