/* SPDX-License-Identifier: MIT
 * Tensors as data: every type, images, labels, and files that are refused. (test_safetensors.c
 * has the format itself.) */
#include "data/dataset.h"
#include "data/safetensors.h"
#include "data_files.h"

#include <stdio.h>
#include <string.h>

/* A file with the tensors of a header, and `size` bytes 1, 0, 0, 0, 1, ... behind it. */
static const char *make(const char *header, size_t size)
{
    static unsigned char bytes[2048];
    const size_t length = strlen(header);
    memset(bytes, 0, sizeof bytes);
    for (size_t i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(length >> 8 * i);
    memcpy(bytes + 8, header, length);
    for (size_t i = 0; i < size; i += 4)
        bytes[8 + length + i] = 1;
    return file_put("x.tensors", bytes, 8 + length + size);
}

static void every_type_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        size_t size;
        float first;
    } types[] = {{"BOOL", 1, 1},
                 {"I8", 1, 1},
                 {"U8", 1, 1},
                 {"I16", 2, 1},
                 {"U16", 2, 1},
                 {"I32", 4, 1},
                 {"U32", 4, 1},
                 {"I64", 8, 4294967297.0f},
                 {"U64", 8, 4294967297.0f},
                 {"F16", 2, 0x1p-24f},
                 {"BF16", 2, 0x1p-133f},
                 {"F32", 4, 0x1p-149f}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char header[128];
        snprintf(header, sizeof header,
                 "{\"t\":{\"dtype\":\"%s\",\"shape\":[2,2],\"data_offsets\":[0,%zu]}}",
                 types[i].type, 4 * types[i].size);
        imsat_data *data = open_with(make(header, 4 * types[i].size), NULL);
        float row[2];
        imsat_error err;
        assert_ok(imsat_data_read(data, 0, 1, row, &err), &err);
        assert_true(row[0] == types[i].first);
        imsat_data_free(data);
    }
}

static void images_and_labels(void **state)
{
    (void)state;
    const char header[] =
        "{\"images\":{\"dtype\":\"U8\",\"shape\":[2,1,3,1],\"data_offsets\":[0,6]},"
        "\"labels\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[6,8]}}";
    imsat_data *data = open_with(make(header, 8), NULL);
    assert_rows(data, (const float[]){1, 0, 0, 0, 1, 0}, 2, 3);
    assert_int_equal(imsat_data_image(data).width, 3);
    assert_int_equal(imsat_data_labels(data)[0], 0);
    im_data_release(data, 0, 2);
    imsat_data_free(data);
}

static void what_is_no_data_is_refused(void **state)
{
    (void)state;
    assert_unreadable(
        make("{\"t\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}", 4),
        "is a single number, not rows");
    assert_unreadable(
        make("{\"t\":{\"dtype\":\"F32\",\"shape\":[0,2],\"data_offsets\":[0,0]}}", 0),
        "holds nothing: its shape is (0, 2)");
    assert_unreadable(
        make("{\"t\":{\"dtype\":\"F8_E4M3\",\"shape\":[4],\"data_offsets\":[0,4]}}", 4),
        "has dtype 'F8_E4M3', which imsat does not know");
    assert_unreadable(make("{}", 0), "holds no tensor");
    assert_unreadable(make("{broken", 0), "header, byte");
    assert_unreadable(file_put("x.safetensors", "\377\377\377\377\0\0\0\0{", 9),
                      "more than the file or the limit");
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, make("{\"t\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8));
    assert_true(fail_each_open(path) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_read),
        cmocka_unit_test(images_and_labels),
        cmocka_unit_test(what_is_no_data_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("safetensors_data", tests, folder_setup,
                                       folder_teardown);
}
