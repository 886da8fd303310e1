/* SPDX-License-Identifier: MIT
 * Data sets: joined files, views, the check of values, the fingerprint. */
#include "data/dataset.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "sparse_case.h"
#include "stopping.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float X[15] = {0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24};

static imsat_status open_two(imsat_data **out, const char *a, const char *b,
                             const imsat_data_options *options, imsat_error *err)
{
    const char *paths[2] = {a, b};
    return imsat_data_open(out, paths, 2, options, err);
}

static void files_of_several_types_are_joined(void **state)
{
    (void)state;
    const double tail[5] = {20, 21, 22, 23, 24};
    const unsigned char head[] = {0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 5, 0, 1, 2, 3, 4};
    const char *paths[3] = {
        file_put("a.idx", head, sizeof head),
        file_text("b.csv", "10,11,12,13,14\n"),
        file_npy("c.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 5)}", tail,
                 sizeof tail),
    };
    imsat_data *data = NULL;
    float row[5];
    assert_int_equal(imsat_data_open(&data, paths, 3, NULL, NULL), IMSAT_OK);
    assert_rows(data, X, 3, 5);
    for (size_t i = 3; i-- > 0;) {
        im_data_row(row, data, i);
        assert_memory_equal(row, X + 5 * i, sizeof row);
    }
    assert_non_null(strstr(imsat_data_describe(data, 0), "idx"));
    assert_non_null(strstr(imsat_data_describe(data, 2), "npy"));
    assert_null(imsat_data_describe(data, 3));
    imsat_data_free(data);
}

static void every_row_of_many_blocks_is_found(void **state)
{
    (void)state;
    const char *paths[7];
    imsat_data *data = NULL;
    size_t n = 0;
    for (size_t b = 0; b < 7; b++) {
        char name[16], text[64] = "";
        snprintf(name, sizeof name, "%zu.csv", b);
        for (size_t i = 0; i < 1 + b % 3; i++, n++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%zu,-%zu\n", n, n);
        paths[b] = file_text(name, text);
    }
    assert_int_equal(imsat_data_open(&data, paths, 7, NULL, NULL), IMSAT_OK);
    assert_int_equal(imsat_data_rows(data), n);
    for (size_t i = 0; i < n; i++) {
        float row[2];
        im_data_row(row, data, i);
        assert_true(row[0] == (float)i && row[1] == -(float)i);
    }
    imsat_data_free(data);
}

static void mismatches_are_refused(void **state)
{
    (void)state;
    imsat_error err = {{0}};
    imsat_data *data = NULL;
    const char *wide = file_text("wide.csv", "1,2,3\n"),
               *thin = file_text("thin.csv", "1,2\n");
    assert_int_equal(open_two(&data, wide, thin, NULL, &err), IMSAT_EMISMATCH);
    assert_message(&err, wide, "of 3");
    assert_message(&err, thin, "rows of 2 values");
    const unsigned char a[] = {0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 4, 1, 2, 3, 4};
    const unsigned char b[] = {0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4};
    const char *flat = file_put("flat.idx", a, sizeof a),
               *square = file_put("sq.idx", b, sizeof b);
    assert_int_equal(open_two(&data, flat, square, NULL, &err), IMSAT_EMISMATCH);
    assert_message(&err, square, "2 x 2 x 1, but");
    assert_null(data);
    assert_int_equal(imsat_data_open(&data, &flat, 0, NULL, &err), IMSAT_EINVAL);
    assert_int_equal(open_two(&data, flat, in_folder("absent.npy"), NULL, &err), IMSAT_EIO);
    assert_null(data);
}

static void options_give_the_image_shape(void **state)
{
    (void)state;
    const char *path = file_text("x.csv", "1,2,3,4,5,6\n");
    imsat_data_options options = {.image = {1, 2, 3}};
    imsat_error err = {{0}};
    imsat_data *data = NULL;
    assert_int_equal(imsat_data_open(&data, &path, 1, &options, NULL), IMSAT_OK);
    assert_int_equal(imsat_data_image(data).channels, 3);
    imsat_data_free(data);
    data = NULL;
    options.image = (imsat_image){2, 2, 1};
    assert_int_equal(imsat_data_open(&data, &path, 1, &options, &err), IMSAT_EMISMATCH);
    assert_message(&err, path, "images of 2 x 2 x 1 do not fit rows of 6 values");
    options.image = (imsat_image){SIZE_MAX / 2 + 4, 2, 1}; /* the product overflows to 6 */
    assert_int_equal(imsat_data_open(&data, &path, 1, &options, NULL), IMSAT_EMISMATCH);
    options.image = (imsat_image){2, 3, 0};
    assert_int_equal(imsat_data_open(&data, &path, 1, &options, NULL), IMSAT_EMISMATCH);
    assert_null(data);
}

/* Rows 0 1 . . 4, . . . . . and . 21 22 . . of X: the same data, however it is held. */
static void sparse_rows_are_rows(void **state)
{
    (void)state;
    static const int64_t indptr[] = {0, 2, 2, 4};
    static const int32_t indices[] = {1, 4, 1, 2};
    static const float values[] = {1, 4, 21, 22};
    static const float filled[] = {0, 1, 0, 0, 4, 0, 0, 0, 0, 0, 0, 21, 22, 0, 0};
    imsat_error err = {{0}};
    imsat_data *data = NULL, *dense = NULL;
    float part[10];
    assert_ok(imsat_data_csr(&data, indptr, indices, values, 3, 5, &err), &err);
    assert_ok(imsat_data_view(&dense, filled, 3, 5, 5, &err), &err);
    assert_rows(data, filled, 3, 5);
    assert_ok(imsat_data_read(data, 1, 2, part, &err), &err);
    assert_memory_equal(part, filled + 5, sizeof part);
    assert_true(im_data_is_sparse(data) && !im_data_is_sparse(dense));
    assert_int_equal(im_data_longest(data), 2);
    assert_int_equal(im_data_sparse_row(data, 2).column[1], 2);
    assert_true(fingerprint_of(data) == fingerprint_of(dense));
    assert_near(im_data_value(data, 2, 2), 22, 0);
    assert_string_equal(imsat_data_describe(data, 0),
                        "float32 (3, 5), sparse, 4 elements, in the caller's memory");
    im_data_prefetch(data, 1);
    im_data_release(data, 0, 3);
    assert_ok(imsat_data_widen(data, 9, &err), &err); /* which says how wide it is */
    assert_int_equal(imsat_data_dim(data), 5);
    assert_refused(imsat_data_widen(data, (size_t)1 << 31, &err), &err, IMSAT_EINVAL,
                   "2147483648 columns");
    imsat_data_free(dense);
    imsat_data_free(data);
    data = NULL;
    assert_refused(imsat_data_csr(&data, indptr, indices, values, 3, 4, &err), &err,
                   IMSAT_EINVAL, "csr: row 0 (from 0) has column 4; it must be from 0 to 3");
    assert_null(data);
}

static void views_are_not_copied(void **state)
{
    (void)state;
    imsat_error err = {{0}};
    imsat_data *data = NULL;
    float x[3 * 5];
    memcpy(x, X, sizeof x);
    assert_int_equal(imsat_data_view(&data, x, 3, 4, 5, &err), IMSAT_OK);
    assert_rows(data, (const float[]){0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}, 3, 4);
    assert_ptr_equal(data->blocks[0].base, x);
    imsat_data_free(data);
    data = NULL;
    assert_int_equal(imsat_data_view(&data, x, 3, 5, 4, &err), IMSAT_EINVAL);
    assert_message(&err, "view", "stride 4 is less than the 5");
    assert_int_equal(imsat_data_view(&data, NULL, 3, 5, 5, &err), IMSAT_EINVAL);
    assert_int_equal(imsat_data_view(&data, x, 0, 5, 5, &err), IMSAT_EINVAL);
    assert_int_equal(imsat_data_view(&data, x, 3, 0, 5, &err), IMSAT_EINVAL);
    assert_int_equal(imsat_data_view(&data, x, SIZE_MAX / 8, 5, 5, &err), IMSAT_EINVAL);
    x[7] = NAN;
    assert_int_equal(imsat_data_view(&data, x, 3, 5, 5, &err), IMSAT_EFORMAT);
    assert_message(&err, "view", "row 1, column 2 (both from 0) is nan");
    assert_null(data);
    imsat_data_free(NULL);
}

static void reading_checks_the_range(void **state)
{
    (void)state;
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    float out[10];
    assert_int_equal(imsat_data_view(&data, X, 3, 5, 5, NULL), IMSAT_OK);
    assert_int_equal(imsat_data_read(data, 1, 2, out, NULL), IMSAT_OK);
    assert_memory_equal(out, X + 5, sizeof out);
    assert_int_equal(imsat_data_read(data, 3, 0, out, NULL), IMSAT_OK);
    assert_int_equal(imsat_data_read(data, 2, 2, out, &err), IMSAT_EINVAL);
    assert_message(&err, "2 from row 2", "the data has 3");
    assert_int_equal(imsat_data_read(data, 1, SIZE_MAX, out, NULL), IMSAT_EINVAL);
    assert_int_equal(imsat_data_read(data, 4, 0, out, NULL), IMSAT_EINVAL);
    imsat_data_free(data);
}

static void values_that_are_no_floats_are_refused(void **state)
{
    (void)state;
    float f4[6] = {1, 2, 3, 4, -INFINITY, NAN};
    double f8[6] = {1, 2, 1e300, 4, 5, 6};
    const uint16_t f2[3] = {0x3c00, 0x3c00, 0x7c00};
    assert_unreadable(
        file_npy("a.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", f4, 24),
        "row 1, column 1 (both from 0) is -inf");
    assert_unreadable(
        file_npy("a.npy", "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", f4, 24),
        "row 0, column 2 (both from 0) is -inf");
    assert_unreadable(
        file_npy("a.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2)}", f8, 48),
        "row 1, column 0 (both from 0) is 1e+300, beyond the range of float");
    assert_unreadable(
        file_npy("a.npy", "{'descr': '<f2', 'fortran_order': False, 'shape': (3,)}", f2, 6),
        "row 2, column 0 (both from 0) is inf");
}

static uint64_t view_fingerprint(const float *x, size_t n, size_t dim)
{
    imsat_data *data = NULL;
    assert_int_equal(imsat_data_view(&data, x, n, dim, dim, NULL), IMSAT_OK);
    const uint64_t fingerprint = fingerprint_of(data);
    imsat_data_free(data);
    return fingerprint;
}

static void the_fingerprint_is_of_values_and_shape(void **state)
{
    (void)state;
    const uint64_t print = view_fingerprint(X, 3, 5);
    float x[15];
    imsat_data *data = NULL;
    assert_int_equal(open_two(&data, file_text("a.csv", "0,1,2,3,4\n"),
                              file_text("b.csv", "10,11,12,13,14\n20,21,22,23,24\n"), NULL,
                              NULL),
                     IMSAT_OK);
    assert_true(fingerprint_of(data) == print);
    imsat_data_free(data);
    const unsigned char columns[15] = {0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23, 4, 14, 24};
    data =
        open_with(file_npy("c.npy", "{'descr': '|u1', 'fortran_order': True, 'shape': (3, 5)}",
                           columns, sizeof columns),
                  NULL);
    assert_true(fingerprint_of(data) == print);
    imsat_data_free(data);

    assert_true(view_fingerprint(X, 5, 3) != print);
    assert_true(view_fingerprint(X, 3, 4) != print);
    memcpy(x, X, sizeof x);
    x[0] = -0.0f;
    assert_true(view_fingerprint(x, 3, 5) == print);
    for (size_t i = 0; i < 15; i++) {
        memcpy(x, X, sizeof x);
        x[i] = nextafterf(x[i], 100);
        assert_true(view_fingerprint(x, 3, 5) != print);
    }
    memcpy(x, X + 5, 5 * sizeof *x); /* rows 0 and 1 the other way round */
    memcpy(x + 5, X, 5 * sizeof *x);
    memcpy(x + 10, X + 10, 5 * sizeof *x);
    assert_true(view_fingerprint(x, 3, 5) != print);
}

/* It is in checkpoints: if it changes, so does their format. 517 is two chunks and five
 * values. */
static void the_fingerprint_stays_what_it_was(void **state)
{
    (void)state;
    enum { ROWS = 3, DIM = 517 };
    float x[ROWS * DIM];
    for (size_t i = 0; i < ROWS * DIM; i++)
        x[i] = (float)(i % 89) * 0.25F - 3;
    assert_true(view_fingerprint(x, ROWS, DIM) == UINT64_C(0xc2d45873481c4c8f));
}

static void the_fingerprint_of_wide_rows(void **state)
{
    (void)state;
    static float x[2 * 521];
    for (size_t i = 0; i < 2 * 521; i++)
        x[i] = (float)(i * i % 97);
    const uint64_t print = view_fingerprint(x, 2, 521);
    assert_true(view_fingerprint(x, 2, 521) == print);
    for (size_t i = 0; i < 2 * 521; i += 65) {
        x[i] += 1;
        assert_true(view_fingerprint(x, 2, 521) != print);
        x[i] -= 1;
    }
}

/* Sparse rows, several chunks wide, have the fingerprint of the same rows with their zeros; so
 * have those of which the zeros of a column are elements. */
static void the_fingerprint_of_sparse_rows(void **state)
{
    (void)state;
    enum { ROWS = 41, DIM = 700 };
    sparse_case made;
    imsat_data *same = NULL;
    sparse_case_make(&made, ROWS, DIM, 30, 3);
    assert_true(fingerprint_of(made.sparse) == fingerprint_of(made.dense));
    const size_t last = (size_t)made.indptr[ROWS] - 1;
    const float kept = made.values[last];
    made.values[last] = 0;
    made.x[(ROWS - 1) * DIM + (size_t)made.indices[last]] = -0.0F;
    assert_int_equal(imsat_data_view(&same, made.x, ROWS, DIM, DIM, NULL), IMSAT_OK);
    assert_true(fingerprint_of(made.sparse) == fingerprint_of(same));
    const uint64_t print = fingerprint_of(same);
    made.values[last] = kept;
    assert_true(fingerprint_of(made.sparse) != print);
    imsat_data_free(same);
    sparse_case_clear(&made);
}

/* Rows of 2^31 columns and few elements: one word at a time this would take minutes. */
static void the_fingerprint_passes_over_zeros(void **state)
{
    (void)state;
    enum { ROWS = 300 };
    int64_t indptr[ROWS + 1];
    int32_t indices[2 * ROWS];
    float values[2 * ROWS];
    imsat_data *data = NULL;
    imsat_error err;
    for (int i = 0; i < ROWS; i++) {
        indptr[i] = 2 * (int64_t)i;
        indices[2 * i] = i;
        indices[2 * i + 1] = INT32_MAX - 1 - i;
        values[2 * i] = values[2 * i + 1] = 1;
    }
    indptr[ROWS] = 2 * (int64_t)ROWS;
    assert_ok(imsat_data_csr(&data, indptr, indices, values, ROWS, INT32_MAX, &err), &err);
    const uint64_t print = fingerprint_of(data);
    indices[2 * ROWS - 1]++; /* the arrays are the data's */
    assert_true(fingerprint_of(data) != print);
    imsat_data_free(data);
}

/* Preprocessing sees what float would round away, so the fingerprint does. */
static void the_fingerprint_sees_what_float_does_not(void **state)
{
    (void)state;
    static const char *const texts[] = {"16777216,0.5\n3,4\n", "16777217,0.5\n3,4\n",
                                        "16777216,0.5\n3.00000000001,4\n"};
    const float x[4] = {16777216, 0.5f, 3, 4};
    const double same[4] = {16777216, 0.5, 3, 4};
    uint64_t print[3];
    for (size_t i = 0; i < 3; i++) {
        imsat_data *data = open_with(file_text("f.csv", texts[i]), NULL);
        assert_rows(data, x, 2, 2);
        print[i] = fingerprint_of(data);
        imsat_data_free(data);
    }
    assert_true(print[0] != print[1] && print[0] != print[2] && print[1] != print[2]);
    assert_true(print[0] == view_fingerprint(x, 2, 2));
    imsat_data *data = open_with(
        file_npy("f.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}", same,
                 sizeof same),
        NULL);
    assert_true(print[0] == fingerprint_of(data));
    imsat_data_free(data);
}

static void labels_are_joined_when_all_files_have_them(void **state)
{
    (void)state;
    const imsat_data_options options = {.label_column = "-1"};
    const float x[2] = {5, 6};
    const int32_t expected[4] = {2, 0, 1, 2};
    imsat_error err = {{0}};
    imsat_data *data = NULL;
    const char *a = file_text("a.csv", "1,2,ox\n3,4,ant\n");
    const char *b = file_text("b.csv", "5,6,bee\n7,8,ox\n");
    const char *c = file_npy(
        "c.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)}", x, sizeof x);
    assert_int_equal(open_two(&data, a, b, &options, NULL), IMSAT_OK);
    assert_memory_equal(imsat_data_labels(data), expected, sizeof expected);
    imsat_data_free(data);
    assert_int_equal(open_two(&data, a, c, &options, NULL), IMSAT_OK);
    assert_null(imsat_data_labels(data));
    imsat_data_free(data);
    data = NULL;
    assert_int_equal(open_two(&data, c, c, &options, &err), IMSAT_EINVAL);
    assert_message(&err, c, "only CSV and TSV");
    assert_null(data);
}

/* A file of each format, with labels in text, each time with one allocation less. */
static imsat_status open_all(void *context, imsat_error *err)
{
    const imsat_data_options options = {.label_column = "0"};
    imsat_data *data = NULL;
    const imsat_status st = imsat_data_open(&data, context, 4, &options, err);
    if (st != IMSAT_OK)
        assert_null(data);
    imsat_data_free(data);
    return st;
}

static void a_stop_of_the_fingerprint_is_heeded(void **state)
{
    (void)state;
    imsat_data *data = NULL;
    imsat_error err;
    uint64_t print = 7;
    assert_int_equal(imsat_data_view(&data, X, 3, 5, 5, NULL), IMSAT_OK);
    assert_stopped(im_data_fingerprint(&print, data, &stopping, &err));
    assert_int_equal(print, 7);
    imsat_data_free(data);
}

static imsat_status view_once(void *context, imsat_error *err)
{
    imsat_data *data = NULL;
    const imsat_status st = imsat_data_view(&data, context, 3, 5, 5, err);
    imsat_data_free(data);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const unsigned char idx[] = {0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1};
    const float x[2] = {5, 6};
    float view[15];
    const char *paths[4] = {
        file_text("a.csv", "1,2,3\n4,5,0.1\n"), file_text("b.csv", "\"a\"\"b\",2,3\nox,5,6\n"),
        file_put("c.idx", idx, sizeof idx),
        file_npy("d.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)}", x,
                 sizeof x)};
    assert_true(fail_each(open_all, paths) > 10);
    paths[2] = paths[0], paths[3] = paths[1]; /* all have labels: they are numbered */
    assert_true(fail_each(open_all, paths) > 10);
    memcpy(view, X, sizeof view);
    assert_int_equal(fail_each(view_once, view), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_several_types_are_joined),
        cmocka_unit_test(every_row_of_many_blocks_is_found),
        cmocka_unit_test(mismatches_are_refused),
        cmocka_unit_test(options_give_the_image_shape),
        cmocka_unit_test(sparse_rows_are_rows),
        cmocka_unit_test(views_are_not_copied),
        cmocka_unit_test(reading_checks_the_range),
        cmocka_unit_test(values_that_are_no_floats_are_refused),
        cmocka_unit_test(the_fingerprint_is_of_values_and_shape),
        cmocka_unit_test(the_fingerprint_stays_what_it_was),
        cmocka_unit_test(the_fingerprint_of_wide_rows),
        cmocka_unit_test(the_fingerprint_of_sparse_rows),
        cmocka_unit_test(the_fingerprint_passes_over_zeros),
        cmocka_unit_test(the_fingerprint_sees_what_float_does_not),
        cmocka_unit_test(labels_are_joined_when_all_files_have_them),
        cmocka_unit_test(a_stop_of_the_fingerprint_is_heeded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
