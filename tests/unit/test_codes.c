/* SPDX-License-Identifier: MIT
 * Files of codes: bits, bit order, padding, joined files, formats, and what is refused. */
#include "data/codes.h"

#include "data_files.h"
#include "failing_alloc.h"
#include "mats.h"

#include <stdio.h>
#include <string.h>

#define KEPT IMSAT_SOURCE "/tests/data/"

/* Three codes of 11 bits, most significant first. */
static const uint8_t CODES[6] = {0x80, 0x20, 0xff, 0xe0, 0x01, 0x00};

static const char HEADER[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2), }\n";

static const char *codes_file(void)
{
    return file_npy("codes.npy", HEADER, CODES, sizeof CODES);
}

static void assert_codes(const imsat_codes *codes, const uint8_t *bytes, size_t rows,
                         size_t bits)
{
    assert_int_equal(codes->rows, rows);
    assert_int_equal(codes->bits, bits);
    assert_memory_equal(codes->bytes, bytes, rows * imsat_code_bytes(bits));
}

static void bytes_and_padding_of_a_code(void **state)
{
    (void)state;
    assert_int_equal(imsat_code_bytes(0), 0);
    assert_int_equal(imsat_code_bytes(1), 1);
    assert_int_equal(imsat_code_bytes(8), 1);
    assert_int_equal(imsat_code_bytes(9), 2);
    assert_int_equal(imsat_code_bytes(SIZE_MAX), SIZE_MAX / 8 + 1);
    assert_int_equal(im_codes_padding(16), 0);
    assert_int_equal(im_codes_padding(11), 0x1f);
    assert_int_equal(im_codes_padding(1), 0x7f);
    for (unsigned x = 0; x < 256; x++)
        for (unsigned b = 0; b < 8; b++)
            assert_int_equal(im_codes_reverse((uint8_t)x) >> (7 - b) & 1, x >> b & 1);
}

static void bits_are_eight_a_byte_unless_given(void **state)
{
    (void)state;
    const char *path = codes_file();
    const imsat_codes_options eleven = {.bits = 11};
    imsat_error err;
    imsat_codes codes = {0};
    assert_ok(imsat_codes_read(&codes, &path, 1, NULL, &err), &err);
    assert_codes(&codes, CODES, 3, 16);
    imsat_codes_clear(&codes);
    assert_null(codes.bytes);
    assert_ok(imsat_codes_read(&codes, &path, 1, &eleven, &err), &err);
    assert_codes(&codes, CODES, 3, 11);
    imsat_codes_clear(&codes);
}

static void least_significant_first_is_turned_round(void **state)
{
    (void)state;
    uint8_t turned[6];
    for (size_t i = 0; i < 6; i++)
        turned[i] = im_codes_reverse(CODES[i]);
    const char *path = file_npy("lsb.npy", HEADER, turned, sizeof turned);
    const imsat_codes_options options = {.bits = 11, .order = IMSAT_LSB_FIRST};
    imsat_error err;
    imsat_codes codes = {0};
    assert_ok(imsat_codes_read(&codes, &path, 1, &options, &err), &err);
    assert_codes(&codes, CODES, 3, 11);
    imsat_codes_clear(&codes);
}

static void files_are_joined_however_they_are_stored(void **state)
{
    (void)state;
    static const uint8_t by_columns[6] = {0x80, 0xff, 0x01, 0x20, 0xe0, 0x00};
    unsigned char bytes[256];
    const size_t size = npy_bytes(bytes, 1, HEADER, CODES, sizeof CODES);
    const char *paths[3] = {
        codes_file(),
        file_npy("fortran.npy", "{'descr': '|u1', 'fortran_order': True, 'shape': (3, 2), }\n",
                 by_columns, sizeof by_columns),
        file_gzip("codes.npy.gz", bytes, size)};
    uint8_t expected[18];
    imsat_error err;
    imsat_codes codes = {0};
    for (size_t i = 0; i < 3; i++)
        memcpy(expected + 6 * i, CODES, 6);
    assert_ok(imsat_codes_read(&codes, paths, 3, NULL, &err), &err);
    assert_codes(&codes, expected, 9, 16);
    imsat_codes_clear(&codes);
}

static void assert_not_read(const char *const *paths, size_t npaths, size_t bits,
                            imsat_bit_order order, imsat_status status, const char *part)
{
    const imsat_codes_options options = {bits, order};
    imsat_error err;
    imsat_codes codes = {.rows = 77};
    assert_refused(imsat_codes_read(&codes, paths, npaths, &options, &err), &err, status,
                   part);
    assert_int_equal(codes.rows, 77);
}

static void bits_behind_the_last_are_refused(void **state)
{
    (void)state;
    const char *path = codes_file();
    assert_not_read(
        &path, 1, 10, IMSAT_MSB_FIRST, IMSAT_EFORMAT,
        "the last byte of row 0 (from 0) is 32, which sets bits behind the last of "
        "10");
    assert_not_read(&path, 1, 14, IMSAT_LSB_FIRST, IMSAT_EFORMAT,
                    "the last byte of row 1 (from 0) is 224");
}

static void widths_must_agree(void **state)
{
    (void)state;
    const char *const other = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }\n";
    const char *paths[2] = {codes_file(), file_npy("wide.npy", other, CODES, sizeof CODES)};
    assert_not_read(paths, 2, 0, IMSAT_MSB_FIRST, IMSAT_EMISMATCH,
                    "wide.npy: rows of 3 bytes; codes of 16 bits take 2");
    assert_not_read(paths, 1, 17, IMSAT_MSB_FIRST, IMSAT_EMISMATCH,
                    "codes.npy: rows of 2 bytes; codes of 17 bits take 3");
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *header, *part;
        size_t size;
    } cases[] = {
        {"{'descr': '|i1', 'fortran_order': False, 'shape': (3, 2), }\n", "uint8", 6},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (3, 1), }\n", "uint8", 6},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (6,), }\n", "(rows, bytes)", 6},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (1, 3, 2), }\n", "(rows, bytes)",
         6},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (0, 2), }\n", "holds nothing", 0},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (4, 2), }\n", "ends after 6 of 8",
         6},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (1, 129), }\n",
         "codes of 129 bytes; at most 128", 129},
    };
    static const uint8_t bytes[129];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = file_npy("x.npy", cases[i].header, bytes, cases[i].size);
        assert_not_read(&path, 1, 0, IMSAT_MSB_FIRST, IMSAT_EFORMAT, cases[i].part);
    }
    const char *text = file_text("codes.txt", "0101\n");
    assert_not_read(&text, 1, 0, IMSAT_MSB_FIRST, IMSAT_EFORMAT,
                    "row 0, column 0 (both from 0) is 101; codes in a table have a column for "
                    "each bit");
    const char *none = in_folder("none.npy");
    assert_not_read(&none, 1, 0, IMSAT_MSB_FIRST, IMSAT_EIO, "No such file");
    assert_not_read(&none, 0, 0, IMSAT_MSB_FIRST, IMSAT_EINVAL, "no file");
    assert_not_read(&none, 1, 1025, IMSAT_MSB_FIRST, IMSAT_EINVAL, "at most 1024");
    assert_not_read(&none, 1, 0, IMSAT_BIT_ORDERS, IMSAT_EINVAL, "not a bit order");
}

/* The codes as a bit a value: truth values, and a table. */
static void bits_may_be_values(void **state)
{
    (void)state;
    unsigned char truths[3 * 11];
    char table[256] = "bit0,bit1,bit2,bit3,bit4,bit5,bit6,bit7,bit8,bit9,bit10\n";
    size_t used = strlen(table);
    for (size_t i = 0; i < sizeof truths; i++) {
        const size_t row = i / 11, bit = i % 11;
        truths[i] = CODES[2 * row + bit / 8] >> (7 - bit % 8) & 1;
        used += (size_t)sprintf(table + used, "%d%c", truths[i], bit == 10 ? '\n' : ',');
    }
    const char *paths[] = {
        file_npy("b.npy", "{'descr': '|b1', 'fortran_order': False, 'shape': (3, 11), }\n",
                 truths, sizeof truths),
        file_text("codes.csv", table), codes_file()};
    uint8_t expected[18];
    imsat_error err;
    imsat_codes codes = {0};
    for (size_t i = 0; i < 3; i++)
        memcpy(expected + 6 * i, CODES, 6);
    assert_ok(imsat_codes_read(&codes, paths, 3, NULL, &err), &err);
    assert_codes(&codes, expected, 9, 11);
    imsat_codes_clear(&codes);
    const imsat_codes_options lsb = {11, IMSAT_LSB_FIRST}; /* is of bytes */
    assert_ok(imsat_codes_read(&codes, paths, 2, &lsb, &err), &err);
    assert_codes(&codes, expected, 6, 11);
    imsat_codes_clear(&codes);
    assert_not_read(paths + 1, 1, 12, IMSAT_MSB_FIRST, IMSAT_EMISMATCH,
                    "codes.csv: rows of 11 bits; codes of 12 bits take 12");
}

/* As make.py wrote them: 0, 1, 2, ... in rows of 3 bytes. */
static void every_format_and_name_inside_does(void **state)
{
    (void)state;
    static const char *const paths[] = {KEPT "several.npz:bytes", KEPT "several.mat:bytes",
                                        KEPT "several.safetensors:x", KEPT "x.u8bin",
                                        KEPT "x.bvecs"};
    imsat_error err;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        imsat_codes codes = {0};
        assert_ok(imsat_codes_read(&codes, &paths[i], 1, NULL, &err), &err);
        assert_int_equal(codes.rows, 7);
        assert_int_equal(codes.bits, 24);
        for (uint8_t b = 0; b < 21; b++)
            assert_int_equal(codes.bytes[b], b);
        imsat_codes_clear(&codes);
    }
    static const uint8_t odd[] = {0x40, 0xa0, 0x40, 0xa0, 0x40, 0xa0, 0x40};
    const char *bits = KEPT "several.mat:odd";
    imsat_codes codes = {0};
    assert_ok(imsat_codes_read(&codes, &bits, 1, NULL, &err), &err);
    assert_codes(&codes, odd, 7, 3);
    imsat_codes_clear(&codes);
    const char *floats = KEPT "several.npz:wide", *folder = in_folder(".");
    assert_not_read(
        &floats, 1, 0, IMSAT_MSB_FIRST, IMSAT_EFORMAT,
        "several.npz:wide: holds npy >f8 (7, 3) in Fortran order, mapped; codes are");
    assert_not_read(&folder, 1, 0, IMSAT_MSB_FIRST, IMSAT_EFORMAT, "not codes");
}

/* MATLAB stores doubles that are small as bytes. */
static void bytes_that_are_doubles_are_no_codes(void **state)
{
    (void)state;
    static mat_maker mat;
    const mat_variable v = {"x", MAT_DOUBLE, 0, {3, 2}, 2, {{MAT_U8, CODES, 6, 1}}};
    mat_begin(&mat, false);
    mat_add(&mat, &v);
    const char *path = file_put("x.mat", mat.bytes, mat.size);
    assert_not_read(&path, 1, 0, IMSAT_MSB_FIRST, IMSAT_EFORMAT,
                    "holds mat 'x': double (3, 2), mapped; codes are uint8");
}

static imsat_status read_two(void *paths, imsat_error *err)
{
    imsat_codes codes = {.rows = 77};
    const imsat_status st = imsat_codes_read(&codes, paths, 2, NULL, err);
    if (st != IMSAT_OK)
        assert_int_equal(codes.rows, 77);
    else
        imsat_codes_clear(&codes);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const char *paths[2] = {codes_file(), codes_file()};
    assert_true(fail_each(read_two, paths) >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_and_padding_of_a_code),
        cmocka_unit_test(bits_are_eight_a_byte_unless_given),
        cmocka_unit_test(least_significant_first_is_turned_round),
        cmocka_unit_test(files_are_joined_however_they_are_stored),
        cmocka_unit_test(bits_behind_the_last_are_refused),
        cmocka_unit_test(widths_must_agree),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(bits_may_be_values),
        cmocka_unit_test(every_format_and_name_inside_does),
        cmocka_unit_test(bytes_that_are_doubles_are_no_codes),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
