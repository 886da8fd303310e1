/* SPDX-License-Identifier: MIT
 * The heap of the smallest keys, and the order of the keys. */
#include "linear/keep.h"

#include "core/rng.h"
#include "support.h"

#include <math.h>

static void pairs_order_by_value_then_row(void **state)
{
    (void)state;
    const float values[] = {-INFINITY, -2.5F, -1e-40F, 0, 1e-40F, 0.5F, 3, 1e38F, INFINITY};
    const size_t count = sizeof values / sizeof *values;
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = im_keep_pair(values[i], 7);
        assert_true(im_keep_value(key) == values[i]);
        assert_int_equal(im_keep_row(key), 7);
        assert_true(im_keep_pair(values[i], 6) < key);
        if (i > 0)
            assert_true(im_keep_pair(values[i - 1], UINT32_MAX) < key);
    }
}

static void numbers_order_by_value(void **state)
{
    (void)state;
    const double values[] = {0, 1e-310, 0.25, 1, 1e300, INFINITY};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        assert_true(im_keep_as_number(im_keep_number(values[i])) == values[i]);
        if (i > 0)
            assert_true(im_keep_number(values[i - 1]) < im_keep_number(values[i]));
    }
}

/* By counting: the root must have exactly capacity - 1 smaller keys before it. */
static void the_root_is_the_last_of_the_smallest(void **state)
{
    (void)state;
    enum { KEYS = 101 };
    for (size_t capacity = 1; capacity <= KEYS; capacity += 9) {
        uint64_t keys[KEYS], heap[KEYS];
        im_keep_reset(heap, capacity, UINT64_MAX);
        for (uint32_t i = 0; i < KEYS; i++) {
            uint32_t word[4];
            im_rng_block(word, (im_rng){.seed = 5, .stream = IM_STREAM_INIT},
                         (uint32_t)capacity, i);
            keys[i] = (uint64_t)word[0] << 32 | i;
            if (keys[i] < heap[0])
                im_keep_replace(heap, capacity, keys[i]);
        }
        size_t smaller = 0, present = 0;
        for (size_t i = 0; i < KEYS; i++) {
            smaller += keys[i] < heap[0];
            for (size_t j = 0; j < capacity; j++)
                present += keys[i] == heap[j] && keys[i] <= heap[0];
        }
        assert_int_equal(smaller, capacity - 1);
        assert_int_equal(present, capacity);
    }
}

static void too_few_keys_leave_the_last_one_on_top(void **state)
{
    (void)state;
    uint64_t heap[3];
    im_keep_reset(heap, 3, 99);
    im_keep_replace(heap, 3, 5);
    im_keep_replace(heap, 3, 7);
    assert_int_equal(heap[0], 99);
    im_keep_replace(heap, 3, 6);
    assert_int_equal(heap[0], 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_order_by_value_then_row),
        cmocka_unit_test(numbers_order_by_value),
        cmocka_unit_test(the_root_is_the_last_of_the_smallest),
        cmocka_unit_test(too_few_keys_leave_the_last_one_on_top),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
