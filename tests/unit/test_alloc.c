/* SPDX-License-Identifier: MIT
 * Allocation: blocks are zeroed and aligned, sizes do not overflow, failures are reported. */
#include "core/alloc.h"

#include "failing_alloc.h"
#include "support.h"

static bool is_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i])
            return false;
    return true;
}

static void products_are_checked(void **state)
{
    (void)state;
    size_t product = 7;
    assert_true(im_size_mul(&product, 3, 5));
    assert_int_equal(product, 15);
    assert_true(im_size_mul(&product, SIZE_MAX, 1));
    assert_true(im_size_mul(&product, 0, SIZE_MAX));
    assert_int_equal(product, 0);
    assert_false(im_size_mul(&product, SIZE_MAX / 2 + 1, 2));
    assert_false(im_size_mul(&product, (size_t)1 << 32, (size_t)1 << 32));
}

static void blocks_are_zeroed_and_aligned(void **state)
{
    (void)state;
    for (size_t count = 0; count < 200; count += 7) {
        unsigned char *block = im_alloc(count, 3);
        assert_non_null(block);
        assert_true((uintptr_t)block % 64 == 0);
        assert_true(is_zero(block, 3 * count));
        memset(block, 0xaa, 3 * count); /* so that a block used again is not zero by luck */
        im_free(block);
    }
    im_free(NULL);
}

/* Blocks that are not set are like the others in all else. */
static void unset_blocks_are_aligned(void **state)
{
    (void)state;
    for (size_t count = 0; count < 200; count += 7) {
        unsigned char *block = im_alloc_unset(count, 3);
        assert_non_null(block);
        assert_true((uintptr_t)block % 64 == 0);
        memset(block, 0xaa, 3 * count);
        im_free(block);
    }
}

static void impossible_sizes_give_null(void **state)
{
    (void)state;
    char kept = 'k';
    assert_null(im_alloc_unset(SIZE_MAX / 4, 8));
    assert_null(im_alloc_unset(SIZE_MAX, 1));
    assert_null(im_alloc(SIZE_MAX / 4, 8));
    assert_null(im_alloc(SIZE_MAX, 1));
    assert_null(im_alloc(SIZE_MAX - 3, 1));
    assert_null(im_grow(&kept, 1, SIZE_MAX, 2));
    assert_int_equal(kept, 'k');
}

static void growing_keeps_the_old_and_zeroes_the_new(void **state)
{
    (void)state;
    int *block = im_grow(NULL, 0, 3, sizeof *block);
    assert_non_null(block);
    for (int i = 0; i < 3; i++)
        block[i] = i + 1;
    block = im_grow(block, 3, 1000, sizeof *block);
    assert_non_null(block);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(block[i], i < 3 ? i + 1 : 0);
    block = im_grow(block, 1000, 2, sizeof *block);
    assert_non_null(block);
    assert_int_equal(block[1], 2);
    im_free(block);
}

static void text_is_copied(void **state)
{
    (void)state;
    const char text[] = "some text";
    char *copy = im_strdup(text), *empty = im_strdup("");
    assert_string_equal(copy, text);
    assert_ptr_not_equal(copy, text);
    assert_string_equal(empty, "");
    im_free(copy);
    im_free(empty);
}

/* Three pieces of odd sizes; the bytes used. */
static size_t layout(char **a, double **b, char **c, void *base)
{
    im_carver carver = {base, 0};
    *a = im_carve(&carver, 5, 1);
    *b = im_carve(&carver, 9, sizeof **b);
    *c = im_carve(&carver, 1, 1);
    return carver.used;
}

static void carving_measures_what_it_lays_out(void **state)
{
    (void)state;
    char *a, *c;
    double *b;
    const size_t size = layout(&a, &b, &c, NULL);
    assert_true(!a && !b && !c);
    char *block = im_alloc(size, 1);
    assert_non_null(block);
    assert_int_equal(layout(&a, &b, &c, block), size);
    assert_ptr_equal(a, block);
    assert_ptr_equal(b, block + 64);
    assert_ptr_equal(c, block + 64 + 128);
    assert_int_equal(size, 64 + 128 + 1);
    im_free(block);
}

static void the_kth_allocation_fails(void **state)
{
    (void)state;
    char kept[] = "kept";
    failing_alloc_arm(2);
    void *first = im_alloc(1, 1);
    assert_non_null(first);
    assert_null(im_grow(kept, 5, 10, 1));
    assert_string_equal(kept, "kept"); /* the old block is still there */
    char *third = im_strdup("third");
    assert_non_null(third);
    assert_int_equal(failing_alloc_count(), 3);
    failing_alloc_arm(1);
    assert_null(im_strdup("text"));
    failing_alloc_arm(0);
    im_free(first);
    im_free(third);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_checked),
        cmocka_unit_test(blocks_are_zeroed_and_aligned),
        cmocka_unit_test(unset_blocks_are_aligned),
        cmocka_unit_test(impossible_sizes_give_null),
        cmocka_unit_test(growing_keeps_the_old_and_zeroes_the_new),
        cmocka_unit_test(text_is_copied),
        cmocka_unit_test(carving_measures_what_it_lays_out),
        cmocka_unit_test(the_kth_allocation_fails),
    };
    return cmocka_run_group_tests_name("alloc", tests, NULL, NULL);
}
