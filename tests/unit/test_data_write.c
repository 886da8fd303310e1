/* SPDX-License-Identifier: MIT
 * Data sets as files: what was written reads back, with its type, its shape and its labels
 * where the format has them, and what it does not hold is refused. */
#include "imsat/output.h"

#include "data_files.h"
#include "failing_alloc.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 5, DIM = 4 };

/* Whole numbers from 0 to 127, which every type holds. */
static const float whole[ROWS * DIM] = {0, 1, 2, 0, 0, 0,  127, 4, 0, 0,
                                        0, 0, 5, 0, 6, 30, 0,   7, 0, 8};
static const int32_t classes[ROWS] = {3, 0, 3, -1, 2};

static const char *csv_of_rows(void)
{
    char text[256] = "a,\"b,c\",,d,class\n";
    for (size_t i = 0; i < ROWS; i++) {
        size_t used = strlen(text);
        for (size_t j = 0; j < DIM; j++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%g,",
                                     (double)whole[i * DIM + j]);
        snprintf(text + used, sizeof text - used, "%d\n", (int)classes[i]);
    }
    return file_text("rows.csv", text);
}

static void write_to(const char *path, const imsat_data *data)
{
    imsat_error err;
    assert_ok(imsat_data_write(path, NULL, data, NULL, NULL, &err), &err);
}

/* Write, open, compare rows and labels; the description holds `is`. */
static void assert_round(const imsat_data *data, const char *name, const char *label_column,
                         bool labels, const char *is)
{
    const char *path = in_folder(name);
    write_to(path, data);
    imsat_data *got = open_with(path, label_column);
    assert_rows(got, whole, ROWS, DIM);
    assert_true((imsat_data_labels(got) != NULL) == labels);
    if (labels)
        assert_memory_equal(imsat_data_labels(got), classes, sizeof classes);
    if (!strstr(imsat_data_describe(got, 0), is))
        fail_msg("%s: %s", name, imsat_data_describe(got, 0));
    imsat_data_free(got);
}

static void all_formats_read_back(void **state)
{
    (void)state;
    imsat_data *data = open_with(csv_of_rows(), "class");
    assert_round(data, "y.npy", NULL, false, "<f4 (5, 4)");
    assert_round(data, "y.npz", NULL, true, "npz 'x': npy <f4 (5, 4), mapped");
    assert_round(data, "y.csv", "label", true, "csv (5, 4)");
    assert_round(data, "y.tsv", "-1", true, "tsv (5, 4)");
    assert_round(data, "y.svm", NULL, true, "9 elements");
    assert_round(data, "y.mtx", NULL, false, "9 elements");
    assert_round(data, "y.idx", NULL, false, "idx f32 (5, 4)");
    assert_round(data, "y.fvecs", NULL, false, "float32 (5, 4)");
    assert_round(data, "y.bvecs", NULL, false, "uint8 (5, 4)");
    assert_round(data, "y.ivecs", NULL, false, "int32 (5, 4)");
    assert_round(data, "y.fbin", NULL, false, "float32 (5, 4)");
    assert_round(data, "y.u8bin", NULL, false, "uint8 (5, 4)");
    assert_round(data, "y.i8bin", NULL, false, "int8 (5, 4)");
    assert_round(data, "y.ibin", NULL, false, "int32 (5, 4)");
    imsat_data_free(data);
}

/* Sparse rows, of several files: the same, and sparse where the format has it. */
static void sparse_rows_read_back(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *rows = open_with(csv_of_rows(), "class"), *data = NULL;
    write_to(in_folder("s.svm"), rows);
    imsat_data_free(rows);
    data = open_with(in_folder("s.svm"), NULL);
    assert_round(data, "s.npz", NULL, true, "csr of scipy (5, 4), sparse, 9 elements");
    assert_round(data, "again.svm", NULL, true, "9 elements");
    assert_round(data, "s.mtx", NULL, false, "9 elements");
    assert_round(data, "s.npy", NULL, false, "<f4 (5, 4)");
    assert_round(data, "s.csv", "label", true, "csv (5, 4)");
    assert_round(data, "s.u8bin", NULL, false, "uint8 (5, 4)");
    imsat_data_free(data);
    /* The labels of an archive of scipy alone. */
    const char *path = in_folder("s.npz");
    int32_t *labels = NULL;
    size_t n = 0;
    assert_ok(imsat_labels_read(&labels, &n, &path, 1, &err), &err);
    assert_int_equal(n, ROWS);
    assert_memory_equal(labels, classes, sizeof classes);
    imsat_free(labels);
}

static void names_are_those_of_the_header(void **state)
{
    (void)state;
    char text[64];
    const char *path = in_folder("named.csv");
    imsat_data *data = open_with(csv_of_rows(), "class");
    write_to(path, data);
    read_file(path, text, sizeof text);
    assert_memory_equal(text, "a,\"b,c\",x2,d,label\n0,1,2,0,3\n", 29);
    imsat_data_free(data);
}

/* Elements keep their type and images their shape. */
static void types_and_shapes_are_kept(void **state)
{
    (void)state;
    static const struct {
        const char *header, *ending, *is;
    } kept[] = {
        {"{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3, 2), }", "npy",
         "<i2 (2, 3, 2)"},
        {"{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3, 2), }", "npz",
         "<i2 (2, 3, 2)"},
        {"{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3, 2), }", "idx",
         "i16 (2, 3, 2)"},
        {"{'descr': '>i2', 'fortran_order': False, 'shape': (2, 1, 2, 3), }", "npy",
         "<i2 (2, 1, 2, 3)"},
        {"{'descr': '>i2', 'fortran_order': False, 'shape': (2, 1, 2, 3), }", "idx",
         "i16 (2, 1, 2, 3)"},
        {"{'descr': '<u2', 'fortran_order': True, 'shape': (3, 4), }", "idx", "i32 (3, 4)"},
        {"{'descr': '<f2', 'fortran_order': False, 'shape': (3, 4), }", "idx", "f32 (3, 4)"},
        {"{'descr': '<f2', 'fortran_order': False, 'shape': (3, 4), }", "npy", "<f2 (3, 4)"},
        {"{'descr': '|b1', 'fortran_order': False, 'shape': (6, 4), }", "u8bin",
         "uint8 (6, 4)"},
    };
    const unsigned char bytes[24] = {1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0,
                                     1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        char name[32];
        float before[24], after[24];
        imsat_error err;
        snprintf(name, sizeof name, "t.%s", kept[i].ending);
        imsat_data *data = open_with(file_npy("in.npy", kept[i].header, bytes, 24), NULL);
        write_to(in_folder(name), data);
        imsat_data *got = open_with(in_folder(name), NULL);
        const size_t rows = imsat_data_rows(data), dim = imsat_data_dim(data);
        assert_int_equal(imsat_data_rows(got), rows);
        assert_int_equal(imsat_data_dim(got), dim);
        assert_ok(imsat_data_read(data, 0, rows, before, &err), &err);
        assert_ok(imsat_data_read(got, 0, rows, after, &err), &err);
        assert_memory_equal(before, after, rows * dim * sizeof *before);
        if (!strstr(imsat_data_describe(got, 0), kept[i].is))
            fail_msg("%s: not %s", imsat_data_describe(got, 0), kept[i].is);
        imsat_data_free(got);
        imsat_data_free(data);
    }
}

/* 64-bit integers to the last digit, doubles to the last bit. */
static void wide_values_are_not_rounded(void **state)
{
    (void)state;
    const int64_t x[2] = {INT64_MAX, -9007199254740993};
    char text[128];
    imsat_data *data =
        open_with(file_npy("wide.npy",
                           "{'descr': '<i8', 'fortran_order': False, 'shape': (2, "
                           "1), }",
                           x, sizeof x),
                  NULL);
    write_to(in_folder("wide.csv"), data);
    text[read_file(in_folder("wide.csv"), text, sizeof text - 1)] = '\0';
    assert_string_equal(text, "x0\n9223372036854775807\n-9007199254740993\n");
    imsat_data_free(data);
    data = open_with(file_text("d.csv", "0.1\n1e-200\n"), NULL);
    write_to(in_folder("d.jsonl"), data);
    text[read_file(in_folder("d.jsonl"), text, sizeof text - 1)] = '\0';
    assert_string_equal(text, "{\"x\":[0.1]}\n{\"x\":[1e-200]}\n");
    imsat_data_free(data);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = open_with(file_text("f.csv", "1,2\n3,0.5\n300,-1\n"), NULL);
    const size_t before = folder_count();
    assert_refused(imsat_data_write(in_folder("f.bvecs"), NULL, data, NULL, NULL, &err), &err,
                   IMSAT_EINVAL, "row 1, column 1 (both from 0) is 0.5");
    assert_refused(imsat_data_write(in_folder("f.xyz"), NULL, data, NULL, NULL, &err), &err,
                   IMSAT_EINVAL, "ends in .xyz");
    imsat_data_free(data);
    data = open_with(file_text("f.csv", "1,2\n3,5\n300,-1\n"), NULL);
    assert_refused(imsat_data_write(in_folder("f.u8bin"), NULL, data, NULL, NULL, &err), &err,
                   IMSAT_EINVAL, "row 2, column 0 (both from 0) is 300");
    assert_int_equal(folder_count(), before);
    imsat_data_free(data);
}

static int stop(void *user, const imsat_progress *progress)
{
    (void)progress;
    return ++*(int *)user > 0;
}

static void it_can_be_stopped(void **state)
{
    (void)state;
    int calls = 0;
    imsat_error err;
    imsat_data *data = open_with(csv_of_rows(), "class");
    const size_t before = folder_count();
    assert_int_equal(imsat_data_write(in_folder("no.npz"), NULL, data, stop, &calls, &err),
                     IMSAT_ESTOPPED);
    assert_int_equal(calls, 1);
    assert_int_equal(folder_count(), before);
    imsat_data_free(data);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    return imsat_data_write(in_folder("fails.npz"), NULL, context, NULL, NULL, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *dense = open_with(csv_of_rows(), "class");
    write_to(in_folder("f.svm"), dense);
    assert_true(fail_each(attempt, dense) >= 8);
    imsat_data_free(dense);
    imsat_data *sparse = open_with(in_folder("f.svm"), NULL);
    assert_true(fail_each(attempt, sparse) >= 8);
    imsat_data_free(sparse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_formats_read_back),
        cmocka_unit_test(sparse_rows_read_back),
        cmocka_unit_test(names_are_those_of_the_header),
        cmocka_unit_test(types_and_shapes_are_kept),
        cmocka_unit_test(wide_values_are_not_rounded),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
