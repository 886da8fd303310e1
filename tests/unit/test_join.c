/* SPDX-License-Identifier: MIT
 * Results beside the rows that they are of, which are copied as they are written. */
#include "imsat/features.h"
#include "imsat/output.h"

#include "data_files.h"
#include "failing_alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int32_t labels[] = {1, 0, 2, 3};
static const float shares[] = {0.5f, 0.25f, INFINITY, 1};

static const imsat_output_column columns[] = {{"label", IMSAT_NPY_INT32, 0},
                                              {"share", IMSAT_NPY_FLOAT32, 0}};

static imsat_status write_join(const char *out, const char *format, const imsat_data *data,
                               const char *const *paths, size_t npaths, imsat_error *err)
{
    imsat_join *file = NULL;
    const size_t n = imsat_data_rows(data);
    const void *first[] = {labels, shares}, *rest[] = {labels + 1, shares + 1};
    imsat_status st =
        imsat_join_create(&file, out, format, data, paths, npaths, columns, 2, err);
    if (st == IMSAT_OK)
        st = imsat_join_append(file, first, 1, err);
    if (st == IMSAT_OK)
        st = imsat_join_append(file, rest, n - 1, err);
    if (st == IMSAT_OK)
        st = imsat_join_commit(file, err);
    imsat_join_free(file);
    return st;
}

static void assert_joined(const char *out, const char *format, const imsat_data *data,
                          const char *const *paths, size_t npaths, const char *expected)
{
    char text[1024];
    imsat_error err;
    const char *path = in_folder(out);
    assert_ok(write_join(path, format, data, paths, npaths, &err), &err);
    text[read_file(path, text, sizeof text - 1)] = '\0';
    assert_string_equal(text, expected);
}

static imsat_data *open_table(const char *const *paths, size_t npaths, imsat_missing missing)
{
    imsat_data *data = NULL;
    imsat_error err;
    const imsat_table_options table = {
        .size = sizeof table, .missing = missing, .categories = IMSAT_CATEGORIES_DROP};
    assert_ok(imsat_data_open_table(&data, paths, npaths, NULL, &table, &err), &err);
    return data;
}

static void lines_of_tables_are_kept(void **state)
{
    (void)state;
    const char *path =
        file_text("a.csv", "# more\n a ,town, b\n1,\"x, \"\"y\",  2\n\n,z,3\n4,,5\n6,w,7");
    imsat_data *data = open_table(&path, 1, IMSAT_MISSING_DROP);
    const char *expected =
        " a ,town, b,label,share\n1,\"x, \"\"y\",  2,1,0.5\n4,,5,0,0.25\n6,w,7,2,\n";
    assert_joined("j.csv", NULL, data, &path, 1, expected);
    assert_joined("j", NULL, data, &path, 1, expected);
    assert_joined("j.tsv", NULL, data, &path, 1,
                  "a\tb\tlabel\tshare\n1\t2\t1\t0.5\n4\t5\t0\t0.25\n6\t7\t2\t\n");
    assert_joined("j.csv", "jsonl", data, &path, 1,
                  "{\"x\":[1,2],\"label\":1,\"share\":0.5}\n{\"x\":[4,5],\"label\":0,"
                  "\"share\":0.25}\n{\"x\":[6,7],\"label\":2,\"share\":null}\n");
    imsat_data_free(data);
}

/* Rows that lack their label go first, those that lack a value later: others keep their lines.
 */
static void rows_that_lack_something_are_left_out(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = NULL;
    const imsat_data_options options = {.label_column = "c"};
    const imsat_table_options table = {.size = sizeof table, .missing = IMSAT_MISSING_DROP};
    const char *path = file_text("d.csv", "a,c\n1,x\n2,\n,y\n4,x\n5,NA\n6,y\n");
    assert_ok(imsat_data_open_table(&data, &path, 1, &options, &table, &err), &err);
    assert_joined("j.csv", NULL, data, &path, 1,
                  "a,c,label,share\n1,x,1,0.5\n4,x,0,0.25\n6,y,2,\n");
    imsat_data_free(data);
}

/* Carriage returns, decimal commas, tabs, no header, and names that are there already. */
static void other_tables(void **state)
{
    (void)state;
    const char *path = file_text("b.csv", "a;label\r\n1,5;2\r\n3;4,25\r\n");
    imsat_data *data = open_table(&path, 1, IMSAT_MISSING_REFUSE);
    assert_joined("j.csv", NULL, data, &path, 1,
                  "a;label;imsat_label;imsat_share\r\n1,5;2;1;0,5\r\n3;4,25;0;0,25\r\n");
    imsat_data_free(data);
    path = file_text("c.tsv", "1\t2\n3\t4\n");
    data = open_table(&path, 1, IMSAT_MISSING_REFUSE);
    assert_joined("j.tsv", NULL, data, &path, 1, "1\t2\t1\t0.5\n3\t4\t0\t0.25\n");
    imsat_data_free(data);
}

static void several_files(void **state)
{
    (void)state;
    imsat_error err;
    char one[512], two[512], other[512];
    snprintf(one, sizeof one, "%s", file_text("one.csv", "a,b\n1,2\n3,4\n"));
    snprintf(two, sizeof two, "%s", file_text("two.csv", "a,b\n5,6\n"));
    snprintf(other, sizeof other, "%s", file_text("other.csv", "b,a\n6,5\n"));
    const char *paths[] = {one, two, two}, *mixed[] = {one, other};
    imsat_data *data = open_table(paths, 3, IMSAT_MISSING_REFUSE);
    assert_joined("j.csv", NULL, data, paths, 3,
                  "a,b,label,share\n1,2,1,0.5\n3,4,0,0.25\n5,6,2,\n5,6,3,1\n");
    imsat_data_free(data);
    data = open_table(mixed, 2, IMSAT_MISSING_REFUSE);
    assert_refused(write_join(in_folder("m.csv"), NULL, data, mixed, 2, &err), &err,
                   IMSAT_EMISMATCH, "its header is not that of");
    imsat_data_free(data);
}

static imsat_data *open_texts(const char *path)
{
    imsat_data *data = NULL;
    imsat_error err;
    assert_ok(imsat_texts_open(&data, &path, 1, NULL, &err), &err);
    return data;
}

static void texts(void **state)
{
    (void)state;
    const char *path = file_text("t.jsonl", "\xef\xbb\xbf{\"text\":\"red cars\"}\n\n"
                                            "{\"text\":\"the\"}\r\n"
                                            "{\"text\":\"red roads\",\"share\":{}} \n");
    imsat_data *data = open_texts(path);
    assert_joined("j.jsonl", NULL, data, &path, 1,
                  "{\"text\":\"red cars\",\"imsat_label\":1,\"imsat_share\":0.5}\n"
                  "{\"text\":\"red roads\",\"share\":{},\"imsat_label\":0,"
                  "\"imsat_share\":0.25} \n");
    imsat_data_free(data);
    path = file_text("t.csv", "id,text\n1,\"red\n\"\"cars\"\"\"\n2,roads of cars\n");
    data = open_texts(path);
    assert_joined("j.csv", NULL, data, &path, 1,
                  "id,text,label,share\n1,\"red\n\"\"cars\"\"\",1,0.5\n2,roads of cars,0,"
                  "0.25\n");
    imsat_data_free(data);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    imsat_join *file = NULL;
    const void *values[] = {labels, shares};
    const imsat_output_column list = {"x", IMSAT_NPY_INT32, 2};
    const char *path = file_text("r.csv", "1,2\n3,4\n");
    imsat_data *data = open_table(&path, 1, IMSAT_MISSING_REFUSE);
    assert_refused(write_join(in_folder("r.npy"), NULL, data, &path, 1, &err), &err,
                   IMSAT_EINVAL, "are .csv, .tsv or .jsonl, not npy");
    assert_refused(
        imsat_join_create(&file, in_folder("x.csv"), NULL, data, &path, 1, &list, 1, &err),
        &err, IMSAT_EINVAL, "column 'x' is a list");
    const size_t before = folder_count();
    assert_ok(
        imsat_join_create(&file, in_folder("x.csv"), NULL, data, &path, 1, columns, 2, &err),
        &err);
    assert_refused(imsat_join_append(file, values, 3, &err), &err, IMSAT_EINVAL,
                   "1 rows more than the data has");
    assert_ok(imsat_join_append(file, values, 1, &err), &err);
    assert_refused(imsat_join_commit(file, &err), &err, IMSAT_EINVAL, "1 rows are missing");
    imsat_join_free(file);
    imsat_join_free(NULL);
    assert_int_equal(folder_count(), before);
    /* The file has become another one meanwhile. */
    file_text("r.csv", "1,2\n");
    assert_refused(write_join(in_folder("x.csv"), NULL, data, &path, 1, &err), &err, IMSAT_EIO,
                   "it was changed meanwhile");
    imsat_data_free(data);
}

typedef struct attempted {
    const imsat_data *data;
    const char *path;
} attempted;

static imsat_status attempt(void *context, imsat_error *err)
{
    const attempted *a = context;
    return write_join(in_folder("f.csv"), NULL, a->data, &a->path, 1, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", file_text("m.csv", "a,b\n1,2\n,4\n"));
    const char *one = path;
    imsat_data *table = open_table(&one, 1, IMSAT_MISSING_DROP);
    attempted a = {table, path};
    assert_true(fail_each(attempt, &a) >= 5);
    imsat_data *view = NULL;
    const float x[2] = {1, 2};
    imsat_error err;
    assert_ok(imsat_data_view(&view, x, 2, 1, 1, &err), &err);
    a.data = view;
    assert_true(fail_each(attempt, &a) >= 5);
    imsat_data_free(view);
    imsat_data_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_tables_are_kept),
        cmocka_unit_test(rows_that_lack_something_are_left_out),
        cmocka_unit_test(other_tables),
        cmocka_unit_test(several_files),
        cmocka_unit_test(texts),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
