/* SPDX-License-Identifier: MIT
 * Sorting by keys and by codes, stable, for few and many. */
#include "search/sort.h"

#include "core/rng.h"
#include "support.h"

enum { MOST = 1009, WORDS = 3 };

static im_sort_pair pairs[MOST], scratch[MOST];
static uint64_t codes[MOST * WORDS];

static uint64_t draw(uint32_t item, uint32_t index)
{
    uint32_t block[4];
    im_rng_block(block, (im_rng){6, IM_STREAM_INIT, 0, 0}, item, index);
    return (uint64_t)block[0] << 32 | block[1];
}

/* Random keys that agree in some bytes, and many in all of them. */
static void keys_ascend_and_equal_ones_keep_their_order(void **state)
{
    (void)state;
    const size_t sizes[] = {0, 1, 2, 95, 96, 97, MOST};
    const uint64_t masks[] = {UINT64_MAX, 0xff00, 0x0300000000000007, 0};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t m = 0; m < 4; m++) {
            uint64_t sum = 0, after = 0;
            for (uint32_t i = 0; i < sizes[s]; i++) {
                pairs[i] = (im_sort_pair){draw(i, 1) & masks[m], i};
                sum += pairs[i].key;
            }
            im_sort_pairs(pairs, scratch, sizes[s]);
            for (size_t i = 0; i < sizes[s]; i++) {
                after += pairs[i].key;
                assert_true(pairs[i].key == (draw(pairs[i].row, 1) & masks[m]));
                assert_true(
                    i == 0 || pairs[i - 1].key < pairs[i].key ||
                    (pairs[i - 1].key == pairs[i].key && pairs[i - 1].row < pairs[i].row));
            }
            assert_true(sum == after);
        }
}

static int compare(const uint64_t *a, const uint64_t *b)
{
    for (size_t j = 0; j < WORDS; j++)
        if (a[j] != b[j])
            return a[j] < b[j] ? -1 : 1;
    return 0;
}

/* The first word has 3 values, the second 5, the third 7: long runs in every word. */
static void codes_ascend_by_their_first_words(void **state)
{
    (void)state;
    const uint64_t values[WORDS] = {3, 5, 7};
    for (uint32_t i = 0; i < MOST; i++) {
        for (uint32_t j = 0; j < WORDS; j++)
            codes[i * WORDS + j] = draw((uint32_t)(draw(i, j) % values[j]), 50 + j);
        pairs[i] = (im_sort_pair){0, i};
    }
    im_sort_codes(pairs, scratch, MOST, codes, WORDS);
    for (size_t i = 1; i < MOST; i++) {
        const uint32_t a = pairs[i - 1].row, b = pairs[i].row;
        const int order = compare(codes + a * WORDS, codes + b * WORDS);
        assert_true(order < 0 || (order == 0 && a < b));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_ascend_and_equal_ones_keep_their_order),
        cmocka_unit_test(codes_ascend_by_their_first_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
