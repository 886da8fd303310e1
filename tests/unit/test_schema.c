/* SPDX-License-Identifier: MIT
 * Which columns of tables are data: chosen, dropped, an index, and in other files. */
#include "data/schema.h"
#include "data_files.h"
#include "failing_alloc.h"

#include <stdio.h>
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
    imsat_data *numbered = open_with(file_text("i.csv", ",0,1\n0,5,7\n1,6,8\n"), NULL);
    assert_rows(numbered, (const float[]){5, 7, 6, 8}, 2, 2);
    assert_names(numbered, (const char *const[]){"0", "1", NULL});
    imsat_data_free(numbered);
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

static imsat_data *open_as(const char *path, const char *label, imsat_missing missing,
                           imsat_categories categories)
{
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    const imsat_table_options table = {.missing = missing, .categories = categories};
    assert_ok(open_tables(&data, &path, 1, label, table, &err), &err);
    return data;
}

static void missing_values_are_filled_in(void **state)
{
    (void)state;
    const char *path = file_text("m.csv", "a,b,kind\n1,5,0\nNA,5,1\n2,?,1\n6,8,1\n,5,NaN\n");
    const float kept[4] = {1, 5, 6, 8};
    const float mean[10] = {1, 5, 3, 5, 2, 5.75f, 6, 8, 3, 5};
    const float median[10] = {1, 5, 2, 5, 2, 5, 6, 8, 2, 5};
    const int32_t labels[2] = {0, 1};
    imsat_data *data = open_as(path, "kind", IMSAT_MISSING_DROP, 0);
    assert_rows(data, kept, 2, 2);
    assert_memory_equal(imsat_data_labels(data), labels, sizeof labels);
    assert_non_null(strstr(imsat_data_note(data, 0), "1 of 5 rows lack their label"));
    assert_non_null(strstr(imsat_data_note(data, 1), "2 of 4 rows lack values"));
    imsat_data_free(data);
    path = file_text("m.csv", "a,b\n1,5\nNA,5\n2,?\n6,8\n,5\n");
    data = open_as(path, NULL, IMSAT_MISSING_MEAN, 0);
    assert_rows(data, mean, 5, 2);
    assert_null(imsat_data_note(data, 0));
    imsat_data_free(data);
    data = open_as(path, NULL, IMSAT_MISSING_MEDIAN, 0);
    assert_rows(data, median, 5, 2);
    assert_names(data, (const char *const[]){"a", "b", NULL});
    imsat_data_free(data);
}

/* What a column of text lacks does not count where such columns are left out, also before its
 * first word; and labels of rows that are left out are as if they were not there. */
static void rows_are_left_out_when_columns_are_known(void **state)
{
    (void)state;
    const char *const paths[] = {
        file_text("m.csv", "note,a,kind\n,1,10\nword,2,9\nword,,text\n"),
        file_text("n.csv", "a,note,kind\n3,NA,9\nNA,word,1\n4,word,11\n")};
    const float kept[4] = {1, 2, 3, 4};
    const int32_t labels[4] = {10, 9, 9, 11};
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    const imsat_table_options table = {.missing = IMSAT_MISSING_DROP,
                                       .categories = IMSAT_CATEGORIES_DROP};
    assert_ok(open_tables(&data, paths, 2, "kind", table, &err), &err);
    assert_rows(data, kept, 4, 1);
    assert_memory_equal(imsat_data_labels(data), labels, sizeof labels);
    imsat_data_free(data);
    data = NULL;
    const char *empty = file_text("e.csv", "a,kind\n1,\n2,?\n");
    assert_refused(open_tables(&data, &empty, 1, "kind", table, &err), &err, IMSAT_EFORMAT,
                   "leaves none of the 2 rows, which all lack their label");
}

static void words_become_columns(void **state)
{
    (void)state;
    const char *path = file_text("w.csv", "city,x,note\nRome,1,p\nBern,2,7\n\"Rome\",3,\n");
    const float all[15] = {0, 1, 1, 0, 1, 1, 0, 2, 1, 0, 0, 1, 3, 0, 0};
    const float numbers[3] = {1, 2, 3};
    imsat_data *data = open_as(path, NULL, IMSAT_MISSING_MEAN, IMSAT_CATEGORIES_ONE_HOT);
    assert_rows(data, all, 3, 5);
    assert_names(
        data, (const char *const[]){"city=Bern", "city=Rome", "x", "note=7", "note=p", NULL});
    imsat_data_free(data);
    data = open_as(path, NULL, 0, IMSAT_CATEGORIES_DROP);
    assert_rows(data, numbers, 3, 1);
    assert_names(data, (const char *const[]){"x", NULL});
    assert_non_null(strstr(imsat_data_note(data, 0), "left out: 0 'city', 2 'note'"));
    imsat_data_free(data);
}

static void a_word_for_each_row_is_noted(void **state)
{
    (void)state;
    const char *path = file_text("w.csv", "who,city,x\nann,Rome,1\nbob,Bern,2\ncy,Rome,3\n");
    imsat_data *data = open_as(path, NULL, 0, IMSAT_CATEGORIES_ONE_HOT);
    assert_int_equal(imsat_data_dim(data), 6);
    assert_non_null(strstr(imsat_data_note(data, 0),
                           "column 0 'who' (from 0, the label's aside) has another word in "
                           "each of the 3 rows"));
    assert_null(imsat_data_note(data, 1));
    imsat_data_free(data);
}

/* Words of several files are one list, whichever has them. */
static void words_of_several_files(void **state)
{
    (void)state;
    const float all[6] = {0, 1, 0, 1, 1, 0};
    const char *const paths[] = {file_text("a.csv", "c\nb\n"),
                                 file_text("b.csv", "c\nb\na\n")};
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    const imsat_table_options table = {.categories = IMSAT_CATEGORIES_ONE_HOT};
    assert_ok(open_tables(&data, paths, 2, NULL, table, &err), &err);
    assert_rows(data, all, 3, 2);
    imsat_data_free(data);
}

static void kinds_are_known_by_themselves(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        float expected[4];
    } cases[] = {
        {"1970-01-02,True\n1970-01-04T12:00:00Z,False\n", {1, 1, 3.5f, 0}},
        {"day,ok\n1970-01-02,yes\n1970-01-04 12:00,no\n", {1, 1, 3.5f, 0}},
        {"1,5;2\n-0,25;3,125\n", {1.5f, 2, -0.25f, 3.125f}},
        {"a;b\n1,5;2\n-0,25;3,125\n", {1.5f, 2, -0.25f, 3.125f}},
        {"1,5\t2\n-0,25\t3\n", {1.5f, 2, -0.25f, 3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_data *data = open_with(file_text("k.csv", cases[i].text), NULL);
        assert_rows(data, cases[i].expected, 2, 2);
        imsat_data_free(data);
    }
    /* Words in the first line are data if there are words below them and values beside. */
    const float spread[6] = {1, 0, 1, 2, 1, 0};
    imsat_data *data =
        open_as(file_text("k.csv", "1,red\n2,blue\n"), NULL, 0, IMSAT_CATEGORIES_ONE_HOT);
    assert_rows(data, spread, 2, 3);
    assert_null(imsat_data_column_name(data, 0));
    imsat_data_free(data);
}

static void cells_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        imsat_table_options table;
        const char *part;
    } cases[] = {
        {"a,b\n1,NA\n", {0}, "row 0, column 1 'b' (both from 0; line 2) is NA: a missing"},
        {"a,b\n1,NA\n", {.missing = IMSAT_MISSING_DROP}, "leaves none of the 1 rows"},
        {"a,b\n1,NA\n", {.missing = IMSAT_MISSING_MEAN}, "column 1 'b'"},
        {"a,b\n1,ox\n", {0}, "'ox' is not a number; --categories one-hot makes"},
        {"a,b\n1,2\n1,ox\n",
         {.categories = IMSAT_CATEGORIES_ONE_HOT},
         "'ox' is not a number, as the values above it are; --drop 1"},
        {"a,b\n1,yes\n1,2\n", {0}, "'2' is not true or false, as"},
        {"a,b\n1,2024-01-31\n1,2\n", {0}, "'2' is not a date, as"},
        {"a,b\nu,v\n", {.categories = IMSAT_CATEGORIES_DROP}, "no columns but those of text"},
        {"a;b\n1,5;2\n3;4.5\n", {0}, "numbers with a point and numbers with a comma"},
        {"a,b,c\n,u,1\n2,NA,3\n",
         {0},
         "line 2, column 1 'b' (from 0): 'u' is not a number; "
         "--categories one-hot makes a column of 0 and 1 of each word, --categories drop "
         "leaves "
         "out columns of text, and --drop 1 this one; and row 0, column 0 'a' (both from 0; "
         "line 2) is empty: a missing value; --missing drop"},
        {"a,b\nu,1\nNA,2\n", {0}, "this one; and row 1, column 0 'a' (both from 0; line 3)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = file_text("c.csv", cases[i].text);
        imsat_data *data = NULL;
        imsat_error err = {{0}};
        assert_refused(open_tables(&data, &path, 1, NULL, cases[i].table, &err), &err,
                       IMSAT_EFORMAT, cases[i].part);
    }
}

static void names_are_no_categories(void **state)
{
    (void)state;
    char text[16 * 1002] = "who\n";
    size_t used = strlen(text);
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    const imsat_table_options table = {.categories = IMSAT_CATEGORIES_ONE_HOT};
    for (size_t i = 0; i <= IM_CATEGORIES_MOST; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "n%zu\n", i);
    const char *path = file_text("n.csv", text);
    assert_refused(open_tables(&data, &path, 1, NULL, table, &err), &err, IMSAT_EFORMAT,
                   "line 1002, column 0 'who' (from 0): the column has more than 1000");
}

static imsat_status open_whole(void *context, imsat_error *err)
{
    imsat_data *data = NULL;
    const imsat_status st =
        open_tables(&data, context, 2, "kind",
                    (imsat_table_options){.missing = IMSAT_MISSING_DROP,
                                          .categories = IMSAT_CATEGORIES_DROP},
                    err);
    imsat_data_free(data);
    return st;
}

static imsat_status open_both(void *context, imsat_error *err)
{
    imsat_data *data = NULL;
    const imsat_status st =
        open_tables(&data, context, 2, "kind",
                    (imsat_table_options){.drop = "more",
                                          .missing = IMSAT_MISSING_MEDIAN,
                                          .categories = IMSAT_CATEGORIES_ONE_HOT},
                    err);
    imsat_data_free(data);
    return st;
}

static void memory_that_is_not_there(void **state)
{
    (void)state;
    const char *paths[] = {file_text("a.csv", ",p,kind,more,w\n0,1,u,2,y\n1,,v,4,z\n"),
                           file_text("b.csv", "q,more,p,kind,w\n6,9,5,2,y\n")};
    assert_true(fail_each(open_both, paths) > 10);
    const char *whole[] = {file_text("a.csv", "p,kind,w\n1,u,\n,v,y\n2,u,y\n"),
                           file_text("b.csv", "p,kind,w\n5,u,y\n,u,y\n")};
    assert_true(fail_each(open_whole, whole) > 10);
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
        cmocka_unit_test(missing_values_are_filled_in),
        cmocka_unit_test(rows_are_left_out_when_columns_are_known),
        cmocka_unit_test(words_become_columns),
        cmocka_unit_test(a_word_for_each_row_is_noted),
        cmocka_unit_test(words_of_several_files),
        cmocka_unit_test(kinds_are_known_by_themselves),
        cmocka_unit_test(cells_that_cannot_be_are_refused),
        cmocka_unit_test(names_are_no_categories),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
