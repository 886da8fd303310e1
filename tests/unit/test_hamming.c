/* SPDX-License-Identifier: MIT
 * Every kernel of this machine against bits counted one by one. */
#include "support.h"

#include "core/rng.h"
#include "search/hamming.h"
#include "search/hamming_kernels.h"

#include <string.h>

enum { RUN = IM_HAMMING_RUN, QUERIES = IM_HAMMING_QUERIES, CODES = 150, KERNELS = 4 };

static uint64_t queries[QUERIES * IM_WORDS_MOST], codes[CODES * IM_WORDS_MOST];
static uint64_t scratch[IM_HAMMING_RUN_WORDS];

static size_t kernels(const im_hamming_kernel *list[KERNELS])
{
    const im_hamming_kernel *all[KERNELS] = {&im_hamming_ref, im_hamming_avx2(),
                                             im_hamming_avx512(), im_hamming_neon()};
    size_t n = 0;
    for (size_t i = 0; i < KERNELS; i++)
        if (all[i])
            list[n++] = all[i];
    return n;
}

static uint64_t random_word(uint64_t seed, size_t i)
{
    uint32_t block[4];
    im_rng_block(block, (im_rng){seed, IM_STREAM_INIT, 0, 0}, (uint32_t)i, 1);
    return (uint64_t)block[0] << 32 | block[1];
}

/* Random words; every fifth code is all ones, the farthest from the all-zero query 0. */
static void fill(size_t words)
{
    for (size_t i = 0; i < CODES * words; i++)
        codes[i] = i / words % 5 ? random_word(3, i) : UINT64_MAX;
    for (size_t i = 0; i < QUERIES * words; i++)
        queries[i] = i < words ? 0 : random_word(4, i);
}

static unsigned plain(const uint64_t *a, const uint64_t *b, size_t words)
{
    unsigned differing = 0;
    for (size_t i = 0; i < 64 * words; i++)
        differing += (unsigned)((a[i / 64] ^ b[i / 64]) >> i % 64 & 1);
    return differing;
}

static void distances_are_counts_of_bits(void **state)
{
    (void)state;
    const im_hamming_kernel *list[KERNELS];
    const size_t n = kernels(list), counts[] = {1, 7, 63, 64};
    static uint16_t distance[QUERIES * RUN];
    for (size_t words = 1; words <= IM_WORDS_MOST; words++) {
        fill(words);
        for (size_t c = 0; c < 4; c++)
            for (size_t k = 0; k < n; k++) {
                const size_t many = 2 + 9 * c;
                const uint64_t *run =
                    im_hamming_load(scratch, codes + 3 * words, counts[c], words);
                memset(distance, 255, sizeof distance);
                list[k]->distances(distance, queries, many, run, words);
                for (size_t q = 0; q < many; q++)
                    for (size_t i = 0; i < counts[c]; i++)
                        assert_int_equal(
                            distance[q * RUN + i],
                            plain(queries + q * words, codes + (3 + i) * words, words));
                assert_int_equal(distance[many * RUN], 65535);
            }
    }
}

static void within_finds_what_is_at_most_the_bound(void **state)
{
    (void)state;
    const im_hamming_kernel *list[KERNELS];
    const size_t n = kernels(list);
    for (size_t words = 1; words <= IM_WORDS_MOST; words++) {
        fill(words);
        const uint64_t *run = im_hamming_load(scratch, codes, RUN, words);
        uint16_t bound[QUERIES];
        for (size_t q = 0; q < QUERIES; q++)
            bound[q] = (uint16_t)(q % 4 == 3 ? 0
                                             : plain(queries + q * words,
                                                     codes + 7 * q % RUN * words, words) -
                                                   q % 2);
        bound[0] = (uint16_t)(64 * words);
        for (size_t k = 0; k < n; k++) {
            im_hamming_pass passed[QUERIES];
            size_t next = 0;
            const size_t many = list[k]->within(passed, queries, bound, QUERIES, run, words);
            for (size_t q = 0; q < QUERIES; q++) {
                uint64_t mask = 0;
                for (size_t i = 0; i < RUN; i++)
                    if (plain(queries + q * words, codes + i * words, words) <= bound[q])
                        mask |= (uint64_t)1 << i;
                if (!mask)
                    continue;
                assert_true(next < many && passed[next].query == q);
                assert_true(passed[next++].mask == mask);
            }
            assert_int_equal(next, many);
            assert_true(many > 1 && many < QUERIES);
        }
    }
}

static void listed_takes_codes_in_any_order(void **state)
{
    (void)state;
    const im_hamming_kernel *list[KERNELS];
    const size_t n = kernels(list);
    for (size_t words = 1; words <= IM_WORDS_MOST; words++) {
        enum { LISTED = 83 };
        uint32_t numbers[LISTED];
        uint16_t distance[LISTED];
        fill(words);
        for (uint32_t i = 0; i < LISTED; i++)
            numbers[i] = 71 * i % CODES;
        for (size_t k = 0; k < n; k++) {
            list[k]->listed(distance, queries + words, codes, numbers, LISTED, words);
            for (size_t i = 0; i < LISTED; i++)
                assert_int_equal(distance[i],
                                 plain(queries + words, codes + numbers[i] * words, words));
        }
    }
}

static void a_run_of_one_word_is_in_place(void **state)
{
    (void)state;
    fill(2);
    assert_ptr_equal(im_hamming_load(scratch, codes, RUN, 1), codes);
    assert_ptr_equal(im_hamming_load(scratch, codes, RUN - 1, 1), scratch);
    assert_true(scratch[RUN - 2] == codes[RUN - 2] && scratch[RUN - 1] == 0);
    assert_ptr_equal(im_hamming_load(scratch, codes, RUN, 2), scratch);
    assert_true(scratch[RUN + 5] == codes[11]);
}

static void the_fastest_or_the_plain_one_is_selected(void **state)
{
    (void)state;
    const im_hamming_kernel *list[KERNELS];
    const size_t n = kernels(list);
    assert_ptr_equal(im_hamming_select(true), &im_hamming_ref);
    assert_ptr_equal(im_hamming_select(false), list[n - 1]);
    for (size_t k = 1; k < n; k++)
        assert_true(list[k]->cost < list[k - 1]->cost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_counts_of_bits),
        cmocka_unit_test(within_finds_what_is_at_most_the_bound),
        cmocka_unit_test(listed_takes_codes_in_any_order),
        cmocka_unit_test(a_run_of_one_word_is_in_place),
        cmocka_unit_test(the_fastest_or_the_plain_one_is_selected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
