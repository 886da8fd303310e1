/* SPDX-License-Identifier: MIT
 * Arrays in the caller's memory: types, layouts, images, what is refused. test_dataset.c has
 * the views of float and of sparse rows. */
#include "data/dataset.h"
#include "data_files.h"
#include "failing_alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 2, DIM = 3 };

static const float EXPECTED[ROWS * DIM] = {0, 1, 2, 3, 4, 5};

/* The numbers 0 .. 5 in C order, as elements of each type. */
#define OF(type)                                                                              \
    (const type[ROWS * DIM])                                                                  \
    {                                                                                         \
        0, 1, 2, 3, 4, 5                                                                      \
    }

static const struct {
    imsat_element type;
    const char *name;
    size_t size;
    const void *numbers;
} cases[] = {
    {IMSAT_ELEMENT_INT8, "int8", 1, OF(int8_t)},
    {IMSAT_ELEMENT_UINT8, "uint8", 1, OF(uint8_t)},
    {IMSAT_ELEMENT_INT16, "int16", 2, OF(int16_t)},
    {IMSAT_ELEMENT_UINT16, "uint16", 2, OF(uint16_t)},
    {IMSAT_ELEMENT_INT32, "int32", 4, OF(int32_t)},
    {IMSAT_ELEMENT_UINT32, "uint32", 4, OF(uint32_t)},
    {IMSAT_ELEMENT_INT64, "int64", 8, OF(int64_t)},
    {IMSAT_ELEMENT_UINT64, "uint64", 8, OF(uint64_t)},
    {IMSAT_ELEMENT_FLOAT16, "float16", 2,
     (const uint16_t[]){0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500}},
    {IMSAT_ELEMENT_BFLOAT16, "bfloat16", 2,
     (const uint16_t[]){0, 0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0}},
    {IMSAT_ELEMENT_FLOAT32, "float32", 4, OF(float)},
    {IMSAT_ELEMENT_FLOAT64, "float64", 8, OF(double)},
};

static imsat_array c_order(imsat_element type, size_t size, const void *numbers)
{
    return (imsat_array){.elements = numbers,
                         .type = type,
                         .rows = ROWS,
                         .dim = DIM,
                         .row_stride = DIM * size,
                         .col_stride = size};
}

static void every_type_is_viewed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_error err;
        imsat_data *data = NULL;
        char described[64];
        const imsat_array array = c_order(cases[i].type, cases[i].size, cases[i].numbers);
        assert_ok(imsat_data_array(&data, &array, &err), &err);
        assert_rows(data, EXPECTED, ROWS, DIM);
        assert_ptr_equal(data->blocks[0].base, cases[i].numbers);
        assert_string_equal(imsat_element_name(cases[i].type), cases[i].name);
        snprintf(described, sizeof described, "%s (2, 3) in the caller's memory",
                 cases[i].name);
        assert_string_equal(imsat_data_describe(data, 0), described);
        imsat_data_free(data);
    }
}

static void truth_values_are_0_and_1(void **state)
{
    (void)state;
    static const uint8_t truth[ROWS * DIM] = {0, 1, 7, 0, 0, 255};
    static const float expected[] = {0, 1, 1, 0, 0, 1};
    imsat_error err;
    imsat_data *data = NULL;
    const imsat_array array = c_order(IMSAT_ELEMENT_BOOL, 1, truth);
    assert_ok(imsat_data_array(&data, &array, &err), &err);
    assert_rows(data, expected, ROWS, DIM);
    imsat_data_free(data);
}

/* The same numbers column by column, and every second one of a wider array. */
static void layouts_are_those_of_numpy(void **state)
{
    (void)state;
    static const double columns[] = {0, 3, 1, 4, 2, 5};
    static const double gaps[] = {0, 9, 1, 9, 2, 9, 9, 3, 9, 4, 9, 5, 9, 9};
    imsat_error err;
    imsat_data *data = NULL;
    imsat_array array = c_order(IMSAT_ELEMENT_FLOAT64, sizeof(double), columns);
    array.row_stride = sizeof(double), array.col_stride = ROWS * sizeof(double);
    assert_ok(imsat_data_array(&data, &array, &err), &err);
    assert_rows(data, EXPECTED, ROWS, DIM);
    imsat_data_free(data);
    data = NULL;
    array.elements = gaps;
    array.row_stride = 7 * sizeof(double), array.col_stride = 2 * sizeof(double);
    assert_ok(imsat_data_array(&data, &array, &err), &err);
    assert_rows(data, EXPECTED, ROWS, DIM);
    imsat_data_free(data);
}

static void rows_may_be_images(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = NULL;
    imsat_array array = c_order(IMSAT_ELEMENT_UINT8, 1, OF(uint8_t));
    array.image = (imsat_image){3, 1, 1};
    assert_ok(imsat_data_array(&data, &array, &err), &err);
    assert_int_equal(imsat_data_image(data).height, 3);
    imsat_data_free(data);
    data = NULL;
    array.image = (imsat_image){2, 2, 1};
    assert_refused(imsat_data_array(&data, &array, &err), &err, IMSAT_EMISMATCH,
                   "view: images of 2 x 2 x 1 do not fit rows of 3 values");
    assert_null(data);
}

static void refused(imsat_array array, imsat_status status, const char *part)
{
    imsat_error err;
    imsat_data *data = NULL;
    assert_refused(imsat_data_array(&data, &array, &err), &err, status, part);
    assert_null(data);
}

static void what_is_no_array_is_refused(void **state)
{
    (void)state;
    double x[ROWS * DIM] = {0, 1, 2, 3, 4, 5};
    const imsat_array good = c_order(IMSAT_ELEMENT_FLOAT64, sizeof *x, x);
    imsat_array bad = good;
    bad.elements = NULL;
    refused(bad, IMSAT_EINVAL, "imsat_data_array(): array->elements is NULL");
    bad = good, bad.type = IMSAT_ELEMENTS;
    refused(bad, IMSAT_EINVAL, "view: there is no type 13 of elements");
    bad = good, bad.rows = 0;
    refused(bad, IMSAT_EINVAL, "view: 0 rows of 3 values");
    bad = good, bad.dim = 0;
    refused(bad, IMSAT_EINVAL, "view: 2 rows of 0 values");
    bad = good, bad.rows = SIZE_MAX / 16;
    refused(bad, IMSAT_EINVAL, "are more than memory holds");
    bad = good, bad.col_stride = SIZE_MAX / 2;
    refused(bad, IMSAT_EINVAL, "are more than memory holds");
    x[4] = 1e300;
    refused(good, IMSAT_EFORMAT,
            "view: row 1, column 1 (both from 0) is 1e+300, beyond the range of float");
    x[4] = (double)NAN;
    refused(good, IMSAT_EFORMAT, "view: row 1, column 1 (both from 0) is nan");
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_data *data = NULL;
    const imsat_status st = imsat_data_array(&data, context, err);
    assert_true((st == IMSAT_OK) == (data != NULL));
    imsat_data_free(data);
    return st;
}

static void memory_runs_out(void **state)
{
    (void)state;
    imsat_array array = c_order(IMSAT_ELEMENT_FLOAT32, sizeof(float), EXPECTED);
    assert_true(fail_each(attempt, &array) > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_viewed),
        cmocka_unit_test(truth_values_are_0_and_1),
        cmocka_unit_test(layouts_are_those_of_numpy),
        cmocka_unit_test(rows_may_be_images),
        cmocka_unit_test(what_is_no_array_is_refused),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
