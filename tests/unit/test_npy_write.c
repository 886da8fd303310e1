/* SPDX-License-Identifier: MIT
 * Written npy files: their bytes, and that they read back. */
#include "data_files.h"

#include <string.h>

static void header_is_padded_to_64_bytes(void **state)
{
    (void)state;
    const int32_t x[3] = {-1, 2, INT32_MAX};
    const char *path = in_folder("labels.npy");
    unsigned char bytes[256];
    assert_int_equal(imsat_npy_write_int32(path, x, 3, NULL), IMSAT_OK);
    assert_int_equal(read_file(path, bytes, sizeof bytes), 128 + sizeof x);
    assert_memory_equal(bytes, "\x93NUMPY\1\0\x76\0{'descr': '", 21);
    assert_memory_equal(bytes + 22, "i4', 'fortran_order': False, 'shape': (3,), }  ", 47);
    assert_int_equal(bytes[127], '\n');
    assert_memory_equal(bytes + 128, x, sizeof x);
}

static void written_arrays_read_back(void **state)
{
    (void)state;
    const float x[6] = {1, -2.5f, 3, 1e-20f, 5, 6};
    const int32_t y[4] = {INT32_MIN, -7, 0, INT32_MAX};
    const char *path = in_folder("x.npy");
    int32_t *labels = NULL;
    size_t n = 0;
    assert_int_equal(imsat_npy_write_float(path, x, 2, 3, NULL), IMSAT_OK);
    imsat_data *data = open_with(path, NULL);
    assert_rows(data, x, 2, 3);
    imsat_data_free(data);
    assert_int_equal(imsat_npy_write_float(path, x, 6, 0, NULL), IMSAT_OK);
    data = open_with(path, NULL);
    assert_rows(data, x, 6, 1);
    assert_non_null(strstr(imsat_data_describe(data, 0), "(6,)"));
    imsat_data_free(data);
    assert_int_equal(imsat_npy_write_int32(path, y, 4, NULL), IMSAT_OK);
    assert_int_equal(imsat_labels_read(&labels, &n, &path, 1, NULL), IMSAT_OK);
    assert_int_equal(n, 4);
    assert_memory_equal(labels, y, sizeof y);
    imsat_free(labels);
}

/* The bytes of the types that are only written piece by piece. */
static void bytes_and_wide_integers(void **state)
{
    (void)state;
    const uint8_t codes[6] = {1, 2, 3, 4, 5, 255};
    const int64_t ids[2] = {INT64_MIN, -1};
    unsigned char bytes[256];
    imsat_error err;
    imsat_npy *file = NULL;
    const char *path = in_folder("typed.npy");
    assert_ok(imsat_npy_create(&file, path, IMSAT_NPY_UINT8, 3, 2, &err), &err);
    assert_ok(imsat_npy_append(file, codes, 3, &err), &err);
    assert_ok(imsat_npy_commit(file, &err), &err);
    imsat_npy_free(file);
    assert_int_equal(read_file(path, bytes, sizeof bytes), 128 + sizeof codes);
    assert_memory_equal(bytes + 10, "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2)",
                        56);
    assert_memory_equal(bytes + 128, codes, sizeof codes);
    assert_ok(imsat_npy_create(&file, path, IMSAT_NPY_INT64, 2, 0, &err), &err);
    assert_ok(imsat_npy_append(file, ids, 2, &err), &err);
    assert_ok(imsat_npy_commit(file, &err), &err);
    imsat_npy_free(file);
    assert_int_equal(read_file(path, bytes, sizeof bytes), 128 + sizeof ids);
    assert_memory_equal(bytes + 22, "i8', 'fortran_order': False, 'shape': (2,)", 42);
    assert_memory_equal(bytes + 128, ids, sizeof ids);
}

/* Pieces make the bytes that one call makes. */
static void pieces_make_the_whole(void **state)
{
    (void)state;
    const float x[10] = {1, -2.5f, 3, 1e-20f, 5, 6, 7, -8, 9, 10};
    char one[256], two[256];
    imsat_error err;
    imsat_npy *file = NULL;
    const char *whole = in_folder("whole.npy"), *pieces = in_folder("pieces.npy");
    assert_ok(imsat_npy_write_float(whole, x, 5, 2, &err), &err);
    assert_ok(imsat_npy_create(&file, pieces, IMSAT_NPY_FLOAT32, 5, 2, &err), &err);
    assert_ok(imsat_npy_append(file, x, 1, &err), &err);
    assert_ok(imsat_npy_append(file, x, 0, &err), &err);
    assert_ok(imsat_npy_append(file, x + 2, 4, &err), &err);
    assert_ok(imsat_npy_commit(file, &err), &err);
    imsat_npy_free(file);
    const size_t size = read_file(whole, one, sizeof one);
    assert_int_equal(size, 128 + sizeof x);
    assert_int_equal(read_file(pieces, two, sizeof two), size);
    assert_memory_equal(one, two, size);
}

static void rows_need_not_be_announced(void **state)
{
    (void)state;
    const float x[10] = {1, -2.5f, 3, 1e-20f, 5, 6, 7, -8, 9, 10};
    char one[256], two[256];
    imsat_error err;
    for (size_t rows = 0; rows <= 5; rows += 5) {
        imsat_npy *file = NULL;
        const char *told = in_folder("told.npy"), *counted = in_folder("counted.npy");
        assert_ok(imsat_npy_write_float(told, x, rows, 2, &err), &err);
        assert_ok(
            imsat_npy_create(&file, counted, IMSAT_NPY_FLOAT32, IMSAT_NPY_ANY_ROWS, 2, &err),
            &err);
        for (size_t i = 0; i < rows; i++)
            assert_ok(imsat_npy_append(file, x + 2 * i, 1, &err), &err);
        assert_ok(imsat_npy_commit(file, &err), &err);
        imsat_npy_free(file);
        const size_t size = read_file(told, one, sizeof one);
        assert_int_equal(read_file(counted, two, sizeof two), size);
        assert_memory_equal(one, two, size);
    }
}

static void a_wrong_number_of_rows_is_refused(void **state)
{
    (void)state;
    const int32_t x[4] = {1, 2, 3, 4};
    const size_t before = folder_count();
    imsat_error err;
    imsat_npy *file = NULL;
    const char *path = in_folder("short.npy");
    assert_ok(imsat_npy_create(&file, path, IMSAT_NPY_INT32, 3, 0, &err), &err);
    assert_ok(imsat_npy_append(file, x, 2, &err), &err);
    assert_refused(imsat_npy_append(file, x, 4, &err), &err, IMSAT_EINVAL,
                   "3 rows more than were announced");
    assert_refused(imsat_npy_commit(file, &err), &err, IMSAT_EINVAL, "1 rows are missing");
    assert_int_equal(folder_count(), before + 1); /* under its temporary name */
    imsat_npy_free(file);
    imsat_npy_free(NULL);
    assert_int_equal(folder_count(), before);
}

static void failures_leave_nothing(void **state)
{
    (void)state;
    const size_t before = folder_count();
    imsat_error err = {{0}};
    const char *path = in_folder("no/such/folder.npy");
    const int32_t x[1] = {1};
    const float y[1] = {1};
    assert_int_equal(imsat_npy_write_int32(path, x, 1, &err), IMSAT_EIO);
    assert_message(&err, path, "cannot be written");
    assert_int_equal(imsat_npy_write_float(path, y, SIZE_MAX, 2, &err), IMSAT_EINVAL);
    assert_message(&err, path, "more than memory");
    assert_int_equal(folder_count(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_is_padded_to_64_bytes),
        cmocka_unit_test(written_arrays_read_back),
        cmocka_unit_test(bytes_and_wide_integers),
        cmocka_unit_test(pieces_make_the_whole),
        cmocka_unit_test(rows_need_not_be_announced),
        cmocka_unit_test(a_wrong_number_of_rows_is_refused),
        cmocka_unit_test(failures_leave_nothing),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
