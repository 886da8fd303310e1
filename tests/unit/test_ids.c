/* SPDX-License-Identifier: MIT
 * Files of ids: all 64 bits, every integer type, formats, text, and what is refused. */
#include "imsat/search.h"

#include "data_files.h"
#include "failing_alloc.h"
#include "mats.h"
#include "zips.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void assert_ids(const char *path, const int64_t *expected, size_t count)
{
    imsat_error err;
    int64_t *ids = NULL;
    size_t n = 0;
    assert_ok(imsat_ids_read(&ids, &n, path, &err), &err);
    assert_int_equal(n, count);
    assert_memory_equal(ids, expected, count * sizeof *ids);
    imsat_free(ids);
}

static void assert_no_ids(const char *path, const char *part)
{
    imsat_error err;
    int64_t *ids = NULL;
    size_t n = 77;
    assert_refused(imsat_ids_read(&ids, &n, path, &err), &err, IMSAT_EFORMAT, part);
    assert_null(ids);
    assert_int_equal(n, 77);
}

static void all_bits_are_kept(void **state)
{
    (void)state;
    const int64_t ids[4] = {INT64_MAX, INT64_MIN, (INT64_C(1) << 53) + 1, 0};
    assert_ids(file_npy("ids.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (4,), }",
                        ids, sizeof ids),
               ids, 4);
    assert_ids(file_text("ids.txt", "9223372036854775807\n-9223372036854775808\r\n\n"
                                    "  9007199254740993\t\n0"),
               ids, 4);
}

static void every_integer_type(void **state)
{
    (void)state;
    static const struct {
        const char *descr;
        unsigned char bytes[16];
        size_t size;
        int64_t ids[2];
    } cases[] = {
        {"|i1", {0xfe, 0x7f}, 2, {-2, 127}},
        {"|u1", {0xfe, 0x7f}, 2, {254, 127}},
        {"<i2", {0xfe, 0xff, 1, 2}, 4, {-2, 513}},
        {">i2", {0xff, 0xfe, 2, 1}, 4, {-2, 513}},
        {"<u2", {0xfe, 0xff, 1, 2}, 4, {65534, 513}},
        {">i4", {0xff, 0xff, 0xff, 0xfe, 0, 0, 1, 0}, 8, {-2, 256}},
        {"<u4", {0xfe, 0xff, 0xff, 0xff, 0, 1, 0, 0}, 8, {4294967294, 256}},
        {">i8",
         {255, 255, 255, 255, 255, 255, 255, 254, 0, 0, 0, 0, 0, 0, 1, 0},
         16,
         {-2, 256}},
        {">u8",
         {0, 0, 0, 0, 0, 0, 0, 7, 0x7f, 255, 255, 255, 255, 255, 255, 255},
         16,
         {7, INT64_MAX}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char header[100];
        snprintf(header, sizeof header,
                 "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }", cases[i].descr);
        assert_ids(file_npy("ids.npy", header, cases[i].bytes, cases[i].size), cases[i].ids,
                   2);
    }
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const unsigned char bytes[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80};
    static const struct {
        const char *header, *part;
    } arrays[] = {
        {"{'descr': '<u8', 'fortran_order': False, 'shape': (2,), }",
         "id 1 (from 0) does not fit"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", "ids are integers"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", "the id 0 twice"},
        {"{'descr': '|b1', 'fortran_order': False, 'shape': (16,), }", "ids are integers"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }", "ids are integers"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }", "the id 0 twice"},
    };
    static const struct {
        const char *text, *part;
    } texts[] = {
        {"1\n2\n1.0\n", "line 3: is not an id"},
        {"1\n\nx\n", "line 3"},
        {"9223372036854775808\n", "line 1"},
        {"-9223372036854775809\n", "line 1"},
        {"-\n", "line 1"},
        {"1 2\n", "line 1"},
        {"5\n-1\n", "holds the id -1"},
        {"7\n3\n-7\n7\n", "the id 7 twice"},
        {"\n \n", "holds no ids"},
        {"+1\n", "line 1"},
        {"id\nother\n1\n", "line 2"},
        {"1a\n1\n", "line 1"},
        {"id\n", "holds no ids"},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        assert_no_ids(file_npy("ids.npy", arrays[i].header, bytes, 16), arrays[i].part);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_no_ids(file_text("ids.txt", texts[i].text), texts[i].part);
}

static void text_may_have_a_title(void **state)
{
    (void)state;
    static const int64_t ids[] = {7, -3};
    assert_ids(file_text("ids.csv", "\nid\n7\n-3\n"), ids, 2);
    assert_ids(file_text("ids.csv", "\"id\"\n7\n-3"), ids, 2);
}

static void put_doubles(double a, double b)
{
    file_npy("ids.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }",
             (const double[]){a, b}, 2 * sizeof(double));
}

static void whole_doubles_are_ids_where_none_is_rounded(void **state)
{
    (void)state;
    static const int64_t ids[] = {INT64_C(9007199254740991), -2};
    put_doubles(9007199254740991, -2);
    assert_ids(in_folder("ids.npy"), ids, 2);
    put_doubles(1, 9007199254740992);
    assert_no_ids(in_folder("ids.npy"), "id 1 (from 0) is 9007199254740992; ids are whole");
    put_doubles(1, 0.5);
    assert_no_ids(in_folder("ids.npy"), "id 1 (from 0) is 0.5; ids are whole numbers");
    put_doubles(NAN, 0.5);
    assert_no_ids(in_folder("ids.npy"), "id 0 (from 0) is nan");
}

/* By the name of an array, and a row vector of MATLAB. */
static void every_format_and_name_inside_does(void **state)
{
    (void)state;
    static const int64_t ids[] = {70000, -5, 6};
    static const int32_t values[] = {70000, -5, 6};
    static mat_maker mat;
    static zip_maker zip;
    char path[300];
    unsigned char npy[128];
    const mat_variable v = {"ids", MAT_DOUBLE, 0, {1, 3}, 2, {{MAT_I32, values, 3, 4}}};
    mat_variable other = v;
    other.name = "other";
    mat_begin(&mat, true);
    mat_add(&mat, &other);
    mat_add(&mat, &v);
    snprintf(path, sizeof path, "%s:ids", file_put("x.mat", mat.bytes, mat.size));
    assert_ids(path, ids, 3);
    zip = (zip_maker){0};
    zip_add(&zip, "only.npy", npy,
            npy_bytes(npy, 1, "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }",
                      values, sizeof values),
            true);
    zip_end(&zip, false);
    assert_ids(file_put("x.npz", zip.bytes, zip.size), ids, 3);
    imsat_error err;
    int64_t *none = NULL;
    size_t n;
    assert_refused(imsat_ids_read(&none, &n, IMSAT_SOURCE "/tests/data/several.npz:q", &err),
                   &err, IMSAT_EINVAL, "there is no array 'q' inside");
    assert_no_ids(IMSAT_SOURCE "/tests/data/csr.npz", "ids are integers");
}

static imsat_status read_ids(void *path, imsat_error *err)
{
    int64_t *ids = NULL;
    size_t n = 77;
    const imsat_status st = imsat_ids_read(&ids, &n, path, err);
    assert_true(st == IMSAT_OK ? n == 3 : n == 77 && !ids);
    imsat_free(ids);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const int64_t ids[3] = {5, 4, 3};
    char path[256];
    snprintf(path, sizeof path, "%s", file_text("ids.txt", "5\n4\n3\n"));
    assert_true(fail_each(read_ids, path) >= 2);
    snprintf(path, sizeof path, "%s",
             file_npy("ids.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }",
                      ids, sizeof ids));
    assert_true(fail_each(read_ids, path) >= 3);
}

/* 1.3 MB of text; a window is one. */
static void a_long_compressed_list_is_read_in_parts(void **state)
{
    (void)state;
    enum { IDS = 150000, ROOM = 12 * IDS };
    char *text = test_malloc(ROOM);
    int64_t *ids = NULL;
    size_t used = 0, n = 0;
    imsat_error err;
    for (int i = 0; i < IDS; i++)
        used += (size_t)sprintf(text + used, "%d\n%s", 7000000 - 3 * i, i % 1000 ? "" : " \n");
    assert_ok(imsat_ids_read(&ids, &n, file_gzip("ids.txt.gz", text, used), &err), &err);
    assert_int_equal(n, IDS);
    for (int i = 0; i < IDS; i++)
        assert_int_equal(ids[i], 7000000 - 3 * i);
    imsat_free(ids);
    strcpy(text + used, "1x\n");
    assert_no_ids(file_gzip("ids.txt.gz", text, used + 3), "line 150151: is not an id");
    test_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_bits_are_kept),
        cmocka_unit_test(every_integer_type),
        cmocka_unit_test(text_may_have_a_title),
        cmocka_unit_test(whole_doubles_are_ids_where_none_is_rounded),
        cmocka_unit_test(every_format_and_name_inside_does),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_long_compressed_list_is_read_in_parts),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
