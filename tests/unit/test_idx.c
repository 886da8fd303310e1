/* SPDX-License-Identifier: MIT
 * idx: types, shapes, and files that are not what they say. */
#include "data_files.h"

#include <stdio.h>
#include <string.h>

static void images_of_bytes(void **state)
{
    (void)state;
    const unsigned char bytes[] = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0,
                                   1, 0, 0, 0, 3, 1, 2, 3, 4, 5, 255};
    const float expected[6] = {1, 2, 3, 4, 5, 255};
    static const char *const names[] = {"t-images-idx3-ubyte", "a.idx", "nothing-said"};
    for (size_t i = 0; i < 3; i++) {
        imsat_data *data = open_with(file_put(names[i], bytes, sizeof bytes), NULL);
        const imsat_image image = imsat_data_image(data);
        assert_rows(data, expected, 2, 3);
        assert_true(image.height == 1 && image.width == 3 && image.channels == 1);
        assert_string_equal(imsat_data_describe(data, 0), "idx u8 (2, 1, 3), mapped");
        imsat_data_free(data);
    }
    imsat_data *data = open_with(file_gzip("t-ubyte.gz", bytes, sizeof bytes), NULL);
    assert_rows(data, expected, 2, 3);
    assert_string_equal(imsat_data_describe(data, 0), "idx u8 (2, 1, 3), decompressed");
    imsat_data_free(data);
}

static void all_types_are_big_endian(void **state)
{
    (void)state;
    static const struct {
        unsigned char type, size, element[8];
        float value;
    } cases[] = {
        {0x08, 1, {200}, 200},
        {0x09, 1, {0xfe}, -2},
        {0x0B, 2, {0xff, 0x00}, -256},
        {0x0C, 4, {0, 1, 0, 2}, 65538},
        {0x0D, 4, {0x40, 0x20, 0, 0}, 2.5f},
        {0x0E, 8, {0xc0, 0x04, 0, 0, 0, 0, 0, 0}, -2.5f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char bytes[16] = {0, 0, cases[i].type, 1, 0, 0, 0, 1};
        memcpy(bytes + 8, cases[i].element, cases[i].size);
        imsat_data *data = open_with(file_put("x.idx", bytes, 8U + cases[i].size), NULL);
        assert_rows(data, &cases[i].value, 1, 1);
        imsat_data_free(data);
    }
}

static void four_dimensions_and_two(void **state)
{
    (void)state;
    unsigned char four[20 + 24] = {0, 0, 8, 4, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 3};
    imsat_data *data = open_with(file_put("x.idx", four, sizeof four), NULL);
    imsat_image image = imsat_data_image(data);
    assert_int_equal(imsat_data_dim(data), 24);
    assert_true(image.height == 2 && image.width == 4 && image.channels == 3);
    imsat_data_free(data);
    unsigned char two[12 + 6] = {0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3};
    data = open_with(file_put("x.idx", two, sizeof two), NULL);
    image = imsat_data_image(data);
    assert_int_equal(imsat_data_dim(data), 3);
    assert_int_equal(image.height, 0);
    imsat_data_free(data);
}

static void malformed_files_are_refused(void **state)
{
    (void)state;
    unsigned char bytes[] = {0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6, 7};
    assert_unreadable(file_put("x.idx", bytes, 18 - 4), "ends after 2 of 6 bytes of data");
    assert_unreadable(file_put("x.idx", bytes, 19), "goes on for 1 bytes");
    assert_unreadable(file_put("x.idx", bytes, 11),
                      "ends after 11 of the 12 bytes of its idx header");
    assert_unreadable(file_put("x.idx", bytes, 3), "ends after 3 of the 4 bytes");
    assert_unreadable(file_put("x.idx", bytes, 0), "empty");
    bytes[7] = 0;
    assert_unreadable(file_put("x.idx", bytes, 18), "holds nothing: its shape is (0, 3)");
    memset(bytes + 4, 0xff, 8);
    assert_unreadable(file_put("x.idx", bytes, 18),
                      "ends after 6 of 18446744065119617025 bytes");
    unsigned char huge[24] = {0, 0, 0x0E, 4};
    memset(huge + 4, 0xff, 16);
    assert_unreadable(file_put("x.idx", huge, 24), "more than memory can address");
    const unsigned char wrong[] = {0, 0, 0x12, 0x34, 0, 0};
    assert_unreadable(file_put("x.idx", wrong, 6),
                      "magic number 0x00001234 is not idx's (0x0000TTDD");
    const unsigned char many[] = {0, 0, 8, 5, 0, 0};
    assert_unreadable(file_put("x-ubyte", many, 6), "magic number 0x00000805");
}

static void a_csv_may_have_idx_in_its_name(void **state)
{
    (void)state;
    imsat_data *data = open_with(file_text("idx.csv", "1,2\n"), NULL);
    assert_rows(data, (const float[]){1, 2}, 1, 2);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_of_bytes),
        cmocka_unit_test(all_types_are_big_endian),
        cmocka_unit_test(four_dimensions_and_two),
        cmocka_unit_test(malformed_files_are_refused),
        cmocka_unit_test(a_csv_may_have_idx_in_its_name),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
