/* SPDX-License-Identifier: MIT
 * fvecs, fbin and their siblings: compressed and not, and files that are refused. (What numpy
 * writes is in test_peer_files.c.) */
#include "data/dataset.h"
#include "data_files.h"
#include "imsat/process.h"

#include <string.h>

/* Two rows of three bytes each. */
static const unsigned char BVECS[] = {3, 0, 0, 0, 1, 2, 3, 3, 0, 0, 0, 4, 5, 6};
static const unsigned char U8BIN[] = {2, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3, 4, 5, 6};

enum { SIZE = sizeof BVECS };

static void assert_six(const char *path, const char *description)
{
    imsat_data *data = open_with(path, NULL);
    assert_rows(data, (const float[]){1, 2, 3, 4, 5, 6}, 2, 3);
    assert_string_equal(imsat_data_describe(data, 0), description);
    im_data_release(data, 0, 2);
    assert_rows(data, (const float[]){1, 2, 3, 4, 5, 6}, 2, 3);
    imsat_data_free(data);
}

static void the_name_says_the_type(void **state)
{
    (void)state;
    assert_six(file_put("x.bvecs", BVECS, SIZE), "bvecs uint8 (2, 3), mapped");
    assert_six(file_put("X.BVECS", BVECS, SIZE), "bvecs uint8 (2, 3), mapped");
    assert_six(file_gzip("x.bvecs.gz", BVECS, SIZE), "bvecs uint8 (2, 3), decompressed");
    assert_six(file_put("x.u8bin", U8BIN, SIZE), "u8bin uint8 (2, 3), mapped");
    assert_six(file_gzip("x.u8bin.gz", U8BIN, SIZE), "u8bin uint8 (2, 3), decompressed");
    assert_unreadable(file_put("x.vec", BVECS, SIZE), "a format that is not known");
}

static void bytes_with_a_sign(void **state)
{
    (void)state;
    const unsigned char bytes[] = {1, 0, 0, 0, 2, 0, 0, 0, 0xff, 0x80};
    imsat_data *data = open_with(file_put("x.i8bin", bytes, sizeof bytes), NULL);
    assert_rows(data, (const float[]){-1, -128}, 1, 2);
    imsat_data_free(data);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    unsigned char bytes[SIZE];
    assert_unreadable(file_put("x.bvecs", BVECS, 3), "ends after 3 bytes");
    assert_unreadable(file_put("x.bvecs", BVECS, SIZE - 1),
                      "has 13 bytes; its first row says");
    assert_unreadable(file_put("x.fvecs", BVECS, SIZE), "such rows take 16 bytes each");
    memcpy(bytes, BVECS, SIZE);
    bytes[7] = 2;
    assert_unreadable(file_put("x.bvecs", bytes, SIZE),
                      "row 1 (from 0) has 2 values, but those before it 3");
    memset(bytes, 0, SIZE);
    assert_unreadable(file_put("x.bvecs", bytes, SIZE), "says that it has 0 values");
    assert_unreadable(file_put("x.u8bin", bytes, SIZE), "its shape is (0, 0)");
    memset(bytes, 0xff, SIZE);
    assert_unreadable(file_put("x.bvecs", bytes, SIZE), "4294967295 values");
    assert_unreadable(file_put("x.fbin", bytes, SIZE), "more than memory can");
    assert_unreadable(file_put("x.u8bin", U8BIN, 7), "ends after 7 of the 8 bytes");
    assert_unreadable(file_put("x.u8bin", U8BIN, SIZE - 1), "ends after 5 of 6 bytes");
    assert_unreadable(file_put("x.ibin", U8BIN, SIZE), "ends after 6 of 24 bytes");
}

/* Neighbors, as the data sets of searches have them, are no labels; one a row can be. */
static void labels_of_one_column(void **state)
{
    (void)state;
    const unsigned char one[] = {1, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0};
    const char *path = file_put("y.ivecs", one, sizeof one);
    int32_t *labels = NULL;
    size_t n = 0;
    imsat_error err;
    assert_ok(imsat_labels_read(&labels, &n, &path, 1, &err), &err);
    assert_true(n == 2 && labels[0] == 9 && labels[1] == 4);
    imsat_free(labels);
    path = file_put("y.bvecs", BVECS, SIZE);
    assert_refused(imsat_labels_read(&labels, &n, &path, 1, &err), &err, IMSAT_EFORMAT,
                   "labels need one column");
}

static void the_limit_holds(void **state)
{
    (void)state;
    imsat_set_max_unpacked(SIZE - 1);
    assert_unreadable_with(file_gzip("x.bvecs.gz", BVECS, SIZE), NULL, IMSAT_ENOMEM,
                           "--max-unpacked");
    imsat_set_max_unpacked(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_name_says_the_type),
        cmocka_unit_test(bytes_with_a_sign),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(labels_of_one_column),
        cmocka_unit_test(the_limit_holds),
    };
    return cmocka_run_group_tests_name("vecs", tests, folder_setup, folder_teardown);
}
