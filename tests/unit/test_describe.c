/* SPDX-License-Identifier: MIT
 * What data is like: statistics of all values and of columns, labels, what is inside. */
#include "imsat/describe.h"

#include "data_files.h"
#include "failing_alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 4, DIM = 3 };

static imsat_description *describe(const char *path, const char *label_column)
{
    imsat_description *got = NULL;
    imsat_error err;
    const imsat_data_options options = {.label_column = label_column};
    assert_ok(imsat_describe_files(&got, &path, 1, &options, NULL, 1, &err), &err);
    return got;
}

static void assert_values(const imsat_values *got, imsat_values wanted)
{
    assert_int_equal(got->count, wanted.count);
    assert_int_equal(got->zeros, wanted.zeros);
    assert_int_equal(got->missing, wanted.missing);
    assert_int_equal(got->infinite, wanted.infinite);
    assert_true(got->min == wanted.min);
    assert_true(got->max == wanted.max);
    assert_true(fabs(got->mean - wanted.mean) < 1e-12);
    assert_true(fabs(got->deviation - wanted.deviation) < 1e-12);
}

static void columns_and_labels(void **state)
{
    (void)state;
    imsat_description *got = describe(
        file_text("a.csv", "a,b,,class\n1,0,5,7\n2,0,5,-1\n3,0,5,7\n6,4,5,7\n"), "class");
    assert_int_equal(got->rows, ROWS);
    assert_int_equal(got->dim, DIM);
    assert_values(&got->values, (imsat_values){12, 3, 0, 0, 0, 6, 3, sqrt(58.0 / 12)});
    assert_values(&got->columns[0], (imsat_values){4, 0, 0, 0, 1, 6, 3, sqrt(3.5)});
    assert_values(&got->columns[1], (imsat_values){4, 3, 0, 0, 0, 4, 1, sqrt(3)});
    assert_values(&got->columns[2], (imsat_values){4, 0, 0, 0, 5, 5, 5, 0});
    assert_string_equal(got->names[1], "b");
    assert_null(got->names[2]);
    assert_int_equal(got->classes, 2);
    assert_int_equal(got->labels[0], -1);
    assert_int_equal(got->label_counts[0], 1);
    assert_int_equal(got->labels[1], 7);
    assert_int_equal(got->label_counts[1], 3);
    assert_non_null(strstr(got->format, "csv"));
    imsat_description_free(got);
}

/* Sparse rows have the numbers of the same rows with their zeros. */
static void sparse_rows_are_the_same(void **state)
{
    (void)state;
    imsat_description *sparse =
        describe(file_text("s.svm", "0 1:-2 3:5\n0\n0 3:1\n0 1:4 2:0 3:8\n"), NULL);
    imsat_description *dense =
        describe(file_text("d.csv", "-2,0,5\n0,0,0\n0,0,1\n4,0,8\n"), NULL);
    assert_int_equal(sparse->dim, DIM);
    assert_values(&sparse->values, dense->values);
    for (size_t j = 0; j < DIM; j++)
        assert_values(&sparse->columns[j], dense->columns[j]);
    assert_int_equal(sparse->values.zeros, 7);
    assert_null(sparse->names);
    assert_int_equal(sparse->classes, 1);
    imsat_description_free(sparse);
    imsat_description_free(dense);
}

/* A deviation that is small beside the values. */
static void digits_are_kept(void **state)
{
    (void)state;
    imsat_description *got =
        describe(file_text("far.csv", "1600000000001\n1600000000002\n1600000000003\n"), NULL);
    assert_true(got->values.mean == 1600000000002);
    assert_true(fabs(got->values.deviation - sqrt(2.0 / 3)) < 1e-12);
    imsat_description_free(got);
}

/* What opening refuses is counted. */
static void what_is_not_finite_is_counted(void **state)
{
    (void)state;
    const float x[6] = {1, NAN, 0, INFINITY, 3, -INFINITY};
    imsat_description *got = describe(
        file_npy("n.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }", x,
                 sizeof x),
        NULL);
    assert_values(&got->values, (imsat_values){6, 1, 1, 2, 0, 3, 4.0 / 3, sqrt(14.0) / 3});
    assert_int_equal(got->columns[1].missing, 1);
    assert_int_equal(got->columns[1].infinite, 2);
    assert_true(isnan(got->columns[1].mean) && isnan(got->columns[1].min));
    imsat_description_free(got);
    got = describe(file_text("t.csv", "a,town,b\n1,Rome,NA\n,Oslo,1e300\n3,,inf\n"), NULL);
    assert_int_equal(got->dim, 2);
    assert_string_equal(got->names[1], "b");
    assert_int_equal(got->columns[0].missing, 1);
    assert_true(got->columns[0].mean == 2);
    assert_int_equal(got->columns[1].missing, 1);
    assert_int_equal(got->columns[1].infinite, 1);
    assert_true(got->columns[1].max == 1e300);
    assert_int_equal(got->nnotes, 1);
    assert_non_null(strstr(got->notes[0], "'town'"));
    imsat_description_free(got);
}

/* What the caller says about tables is done. */
static void options_hold(void **state)
{
    (void)state;
    imsat_error err;
    imsat_description *got = NULL;
    const char *path = file_text("o.csv", "a,town\n1,Rome\n,Oslo\n3,Rome\n");
    const imsat_table_options table = {.size = sizeof table,
                                       .missing = IMSAT_MISSING_MEAN,
                                       .categories = IMSAT_CATEGORIES_ONE_HOT};
    assert_ok(imsat_describe_files(&got, &path, 1, NULL, &table, 0, &err), &err);
    assert_int_equal(got->dim, 3);
    assert_int_equal(got->values.missing, 0);
    assert_null(got->columns);
    imsat_description_free(got);
    path = file_text("o.csv", "1,2\n3\n");
    assert_refused(imsat_describe_files(&got, &path, 1, NULL, NULL, 0, &err), &err,
                   IMSAT_EFORMAT, "line 2");
}

static void arrays_are_listed(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        size_t count;
        const char *name, *what; /* of the second */
    } files[] = {{"several.npz", 3, "bytes", "uint8 (7, 3)"},
                 {"several.safetensors", 4, "brain", "bfloat16 (7, 3)"},
                 {"stored.npz", 0, NULL, NULL},
                 {"csr.npz", 0, NULL, NULL},
                 {"x.fvecs", 0, NULL, NULL}};
    imsat_error err;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        imsat_inside *list = NULL;
        size_t count = 77;
        char path[512];
        snprintf(path, sizeof path, "%s/tests/data/%s", IMSAT_SOURCE, files[i].file);
        assert_ok(imsat_inside_list(&list, &count, path, &err), &err);
        assert_int_equal(count, files[i].count);
        if (count) {
            assert_string_equal(list[1].name, files[i].name);
            assert_string_equal(list[1].what, files[i].what);
        }
        imsat_free(list);
    }
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_description *got = NULL;
    const char *path = context;
    const imsat_data_options options = {.label_column = "c"};
    const imsat_status st = imsat_describe_files(&got, &path, 1, &options, NULL, 1, err);
    imsat_description_free(got);
    return st;
}

static imsat_status list(void *context, imsat_error *err)
{
    imsat_inside *items = NULL;
    size_t count;
    const imsat_status st = imsat_inside_list(&items, &count, context, err);
    imsat_free(items);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[512], archive[] = IMSAT_SOURCE "/tests/data/several.npz";
    snprintf(path, sizeof path, "%s", file_text("m.csv", "a,t,c\n1,x,0\n,y,1\n"));
    assert_true(fail_each(attempt, path) >= 8);
    assert_true(fail_each(list, archive) >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_and_labels),
        cmocka_unit_test(sparse_rows_are_the_same),
        cmocka_unit_test(digits_are_kept),
        cmocka_unit_test(what_is_not_finite_is_counted),
        cmocka_unit_test(options_hold),
        cmocka_unit_test(arrays_are_listed),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
