/* SPDX-License-Identifier: MIT
 * Matrix Market: every kind of matrix that is read, and what is refused. (What scipy writes is
 * in test_peer_files.c.) */
#include "data/dataset.h"
#include "data_files.h"

#include <stdio.h>

#define HEAD "%%MatrixMarket matrix "

static void assert_matrix(const char *text, const float *expected, size_t rows, size_t dim,
                          bool sparse)
{
    imsat_data *data = open_with(file_text("x", text), NULL);
    assert_rows(data, expected, rows, dim);
    assert_true(im_data_is_sparse(data) == sparse);
    imsat_data_free(data);
}

static void coordinates_are_sparse_rows(void **state)
{
    (void)state;
    assert_matrix(HEAD
                  "coordinate real general\n% one\n%\n 2 3 3\n2 3 -1.5e0\n1 1 4\r\n\n2 1 7",
                  (const float[]){4, 0, 0, 7, 0, -1.5F}, 2, 3, true);
    assert_matrix(HEAD "coordinate integer general\n2 2 1\n1 2 -9\n",
                  (const float[]){0, -9, 0, 0}, 2, 2, true);
    assert_matrix("%%matrixmarket MATRIX Coordinate Pattern General\n2 2 2\n1 2\n2 1\n",
                  (const float[]){0, 1, 1, 0}, 2, 2, true);
    assert_matrix(HEAD "coordinate real symmetric\n3 3 3\n1 1 5\n3 1 2\n3 2 4\n",
                  (const float[]){5, 0, 2, 0, 0, 4, 2, 4, 0}, 3, 3, true);
    assert_matrix(HEAD "coordinate real skew-symmetric\n2 2 1\n2 1 3\n",
                  (const float[]){0, -3, 3, 0}, 2, 2, true);
}

static void arrays_are_dense(void **state)
{
    (void)state;
    assert_matrix(HEAD "array real general\n2 3\n1\n2\n3\n4\n5\n6\n",
                  (const float[]){1, 3, 5, 2, 4, 6}, 2, 3, false);
    assert_matrix(HEAD "array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n",
                  (const float[]){1, 2, 3, 2, 4, 5, 3, 5, 6}, 3, 3, false);
    assert_matrix(HEAD "array real skew-symmetric\n3 3\n1\n2\n3\n",
                  (const float[]){0, -1, -2, 1, 0, -3, 2, 3, 0}, 3, 3, false);
}

static void refusals(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {HEAD "coordinate complex general\n1 1 1\n1 1 1 1\n", "line 1: expected"},
        {HEAD "coordinate real hermitian\n1 1 1\n1 1 1\n", "then general, symmetric or"},
        {HEAD "array pattern general\n1 1\n", "or, of coordinates, pattern"},
        {"%%MatrixMarket vector coordinate real general\n1 1 1\n", "line 1: expected"},
        {HEAD "coordinate real general\n% and nothing more\n", "ends before the line of its"},
        {HEAD "coordinate real general\n2 2\n", "line 2: expected three sizes"},
        {HEAD "array real general\n2 2 4\n", "line 2: expected two sizes"},
        {HEAD "coordinate real general\n0 2 0\n", "holds nothing: it has 0 rows"},
        {HEAD "coordinate real general\n999999999 2 1\n1 1 1\n", "more than the file can"},
        {HEAD "coordinate real general\n2 2147483647 1\n1 1 1\n", "more than the file can"},
        {HEAD "array real general\n19 19\n1\n", "19 x 19 values are more than the file"},
        {HEAD "coordinate real symmetric\n2 3 1\n1 1 1\n", "are not symmetric"},
        {HEAD "coordinate real symmetric\n2 2 1\n1 2 1\n", "below the diagonal"},
        {HEAD "coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "below the diagonal"},
        {HEAD "coordinate real general\n2 2 1\n3 1 1\n",
         "line 3: row 3, column 1 (from 1) of"},
        {HEAD "coordinate real general\n2 2 1\n1 0 1\n",
         "line 3: row 1, column 0 (from 1) of"},
        {HEAD "coordinate real general\n2 2 1\n1 1 inf\n", "'inf' is not a finite number"},
        {HEAD "coordinate real general\n2 2 1\n1 1\n", "'' is not a finite number"},
        {HEAD "coordinate real general\n2 2 1\n1 1 1 1\n", "expected no more on the line"},
        {HEAD "coordinate real general\n2 2 1\nx 1 1\n", "expected ROW COLUMN and a value"},
        {HEAD "coordinate real general\n2 2 2\n1 1 1\n", "ends after 1 of 2 elements"},
        {HEAD "coordinate real general\n2 2 1\n1 1 1\n2 2 1\n", "goes on after 1 elements"},
        {HEAD "coordinate real general\n2 2 2\n2 1 1\n2 1 1\n", "row 2, column 1 comes twice"},
        {HEAD "array real general\n2 1\n1 2\n", "line 3: expected one value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_unreadable(file_text("x.mtx", cases[i][0]), cases[i][1]);
}

static void memory_may_fail(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s",
             file_text("x.mtx", HEAD "coordinate real general\n2 2 1\n2 1 1\n"));
    assert_true(fail_each_open(path) > 6);
    snprintf(path, sizeof path, "%s",
             file_text("x.mtx", HEAD "array real general\n2 1\n2\n1\n"));
    assert_true(fail_each_open(path) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_are_sparse_rows),
        cmocka_unit_test(arrays_are_dense),
        cmocka_unit_test(refusals),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
