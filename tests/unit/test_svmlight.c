/* SPDX-License-Identifier: MIT
 * svmlight: what a line may have, from where columns count, labels, and what is refused. (What
 * scikit-learn writes is in test_peer_files.c.) */
#include "data/dataset.h"
#include "data_files.h"

#include <stdio.h>
#include <string.h>

static void lines_are_rows(void **state)
{
    (void)state;
    imsat_data *data = open_with(file_text("x", "# made by hand\r\n"
                                                "1 3:2.5 1:-1e1  # not sorted\r\n"
                                                "\r\n"
                                                "-1\tqid:7 2:4\r\n"
                                                "+1\r\n"
                                                "2.0 4:0 1:1"),
                                 NULL);
    assert_rows(data, (const float[]){-10, 0, 2.5F, 0, 0, 4, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, 4,
                4);
    const int32_t *labels = imsat_data_labels(data);
    assert_non_null(labels);
    assert_memory_equal(labels, ((int32_t[]){1, -1, 1, 2}), 4 * sizeof *labels);
    assert_true(im_data_is_sparse(data));
    assert_string_equal(imsat_data_describe(data, 0),
                        "svmlight (4, 4), sparse, 5 elements, columns from 1, with labels");
    imsat_data_free(data);
}

static void columns_count_from_zero_or_one(void **state)
{
    (void)state;
    imsat_data *data = open_with(file_text("x.svm", "1 1:5\n2 0:7\n"), NULL);
    assert_rows(data, (const float[]){0, 5, 7, 0}, 2, 2);
    imsat_data_free(data);
    data = open_with(file_text("x.svm", "# Column indices are zero-based\n1 1:5\n"), NULL);
    assert_rows(data, (const float[]){0, 5}, 1, 2);
    imsat_data_free(data);
    data = open_with(file_text("x.svm", "1 1:5\n# zero-based\n2 2:1\n"), NULL);
    assert_rows(data, (const float[]){5, 0, 0, 1}, 2, 2); /* said too late */
    imsat_data_free(data);
    assert_unreadable(file_text("x.svm", "# one-based\n1 0:5\n"),
                      "has a column 0, but says that columns are one-based");
}

static void labels_may_be_words_or_missing(void **state)
{
    (void)state;
    imsat_data *data = open_with(file_text("x.svm", "ox 1:1\ncow 2:1\nox 1:2\n"), NULL);
    assert_memory_equal(imsat_data_labels(data), ((int32_t[]){1, 0, 1}), 3 * sizeof(int32_t));
    imsat_data_free(data);
    data = open_with(file_text("x.svm", "1:1 2:3\n2:1\n"), NULL);
    assert_rows(data, (const float[]){1, 3, 0, 1}, 2, 2);
    assert_null(imsat_data_labels(data));
    imsat_data_free(data);
    assert_unreadable(file_text("x.svm", "1 1:1\n2:1\n"),
                      "line 2 has no label; the rows before have one");
    assert_unreadable(file_text("x.svm", "1:1\n5 2:1\n"),
                      "line 2 has a label; the rows before have none");
}

/* Rows with numbers for labels are known by their contents. Others could be times. */
static void times_are_not_rows(void **state)
{
    (void)state;
    imsat_data *data = open_with(file_text("x.txt", "1 1:1\n2 2:1\n"), NULL);
    assert_rows(data, (const float[]){1, 0, 0, 1}, 2, 2);
    imsat_data_free(data);

    int32_t *labels = NULL;
    size_t n = 0;
    const char *path = file_text("times.txt", "12:30\n09:15\n12:30\n");
    imsat_error err;
    assert_ok(imsat_labels_read(&labels, &n, &path, 1, &err), &err);
    assert_int_equal(n, 3);
    assert_memory_equal(labels, ((int32_t[]){1, 0, 1}), 3 * sizeof *labels);
    imsat_free(labels);

    data = open_with(
        file_text("x.csv", "x,y,when\n1,2,2024-01-31 12:30\n3,4,2024-02-01 09:15\n"), NULL);
    assert_int_equal(imsat_data_dim(data), 3);
    assert_int_equal(imsat_data_rows(data), 2);
    imsat_data_free(data);
}

/* As wide as the widest of several files, or as a model is. */
static void width_is_open(void **state)
{
    (void)state;
    char narrow[512], wide[512];
    snprintf(narrow, sizeof narrow, "%s", file_text("a.svm", "1 1:1\n2 2:2\n"));
    snprintf(wide, sizeof wide, "%s", file_text("b.svm", "1 4:4\n"));
    static const float joined[] = {1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4};
    static const float other[] = {0, 0, 0, 4, 1, 0, 0, 0, 0, 2, 0, 0};
    imsat_error err;
    imsat_data *data = NULL;
    const char *paths[2] = {narrow, wide};
    assert_ok(imsat_data_open(&data, paths, 2, NULL, &err), &err);
    assert_rows(data, joined, 3, 4);
    imsat_data_free(data);
    paths[0] = wide, paths[1] = narrow;
    assert_ok(imsat_data_open(&data, paths, 2, NULL, &err), &err);
    assert_rows(data, other, 3, 4);
    assert_ok(imsat_data_widen(data, 6, &err), &err);
    assert_int_equal(imsat_data_dim(data), 6);
    assert_near(im_data_value(data, 0, 5), 0, 0);
    assert_ok(imsat_data_widen(data, 3, &err), &err); /* it never gets narrower */
    assert_int_equal(imsat_data_dim(data), 6);
    imsat_data_free(data);
    paths[1] = file_text("c.csv", "1,2\n"); /* which says how wide it is */
    data = NULL;
    assert_refused(imsat_data_open(&data, paths, 2, NULL, &err), &err, IMSAT_EMISMATCH,
                   "has rows of 2 values");
}

static void refusals(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1 1:1\n1 x:2\n", "line 2: 'x:2' is not COLUMN:VALUE"},
        {"1 1:1\n1 2:\n", "line 2: '2:' is not COLUMN:VALUE"},
        {"1 1:1\n1 2:nan\n", "line 2: '2:nan' is not COLUMN:VALUE"},
        {"1 1:1\n1 2:1e39\n", "in the range of float"},
        {"1 1:1\n1 2147483647:1\n", "with a column from 0 to 2147483646"},
        {"1 1:1\n1 99999999999:1\n", "'99999999999:1' is not COLUMN:VALUE"},
        {"1 1:1\n1 1:1 7\n", "line 2: '7' is not COLUMN:VALUE"},
        {"1 1:1\n1 2:1 2:3\n", "line 2: column 2 comes twice in the row"},
        {"# nothing\n", "no row has an element"},
        {"1\n2\n", "no row has an element"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_unreadable(file_text("x.svm", cases[i][0]), cases[i][1]);
}

/* Numbers in columns are no elements, and times are none either. */
static void tables_stay_tables(void **state)
{
    (void)state;
    imsat_data *data = open_with(file_text("x", "1 2\n3 4\n"), NULL);
    assert_rows(data, (const float[]){1, 2, 3, 4}, 2, 2);
    imsat_data_free(data);
    assert_unreadable(file_text("x", "2 12:30 4\n3 12:31 5\n"), "is not a number");
}

static void compressed_files_are_streamed(void **state)
{
    (void)state;
    enum { LINES = 40000 };
    static char text[LINES * 16];
    size_t used = 0;
    for (size_t i = 0; i < LINES; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%zu %zu:%zu\n", i % 3,
                                 i % 90 + 1, i % 7 + 1);
    imsat_data *data = open_with(file_gzip("x.svm.gz", text, used), NULL);
    assert_int_equal(imsat_data_rows(data), LINES);
    assert_int_equal(imsat_data_dim(data), 90);
    for (size_t i = 0; i < LINES; i += 997)
        assert_near(im_data_value(data, i, i % 90), (double)(i % 7 + 1), 0);
    imsat_data_free(data);
}

static void memory_may_fail(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", file_text("x.svm", "ox 1:1\ncow 2:1 3:4\n"));
    assert_true(fail_each_open(path) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_rows),
        cmocka_unit_test(columns_count_from_zero_or_one),
        cmocka_unit_test(labels_may_be_words_or_missing),
        cmocka_unit_test(times_are_not_rows),
        cmocka_unit_test(width_is_open),
        cmocka_unit_test(refusals),
        cmocka_unit_test(tables_stay_tables),
        cmocka_unit_test(compressed_files_are_streamed),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
