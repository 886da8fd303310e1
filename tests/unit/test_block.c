/* SPDX-License-Identifier: MIT
 * The rows of a file: the same values whatever their order and type, and shapes refused. */
#include "data/block.h"

#include "support.h"

#include <string.h>

enum { ROWS = 2, DIM = 3 };

static void columns_of_a_row_as_float(void **state)
{
    (void)state;
    const size_t shape[] = {ROWS, DIM};
    const uint8_t by_row[] = {1, 2, 3, 4, 5, 6}, by_column[] = {1, 4, 2, 5, 3, 6};
    const float floats[] = {1, 2, 3, 4, 5, 6};
    im_block blocks[3] = {
        {.base = by_row, .dtype = IM_U8},
        {.base = by_column, .dtype = IM_U8},
        {.base = (const unsigned char *)floats, .dtype = IM_F32},
    };
    imsat_error err;
    for (size_t b = 0; b < 3; b++) {
        float out[DIM + 1] = {0, 0, 0, -1};
        assert_ok(im_block_set_shape(&blocks[b], shape, 2, "f", &err), &err);
        if (b == 1)
            im_block_set_fortran(&blocks[b]);
        assert_ptr_equal(im_block_whole(&blocks[b]), b == 1 ? NULL : blocks[b].base);
        im_block_prefetch(&blocks[b], 1);
        im_block_floats(out, &blocks[b], 1, 0, DIM);
        assert_memory_equal(out, floats + DIM, DIM * sizeof *out);
        im_block_floats(out, &blocks[b], 0, 1, 2);
        assert_memory_equal(out, floats + 1, 2 * sizeof *out);
        assert_true(out[DIM] == -1);
        im_block_pass(&blocks[b], 1); /* nothing is mapped, so nothing is released */
    }
}

static void a_vector_has_no_order(void **state)
{
    (void)state;
    const size_t shape[] = {4};
    const uint8_t bytes[] = {7, 8, 9, 10};
    im_block block = {.base = bytes, .dtype = IM_U8};
    imsat_error err;
    float out;
    assert_ok(im_block_set_shape(&block, shape, 1, "f", &err), &err);
    im_block_set_fortran(&block);
    im_block_floats(&out, &block, 2, 0, 1);
    assert_true(out == 9);
}

static void a_piece_is_at_least_a_row(void **state)
{
    (void)state;
    assert_int_equal(im_block_piece(784), (1 << 22) / 784);
    assert_int_equal(im_block_piece(SIZE_MAX), 1);
}

static void shapes_as_text(void **state)
{
    (void)state;
    char text[IM_SHAPE_TEXT];
    im_block_shape_text(text, (const size_t[]){5}, 1);
    assert_string_equal(text, "(5,)");
    im_block_shape_text(text, (const size_t[]){SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX}, 4);
    assert_int_equal(strlen(text), 4 * 20 + 3 * 2 + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_a_row_as_float),
        cmocka_unit_test(a_vector_has_no_order),
        cmocka_unit_test(a_piece_is_at_least_a_row),
        cmocka_unit_test(shapes_as_text),
    };
    return cmocka_run_group_tests_name("block", tests, NULL, NULL);
}
