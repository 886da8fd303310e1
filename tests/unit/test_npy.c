/* SPDX-License-Identifier: MIT
 * npy: every dtype, order and version; every way to be malformed. */
#include "data/dataset.h"
#include "data_files.h"

#include <stdio.h>
#include <string.h>

#define HEADER(descr, fortran, shape)                                                         \
    "{'descr': '" descr "', 'fortran_order': " fortran ", 'shape': " shape ", }\n"

static void f4_is_mapped_and_not_copied(void **state)
{
    (void)state;
    const float x[6] = {1, -2, 3.5f, 0, 1e-30f, -1e30f};
    const char *path = file_npy("x.npy", HEADER("<f4", "False", "(2, 3)"), x, sizeof x);
    imsat_data *data = open_with(path, NULL);
    const im_block *block = &data->blocks[0];
    const unsigned char *bytes = block->bytes.data;
    assert_non_null(block->bytes.mapped);
    assert_true(block->base > bytes && block->base < bytes + block->bytes.size);
    assert_string_equal(imsat_data_describe(data, 0), "npy <f4 (2, 3), mapped");
    assert_null(imsat_data_describe(data, 1));
    assert_rows(data, x, 2, 3);
    assert_int_equal(imsat_data_image(data).height, 0);
    imsat_data_free(data);
}

/* The bytes of a value in the order the descr wants. */
static void put_ordered(unsigned char *out, const void *value, size_t size, bool reversed)
{
    memcpy(out, value, size);
    for (size_t i = 0; reversed && i < size / 2; i++) {
        const unsigned char keep = out[i];
        out[i] = out[size - 1 - i];
        out[size - 1 - i] = keep;
    }
}

#define CHECK_TYPE(TYPE, CODE, ...)                                                           \
    do {                                                                                      \
        const TYPE values[6] = {__VA_ARGS__};                                                 \
        float expected[6];                                                                    \
        for (size_t i = 0; i < 6; i++)                                                        \
            expected[i] = (float)values[i];                                                   \
        check_orders(CODE, values, sizeof(TYPE), expected);                                   \
    } while (0)

/* (3, 2) of a type in all byte orders, both array orders, and at an odd address. */
static void check_orders(const char *code, const void *values, size_t size,
                         const float *expected)
{
    const uint16_t one = 1;
    const bool little = *(const unsigned char *)&one == 1;
    for (const char *order = "<>|="; *order; order++)
        for (int fortran = 0; fortran < 2; fortran++)
            for (int odd = 0; odd < 2; odd++) {
                unsigned char bytes[6 * 8];
                char header[128];
                const bool reversed = *order == (little ? '>' : '<');
                for (size_t i = 0; i < 3; i++)
                    for (size_t j = 0; j < 2; j++)
                        put_ordered(bytes + size * (fortran ? j * 3 + i : i * 2 + j),
                                    (const unsigned char *)values + size * (i * 2 + j), size,
                                    reversed);
                snprintf(header, sizeof header,
                         "{'descr': '%c%s', 'fortran_order': %s, 'shape': (3, 2)}%s", *order,
                         code, fortran ? "True" : "False", odd ? " \n" : "\n");
                imsat_data *data = open_with(file_npy("t.npy", header, bytes, 6 * size), NULL);
                assert_rows(data, expected, 3, 2);
                imsat_data_free(data);
            }
}

static void all_types_and_orders_are_read(void **state)
{
    (void)state;
    CHECK_TYPE(int8_t, "i1", -128, -1, 0, 1, 2, 127);
    CHECK_TYPE(uint8_t, "u1", 0, 1, 2, 3, 128, 255);
    CHECK_TYPE(int16_t, "i2", -32768, -2, 0, 258, 3, 32767);
    CHECK_TYPE(uint16_t, "u2", 0, 1, 258, 3, 4, 65535);
    CHECK_TYPE(int32_t, "i4", INT32_MIN, -2, 0, 16909060, 4, INT32_MAX);
    CHECK_TYPE(uint32_t, "u4", 0, 1, 2, 16909060, 4, UINT32_MAX);
    CHECK_TYPE(int64_t, "i8", INT64_MIN, -2, 0, 72623859790382856, 4, INT64_MAX);
    CHECK_TYPE(uint64_t, "u8", 0, 1, 2, 72623859790382856, 4, UINT64_MAX);
    CHECK_TYPE(float, "f4", 0.1f, -2.5f, 0, 1e-40f, 3e38f, -1);
    CHECK_TYPE(double, "f8", 0.1, -2.5, 0, 1e-300, 3e38, 1.0 / 3);
    const unsigned char truth[6] = {0, 1, 1, 0, 1, 255};
    check_orders("b1", truth, 1, (const float[]){0, 1, 1, 0, 1, 1});
    const uint16_t half[6] = {0x3c00, 0xc500, 0x0001, 0x83ff, 0x7bff, 0x3555};
    check_orders("f2", half, 2,
                 (const float[]){1, -5, 0x1p-24f, -1023 * 0x1p-24f, 65504, 0x1.554p-2f});
}

static void all_versions_are_read(void **state)
{
    (void)state;
    const float x[2] = {7, 8};
    unsigned char bytes[256];
    for (int major = 1; major <= 3; major++) {
        const size_t size =
            npy_bytes(bytes, major, HEADER("<f4", "False", "(2,)"), x, sizeof x);
        imsat_data *data = open_with(file_put("v.npy", bytes, size), NULL);
        assert_rows(data, x, 2, 1);
        imsat_data_free(data);
        imsat_data *zipped = open_with(file_gzip("v.npy.gz", bytes, size), NULL);
        assert_rows(zipped, x, 2, 1);
        assert_string_equal(imsat_data_describe(zipped, 0), "npy <f4 (2,), decompressed");
        imsat_data_free(zipped);
    }
    npy_bytes(bytes, 1, HEADER("<f4", "False", "(2,)"), x, sizeof x);
    bytes[6] = 4;
    assert_unreadable(file_put("v.npy", bytes, 128), "version 4.0");
    bytes[6] = 1, bytes[7] = 1;
    assert_unreadable(file_put("v.npy", bytes, 128), "version 1.1");
}

static void images_have_a_shape(void **state)
{
    (void)state;
    unsigned char x[2 * 3 * 5 * 4] = {0};
    imsat_data *data =
        open_with(file_npy("i.npy", HEADER("|u1", "False", "(2, 3, 5)"), x, 30), NULL);
    imsat_image image = imsat_data_image(data);
    assert_int_equal(imsat_data_dim(data), 15);
    assert_true(image.height == 3 && image.width == 5 && image.channels == 1);
    imsat_data_free(data);
    data = open_with(file_npy("i.npy", HEADER("|u1", "False", "(2, 3, 5, 4)"), x, 120), NULL);
    image = imsat_data_image(data);
    assert_true(image.height == 3 && image.width == 5 && image.channels == 4);
    imsat_data_free(data);
    assert_unreadable(file_npy("i.npy", HEADER("|u1", "True", "(2, 3, 5)"), x, 30), "Fortran");
    assert_unreadable(file_npy("i.npy", HEADER("|u1", "False", "(2, 3, 5, 2, 2)"), x, 120),
                      "more than 4 dimensions");
}

static void headers_may_be_spaced_and_ordered_freely(void **state)
{
    (void)state;
    const float x[6] = {1, 2, 3, 4, 5, 6};
    static const char *const headers[] = {
        "{'shape':(2,3),'fortran_order':False,'descr':'<f4'}",
        " { \"fortran_order\" :False , \"shape\" : ( 2 , 3 ,) , \"descr\" : \"<f4\" , }  \n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }",
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        imsat_data *data = open_with(file_npy("h.npy", headers[i], x, sizeof x), NULL);
        assert_rows(data, x, 2, 3);
        imsat_data_free(data);
    }
}

static void malformed_headers_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *header, *part;
    } cases[] = {
        {"", "expected a dictionary"},
        {"{", "expected a key"},
        {"{}", "'descr' is missing"},
        {"{'descr': '<f4', 'shape': (2, 3)}", "'fortran_order' is missing"},
        {"{'descr': '<f4', 'fortran_order': False}", "'shape' is missing"},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}", "twice"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'x': 1}", "unknown key 'x'"},
        {"{'descr' '<f4'}", "a colon"},
        {"{'descr': '<f4' 'shape': (6,)}", "a comma"},
        {"{'descr: 3}", "a key"},
        {"{'descr': 4}", "a dtype"},
        {HEADER("<f4", "Maybe", "(6,)"), "True or False"},
        {HEADER("<f4", "False", "6"), "a tuple"},
        {HEADER("<f4", "False", "(6)"), "a tuple: (n,)"},
        {HEADER("<f4", "False", "(6 1)"), "a comma"},
        {HEADER("<f4", "False", "(,)"), "a size"},
        {HEADER("<f4", "False", "(6,"), "a size"},
        {HEADER("<f4", "False", "(-6,)"), "negative"},
        {HEADER("<f4", "False", "(99999999999999999999,)"), "too large"},
        {HEADER("<f4", "False", "(4294967296, 4294967296)"), "more than memory"},
        {HEADER("<f4", "False", "(0, 3)"), "holds nothing"},
        {HEADER("<f4", "False", "(3, 0)"), "holds nothing"},
        {HEADER("<f4", "False", "()"), "a single number"},
        {HEADER("<f4", "False", "(6,)") "x", "the end of the header"},
        {HEADER("<c8", "False", "(3,)"),
         "holds complex numbers (dtype '<c8'); imsat reads f2"},
        {HEADER("|O", "False", "(3,)"), "Python objects"},
        {HEADER("<U6", "False", "(1,)"), "text"},
        {HEADER("<M8[ns]", "False", "(3,)"), "dates"},
        {HEADER("f4", "False", "(6,)"), "dtype 'f4'"},
        {HEADER("", "False", "(6,)"), "dtype ''"},
        {HEADER("<f16", "False", "(1,)"), "dtype '<f16'"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,)}", "structured"},
        {HEADER("<f4", "False", "(7,)"), "ends after 24 of 28 bytes of data"},
        {HEADER("<f4", "False", "(5,)"), "goes on for 4 bytes"},
    };
    const float x[6] = {1, 2, 3, 4, 5, 6};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_unreadable(file_npy("bad.npy", cases[i].header, x, sizeof x), cases[i].part);
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    const float x[2] = {1, 2};
    unsigned char bytes[256];
    const size_t size = npy_bytes(bytes, 2, HEADER("<f4", "False", "(2,)"), x, sizeof x);
    for (size_t cut = 1; cut < size; cut++)
        assert_unreadable(file_put("cut.npy", bytes, cut), ": ");
    assert_unreadable(file_put("cut.npy", bytes, size - 3), "ends after 5 of 8 bytes of data");
    assert_unreadable(file_put("cut.npy", bytes, 0), "empty");
    memset(bytes + 8, 0xff, 4); /* a header of 4 GiB */
    assert_unreadable(file_put("huge.npy", bytes, size), "header of 4294967295 bytes");
    assert_unreadable(file_text("text.npy", "1,2,3\n"), "does not start as npy files do");
}

/* A compressed file is read as far as its header says, which may be longer than the first
 * bytes that are looked at; and is refused where it is not as long as that. */
static void compressed_files_are_as_long_as_they_say(void **state)
{
    (void)state;
    enum { PADDED = 70000 };
    static unsigned char bytes[PADDED + 1000];
    static char header[PADDED + 1];
    const float x[6] = {1, 2, 3, 4, 5, 6};
    snprintf(header, sizeof header, "%-70000s", HEADER("<f4", "False", "(3, 2)"));
    const size_t size = npy_bytes(bytes, 2, header, x, sizeof x);
    assert_true(size > IM_BYTES_HEAD);
    imsat_data *data = open_with(file_gzip("long.npy.gz", bytes, size), NULL);
    assert_rows(data, x, 3, 2);
    imsat_data_free(data);
    assert_unreadable(file_gzip("cut.npy.gz", bytes, size - 24 - 1),
                      "npy header of 70000 bytes in a file of 70011");
    assert_unreadable(file_gzip("cut.npy.gz", bytes, size - 1), "ends after 23 of 24 bytes");
    assert_unreadable(file_gzip("more.npy.gz", bytes, size + 1),
                      "goes on after the 24 bytes that its shape (3, 2) takes");
    memset(bytes + 8, 0x7f, 4);
    assert_unreadable(file_gzip("huge.npy.gz", bytes, size),
                      "header of 2139062143 bytes; more than 1048576 are not read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f4_is_mapped_and_not_copied),
        cmocka_unit_test(all_types_and_orders_are_read),
        cmocka_unit_test(all_versions_are_read),
        cmocka_unit_test(images_have_a_shape),
        cmocka_unit_test(headers_may_be_spaced_and_ordered_freely),
        cmocka_unit_test(malformed_headers_are_refused),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(compressed_files_are_as_long_as_they_say),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
