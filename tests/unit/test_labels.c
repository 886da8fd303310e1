/* SPDX-License-Identifier: MIT
 * Files of labels and of one vector. */
#include "data_files.h"
#include "failing_alloc.h"

#include <stdio.h>
#include <string.h>

static void assert_labels(const char *const *paths, size_t npaths, const int32_t *expected,
                          size_t count)
{
    imsat_error err = {{0}};
    int32_t *labels = NULL;
    size_t n = 0;
    if (imsat_labels_read(&labels, &n, paths, npaths, &err) != IMSAT_OK)
        fail_msg("%s", err.message);
    assert_int_equal(n, count);
    assert_memory_equal(labels, expected, count * sizeof *expected);
    imsat_free(labels);
}

static void assert_labels_refused(const char *path, const char *part)
{
    imsat_error err = {{0}};
    int32_t *labels = NULL;
    size_t n = 77;
    assert_int_equal(imsat_labels_read(&labels, &n, &path, 1, &err), IMSAT_EFORMAT);
    assert_message(&err, path, part);
    assert_null(labels);
    assert_int_equal(n, 77);
}

/* What labels were in a file of them, and in one of data. */
static void words_of_labels(void **state)
{
    (void)state;
    const imsat_data_options options = {.label_column = "kind"};
    const char *path = file_text("words", "plum\n<i>fig\nplum\n");
    const char *numbers = file_text("numbers", "3\n4\n");
    const char *table = file_text("table.csv", "x,kind\n1,fig\n2,plum\n3,fig\n");
    imsat_error err;
    imsat_data *data = NULL;
    int32_t *labels = NULL;
    char **words = NULL;
    size_t n = 0;
    assert_ok(imsat_labels_read_words(&labels, &n, &words, &path, 1, &err), &err);
    assert_string_equal(words[0], "<i>fig");
    assert_string_equal(words[1], "plum");
    assert_null(words[2]);
    assert_int_equal(labels[2], 1);
    imsat_free(labels);
    imsat_free(words);
    assert_ok(imsat_labels_read_words(&labels, &n, &words, &numbers, 1, &err), &err);
    assert_null(words);
    imsat_free(labels);
    assert_ok(imsat_data_open(&data, &table, 1, &options, &err), &err);
    assert_string_equal(imsat_data_label_words(data)[imsat_data_labels(data)[1]], "plum");
    imsat_data_free(data);
    assert_ok(imsat_data_open(&data, &numbers, 1, NULL, &err), &err);
    assert_null(imsat_data_label_words(data));
    imsat_data_free(data);
}

static void text_files(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t labels[3];
    } cases[] = {
        {"3\n1\n-2\n", {3, 1, -2}},
        {"label\n3\n1\n2", {3, 1, 2}},
        {"whatever\r\n3\r\n1\r\n2\r\n", {3, 1, 2}},
        {"# comment\n3\n1\n2\n", {3, 1, 2}},
        {"3.000000000000000000e+00\n1.0\n2\n", {3, 1, 2}},
        {"zebra\nant\nox\n", {2, 0, 1}},
        {"Class\nzebra\nant\nox\n", {2, 0, 1}},
        {"sports cars\nart\nsports cars\n", {1, 0, 1}},
        {"\"a,b\"\n\"a\"\"c\"\n\"a,b\"\n", {1, 0, 1}},
        {"10\n9\nx\n", {0, 1, 2}},
        {"7\n07\nx\n", {0, 0, 1}},
        {"0.5\n1.5\n0.5\n", {0, 1, 0}},
        {"12345678901\n5\n5\n", {0, 1, 1}},
        {"nan\nhak\nnan\n", {1, 0, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = file_text("y.csv", cases[i].text);
        assert_labels(&path, 1, cases[i].labels, 3);
    }
}

static void arrays(void **state)
{
    (void)state;
    const int64_t i8[3] = {3, -1, 2};
    const float f4[3] = {3, -1, 2};
    const int32_t expected[3] = {3, -1, 2};
    const unsigned char idx[] = {0, 0, 8, 1, 0, 0, 0, 3, 9, 0, 255};
    const char *path =
        file_npy("y.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (3,)}", i8, 24);
    assert_labels(&path, 1, expected, 3);
    path =
        file_npy("y.npy", "{'descr': '<i8', 'fortran_order': True, 'shape': (3, 1)}", i8, 24);
    assert_labels(&path, 1, expected, 3);
    path =
        file_npy("y.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", f4, 12);
    assert_labels(&path, 1, expected, 3);
    path = file_gzip("y-idx1-ubyte.gz", idx, sizeof idx);
    assert_labels(&path, 1, (const int32_t[]){9, 0, 255}, 3);
}

static void files_are_numbered_together(void **state)
{
    (void)state;
    const int32_t numbers[2] = {5, 10};
    const char *paths[3] = {file_text("a.csv", "ox\nant\n"), file_text("b.csv", "bee\nox\n"),
                            file_npy("c.npy",
                                     "{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}",
                                     numbers, 8)};
    assert_labels(paths, 2, (const int32_t[]){2, 0, 1, 2}, 4);
    assert_labels(paths, 3, (const int32_t[]){4, 2, 3, 4, 1, 0}, 6);
    const char *back[2] = {paths[2], paths[0]}; /* numbers first, then turned to texts */
    assert_labels(back, 2, (const int32_t[]){1, 0, 3, 2}, 4);
    const char *whole[2] = {paths[2], file_text("d.csv", "7\n")};
    assert_labels(whole, 2, (const int32_t[]){5, 10, 7}, 3);
}

static void wrong_labels_are_refused(void **state)
{
    (void)state;
    const double half[3] = {1, 2, 0.5}, big[1] = {3e9};
    const int64_t wide[4] = {1, 2, 3, 4};
    assert_labels_refused(
        file_npy("y.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", half, 24),
        "label 2 (from 0) is 0.5; labels are whole numbers");
    assert_labels_refused(
        file_npy("y.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", big, 8),
        "is 3000000000");
    assert_labels_refused(file_npy("y.npy",
                                   "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 2)}",
                                   wide, 32),
                          "rows of 2 values");
    assert_labels_refused(file_text("y.csv", "1,2\n3,4\n"), "line 1 has 2 fields");
    assert_labels_refused(file_text("y.txt", "1 2\n3 4\n"), "line 1 has 2 fields");
    assert_labels_refused(file_text("y.csv", "label\n3,4\n"), "line 2 has 2 fields");
    assert_labels_refused(file_text("y.csv", "1\nnan\n"), "label 1 (from 0) is nan");
    assert_labels_refused(file_text("y.csv", "1\n\"\"\n"),
                          "line 2, column 0 (from 0): the label is");
    assert_labels_refused(file_text("y.csv", "\"a\n\"b\"\n"),
                          "line 1, column 0 (from 0): quotes");
    assert_labels_refused(file_text("y.csv", "# no\n"), "no labels");
    assert_labels_refused(file_put("y.bin", "a\0b", 3), "binary data");
    assert_labels_refused(file_put("y.csv", "", 0), "empty");
    int32_t *labels = NULL;
    size_t n;
    assert_int_equal(imsat_labels_read(&labels, &n, NULL, 0, NULL), IMSAT_EINVAL);
}

static void vectors(void **state)
{
    (void)state;
    const float f4[3] = {0.25f, 0.5f, 4};
    const struct {
        const char *path;
        double first;
    } cases[] = {
        {file_npy("a.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", f4, 12),
         0.25},
        {file_npy("b.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3)}", f4,
                  12),
         0.25},
        {file_npy("c.npy", "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 1)}", f4, 12),
         0.25},
        {file_text("d.csv", "0.1,0.5,4\n"), 0.1},
        {file_text("e.csv", "prior\n0.1\n0.5\n4\n"), 0.1},
        {file_text("f.txt", "1e200\n0.5\n4\n"), 1e200}, /* not held to the range of float */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_error err = {{0}};
        double *values = NULL;
        size_t n = 0;
        assert_ok(imsat_vector_read(&values, &n, cases[i].path, &err), &err);
        assert_int_equal(n, 3);
        assert_true(values[0] == cases[i].first && values[1] == 0.5 && values[2] == 4);
        imsat_free(values);
    }
}

static void wrong_vectors_are_refused(void **state)
{
    (void)state;
    const double nan_at_1[2] = {1, __builtin_nan("")};
    imsat_error err = {{0}};
    double *values = NULL;
    size_t n = 77;
    const char *path = file_text("a.csv", "1,2\n3,4\n");
    assert_int_equal(imsat_vector_read(&values, &n, path, &err), IMSAT_EFORMAT);
    assert_message(&err, path, "2 rows of 2 values");
    path = file_npy("b.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
                    nan_at_1, 16);
    assert_int_equal(imsat_vector_read(&values, &n, path, &err), IMSAT_EFORMAT);
    assert_message(&err, path, "value 1 (from 0) is nan");
    path = file_text("c.svm", "1 2000000000:1\n");
    assert_int_equal(imsat_vector_read(&values, &n, path, &err), IMSAT_EFORMAT);
    assert_message(&err, path, "sparse rows; a vector has all of its values");
    assert_null(values);
    assert_int_equal(n, 77);
    imsat_free(NULL);
}

static imsat_status read_once(void *context, imsat_error *err)
{
    int32_t *labels = NULL;
    size_t n = 77;
    const imsat_status st = imsat_labels_read(&labels, &n, context, 2, err);
    assert_true(st == IMSAT_OK ? n == 5 : n == 77 && !labels);
    imsat_free(labels);
    return st;
}

static imsat_status read_vector_once(void *context, imsat_error *err)
{
    double *values = NULL;
    size_t n;
    const imsat_status st = imsat_vector_read(&values, &n, context, err);
    assert_true(st == IMSAT_OK || !values);
    imsat_free(values);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char vector[300];
    const char *paths[2] = {file_text("a.csv", "1\n2\n"), file_text("b.csv", "x\ny\n1\n")};
    assert_true(fail_each(read_once, paths) > 4);
    strcpy(vector, file_text("v.csv", "1,2,3\n"));
    assert_true(fail_each(read_vector_once, vector) > 2);
}

/* 1.4 MB of text; a window is one. */
static void long_compressed_labels_are_read_in_parts(void **state)
{
    (void)state;
    enum { LABELS = 200000, ROOM = 16 * LABELS };
    char *text = test_malloc(ROOM);
    int32_t *labels = NULL;
    size_t used = (size_t)sprintf(text, "class\n"), n = 0;
    imsat_error err;
    for (int i = 0; i < LABELS; i++)
        used += (size_t)sprintf(text + used, "%d\n", i * 7 - 500000);
    const char *path = file_gzip("y.csv.gz", text, used);
    assert_ok(imsat_labels_read(&labels, &n, &path, 1, &err), &err);
    assert_int_equal(n, LABELS);
    for (int i = 0; i < LABELS; i++)
        assert_int_equal(labels[i], i * 7 - 500000);
    imsat_free(labels);
    test_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_labels),
        cmocka_unit_test(text_files),
        cmocka_unit_test(arrays),
        cmocka_unit_test(files_are_numbered_together),
        cmocka_unit_test(wrong_labels_are_refused),
        cmocka_unit_test(vectors),
        cmocka_unit_test(wrong_vectors_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(long_compressed_labels_are_read_in_parts),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
