/* SPDX-License-Identifier: MIT
 * Which columns of tables are data: chosen, dropped, an index, and in other files. */
#include "data/schema.h"
#include "data_files.h"
#include "failing_alloc.h"

#include <string.h>

static imsat_status open_tables(imsat_data **out, const char *const *paths, size_t n,
                                const char *label, imsat_table_options table, imsat_error *err)
{
    const imsat_data_options options = {.label_column = label};
    table.size = sizeof table;
    return imsat_data_open_table(out, paths, n, &options, &table, err);
}

static imsat_data *open_chosen(const char *path, const char *label, const char *columns,
                               const char *drop)
{
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    assert_ok(open_tables(&data, &path, 1, label,
                          (imsat_table_options){.columns = columns, .drop = drop}, &err),
              &err);
    return data;
}

static void assert_names(const imsat_data *data, const char *const *names)
{
    size_t i = 0;
    for (; names[i]; i++)
        assert_string_equal(imsat_data_column_name(data, i), names[i]);
    assert_int_equal(imsat_data_dim(data), i);
    assert_null(imsat_data_column_name(data, i));
}

static void columns_are_chosen_and_dropped(void **state)
{
    (void)state;
    const char *path = file_text("t.csv", "a,kind,b,c\n1,7,word,3\n4,9,other,-6\n");
    const float ac[4] = {1, 3, 4, -6}, c[2] = {3, -6};
    const int32_t labels[2] = {7, 9};
    imsat_data *data = open_chosen(path, "kind", NULL, "b");
    assert_rows(data, ac, 2, 2);
    assert_names(data, (const char *const[]){"a", "c", NULL});
    assert_memory_equal(imsat_data_labels(data), labels, sizeof labels);
    assert_null(imsat_data_note(data, 0));
    imsat_data_free(data);
    data = open_chosen(path, NULL, "-1,a", NULL);
    assert_rows(data, ac, 2, 2);
    assert_null(imsat_data_labels(data));
    imsat_data_free(data);
    data = open_chosen(path, "1", "1-", "2");
    assert_rows(data, c, 2, 1);
    assert_names(data, (const char *const[]){"c", NULL});
    imsat_data_free(data);
}

/* A name that is there makes the first line a header, whatever it looks like. */
static void numbers_may_be_names(void **state)
{
    (void)state;
    const char *path = file_text("t.csv", "1,2,3\n4,5.5,-6\n");
    const float all[4] = {2, 3, 5.5f, -6}, rest[1] = {5.5f};
    imsat_data *data = open_chosen(path, NULL, "1-2", NULL);
    assert_rows(data, all, 2, 2);
    assert_null(imsat_data_column_name(data, 0));
    imsat_data_free(data);
    data = open_chosen(path, NULL, "\"2\"", NULL);
    assert_rows(data, rest, 1, 1);
    assert_string_equal(imsat_data_column_name(data, 0), "2");
    imsat_data_free(data);
}

static void an_index_is_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool index;
    } cases[] = {
        {",x\n0,5\n1,6\n", true},   {",x\n1,5\n2,6\n", true},  {"index,x\n0,5\n1,6\n", true},
        {"ID,x\n1,5\n2,6\n", true}, {",x\n0,5\n2,6\n", false}, {",x\n2,5\n3,6\n", false},
        {"a,x\n0,5\n1,6\n", false}, {"0,5\n1,6\n", false},     {",x\n0.5,5\n1.5,6\n", false},
    };
    const float x[2] = {5, 6};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_data *data = open_with(file_text("i.csv", cases[i].text), NULL);
        const char *note = imsat_data_note(data, 0);
        assert_int_equal(imsat_data_dim(data), cases[i].index ? 1 : 2);
        assert_int_equal(note != NULL, cases[i].index);
        if (cases[i].index) {
            assert_rows(data, x, 2, 1);
            assert_names(data, (const char *const[]){"x", NULL});
            assert_non_null(strstr(note, "only numbers the rows"));
            assert_null(imsat_data_note(data, 1));
        }
        imsat_data_free(data);
    }
    const char *path = file_text("i.csv", ",x,y\n0,0.1,5\n1,0.2,6\n");
    const float wide[4] = {0.1f, 5, 0.2f, 6};
    imsat_data *data = open_with(path, NULL);
    assert_rows(data, wide, 2, 2);
    imsat_data_free(data);
    data = open_chosen(path, NULL, "0-1", NULL);
    assert_int_equal(imsat_data_dim(data), 2);
    assert_null(imsat_data_note(data, 0));
    imsat_data_free(data);
    data = open_with(file_text("i.csv", "index,kind\n0,5\n1,6\n"), "kind");
    assert_int_equal(imsat_data_dim(data), 1); /* it is all that there is */
    imsat_data_free(data);
}

static void columns_of_other_files_are_found(void **state)
{
    (void)state;
    const float x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const char *const paths[] = {file_text("a.csv", ",p,q\n0,1,2\n1,3,4\n"),
                                 file_text("b.csv", "q,more,p,\n6,9,5,2\n"),
                                 file_text("c.csv", "7,8\n")};
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    assert_ok(imsat_data_open(&data, paths, 3, NULL, &err), &err);
    assert_rows(data, x, 4, 2);
    assert_non_null(strstr(imsat_data_note(data, 1), "b.csv: ignored, since "));
    assert_non_null(strstr(imsat_data_note(data, 1), "has no such column: 'more'"));
    assert_null(imsat_data_note(data, 2));
    imsat_data_free(data);
    const char *const other[] = {paths[0], file_text("b.csv", "q,r\n6,5\n")};
    assert_refused(imsat_data_open(&data, other, 2, NULL, &err), &err, IMSAT_EMISMATCH,
                   "a.csv has: 'p'; its columns are q, r");
    const char *const wide[] = {paths[0], file_text("b.csv", "6,5,4,3\n")};
    assert_refused(imsat_data_open(&data, wide, 2, NULL, &err), &err, IMSAT_EMISMATCH,
                   "b.csv has rows of 4 values, but ");
}

/* Names that come twice tell nothing: then places do. */
static void twins_are_found_by_their_places(void **state)
{
    (void)state;
    const float x[4] = {1, 2, 3, 4};
    const char *const paths[] = {file_text("a.csv", "p,p,k\n1,2,0\n"),
                                 file_text("b.csv", "p,p,k\n3,4,1\n")};
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    assert_ok(open_tables(&data, paths, 2, "k", (imsat_table_options){0}, &err), &err);
    assert_rows(data, x, 2, 2);
    imsat_data_free(data);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const float x[2] = {1, 2};
    const char *path = file_text("t.csv", "a,b\n1,2\n");
    const char *npy = file_npy(
        "x.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)}", x, sizeof x);
    const imsat_table_options wrong_size = {.size = 3};
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    assert_refused(
        open_tables(&data, &path, 1, NULL, (imsat_table_options){.drop = "a,b"}, &err), &err,
        IMSAT_EINVAL, "--columns and --drop leave none of the 2 columns");
    assert_refused(
        open_tables(&data, &path, 1, NULL, (imsat_table_options){.columns = "c"}, &err), &err,
        IMSAT_EINVAL, "--columns: no column 'c'; the columns are a, b");
    assert_refused(open_tables(&data, &npy, 1, NULL, (imsat_table_options){.drop = "0"}, &err),
                   &err, IMSAT_EINVAL, "--drop is for the columns of CSV and TSV files");
    assert_refused(imsat_data_open_table(&data, &path, 1, NULL, &wrong_size, &err), &err,
                   IMSAT_EINVAL, "size 3");
    assert_null(data);
}

static imsat_status open_both(void *context, imsat_error *err)
{
    imsat_data *data = NULL;
    const imsat_status st =
        open_tables(&data, context, 2, "kind", (imsat_table_options){.drop = "more"}, err);
    imsat_data_free(data);
    return st;
}

static void memory_that_is_not_there(void **state)
{
    (void)state;
    const char *paths[] = {file_text("a.csv", ",p,kind,more\n0,1,u,2\n1,3,v,4\n"),
                           file_text("b.csv", "q,more,p,kind\n6,9,5,2\n")};
    assert_true(fail_each(open_both, paths) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_chosen_and_dropped),
        cmocka_unit_test(numbers_may_be_names),
        cmocka_unit_test(an_index_is_left_out),
        cmocka_unit_test(columns_of_other_files_are_found),
        cmocka_unit_test(twins_are_found_by_their_places),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
