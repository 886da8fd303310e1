/* SPDX-License-Identifier: MIT
 * The rows of a file: the same values whatever their order and type, and shapes refused. */
#include "core/alloc.h"
#include "core/limit.h"
#include "core/status.h"
#include "data/block.h"
#include "data/reader.h"

#include "data_files.h"

#include <math.h>
#include <stdio.h>
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

/* ---- rows from a function ------------------------------------------------------- */

enum { LONG = 5000 }; /* more elements than pass at a time, of any type */

typedef struct counter {
    size_t calls, released, closed;
    bool broken;
} counter;

/* Element (i, j) is 10000 i + j. */
static imsat_status count_up(void *context, void *out, size_t row, size_t first, size_t count,
                             imsat_error *err)
{
    counter *c = context;
    c->calls++;
    if (c->broken)
        return im_fail(err, IMSAT_EIO, "f: broken");
    for (size_t j = 0; j < count; j++)
        ((double *)out)[j] = 10000.0 * (double)row + (double)(first + j);
    return IMSAT_OK;
}

static void count_released(void *context, size_t first, size_t count)
{
    assert_int_equal(first, 0);
    ((counter *)context)->released += count;
}

static void count_closed(void *context)
{
    ((counter *)context)->closed++;
}

static void rows_come_from_a_function(void **state)
{
    (void)state;
    counter c = {0};
    im_block block = {.kind = IM_BLOCK_SOURCE,
                      .dtype = IM_F64,
                      .rows = 3,
                      .dim = LONG,
                      .source = {&c, count_up, count_released, count_closed}};
    static float floats[LONG];
    static double doubles[LONG], raw[LONG];
    imsat_error err;
    assert_null(im_block_whole(&block));
    im_block_prefetch(&block, 0);
    im_block_floats(floats, &block, 2, 1, LONG - 1);
    assert_ok(im_block_read_wide(doubles, &block, 2, 1, LONG - 1, &err), &err);
    assert_ok(im_block_read_raw(raw, &block, 2, 1, LONG - 1, &err), &err);
    for (size_t j = 0; j < LONG - 1; j++)
        assert_true(floats[j] == (float)(20001 + j) && doubles[j] == floats[j] &&
                    raw[j] == doubles[j]);
    for (size_t i = 0; i < 3; i++)
        im_block_pass(&block, i);
    assert_int_equal(c.released, 3);
    im_block_clear(&block);
    assert_int_equal(c.closed, 1);
}

static void what_a_function_cannot_read(void **state)
{
    (void)state;
    counter c = {.broken = true};
    const im_block block = {.kind = IM_BLOCK_SOURCE,
                            .dtype = IM_F64,
                            .rows = 1,
                            .dim = 2,
                            .source = {&c, count_up, NULL, NULL}};
    imsat_error err;
    float floats[2] = {0};
    double doubles[2] = {0};
    assert_refused(im_block_read(floats, &block, 0, 0, 2, &err), &err, IMSAT_EIO, "broken");
    assert_refused(im_block_read_wide(doubles, &block, 0, 0, 2, &err), &err, IMSAT_EIO,
                   "broken");
    im_block_floats(floats, &block, 0, 0, 2);
    im_block_doubles(doubles, &block, 0, 0, 2);
    assert_true(isnan(floats[0]) && isnan(floats[1]) && isnan(doubles[0]) &&
                isnan(doubles[1]));
    im_block_release(&block, 0, 1); /* there is nothing to call */
}

static void elements_as_they_are(void **state)
{
    (void)state;
    const size_t shape[] = {ROWS, DIM};
    const uint16_t big[] = {0x0100, 0x0200, 0x0300, 0x0400, 0x0500, 0x0600};
    im_block block = {.base = (const unsigned char *)big, .dtype = IM_U16, .swapped = true};
    uint16_t out[2];
    imsat_error err;
    assert_ok(im_block_set_shape(&block, shape, 2, "f", &err), &err);
    assert_ok(im_block_read_raw(out, &block, 1, 1, 2, &err), &err);
    assert_true(out[0] == 5 && out[1] == 6);
    block.swapped = false;
    assert_ok(im_block_read_raw(out, &block, 1, 1, 2, &err), &err);
    assert_true(out[0] == 0x0500 && out[1] == 0x0600);
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

/* ---- mapped rows within a limit on memory -------------------------------------------- */

enum { TALL = 8 };

/* All that can be read of a row, one after the other. */
typedef struct whole_row {
    float floats[LONG], some[7];
    double doubles[LONG];
    double raw[LONG]; /* room for any type */
} whole_row;

static void take_row(whole_row *out, const im_block *block, size_t row)
{
    imsat_error err;
    memset(out, 0, sizeof *out);
    assert_ok(im_block_read(out->floats, block, row, 0, LONG, &err), &err);
    assert_ok(im_block_read(out->some, block, row, 3001, 7, &err), &err);
    assert_ok(im_block_read_wide(out->doubles, block, row, 0, LONG, &err), &err);
    assert_ok(im_block_read_raw(out->raw, block, row, 0, LONG, &err), &err);
}

/* The rows of a file of this kind are the same whether they are read or touched. */
static void assert_read_as_touched(const char *descr, size_t size, const char *fortran)
{
    static unsigned char bytes[TALL * LONG * sizeof(double)], file[sizeof bytes + 512];
    static whole_row read, touched;
    char header[128];
    imsat_error err;
    im_block block = {0};
    for (size_t i = 0; i < sizeof bytes; i++) /* finite as any type */
        bytes[i] = (unsigned char)(i * i % 59 + 1);
    snprintf(header, sizeof header,
             "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }", descr, fortran, TALL,
             LONG);
    const im_read_request request = {.path = in_folder("x.npy")};
    write_file(request.path, file, npy_bytes(file, 1, header, bytes, TALL * LONG * size));
    im_limit_set(im_limit_for(im_alloc_used() + 40000), 0); /* pages: a third of that */
    assert_ok(im_reader_read(&block, &request, &err), &err);
    for (size_t i = 0; i < TALL; i += 3) {
        im_limit_set(im_limit_for(im_alloc_used() + 40000), 0);
        assert_true(im_map_is_read(block.bytes.mapped));
        im_block_prefetch(&block, i);
        take_row(&read, &block, i);
        im_limit_set(0, 0);
        assert_false(im_map_is_read(block.bytes.mapped));
        take_row(&touched, &block, i);
        assert_memory_equal(&read, &touched, sizeof read);
        assert_true(touched.raw[0] != 0);
    }
    im_block_clear(&block);
}

static void mapped_rows_are_read_within_a_limit(void **state)
{
    (void)state;
    assert_read_as_touched("<f4", 4, "False");
    assert_read_as_touched(">f4", 4, "False");
    assert_read_as_touched("<f8", 8, "False");
    assert_read_as_touched(">f8", 8, "True");
    assert_read_as_touched("|u1", 1, "False");
    assert_read_as_touched("<i2", 2, "True");
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
        cmocka_unit_test(rows_come_from_a_function),
        cmocka_unit_test(what_a_function_cannot_read),
        cmocka_unit_test(elements_as_they_are),
        cmocka_unit_test(a_vector_has_no_order),
        cmocka_unit_test(mapped_rows_are_read_within_a_limit),
        cmocka_unit_test(a_piece_is_at_least_a_row),
        cmocka_unit_test(shapes_as_text),
    };
    return cmocka_run_group_tests_name("block", tests, folder_setup, folder_teardown);
}
