/* SPDX-License-Identifier: MIT
 * Lines of JSON: the lines of a table that they become, and the data that is read from them.
 */
#include "data/json_rows.h"

#include "data_files.h"
#include "failing_alloc.h"
#include "imsat/search.h"

#include <stdio.h>
#include <string.h>

/* What lines become, or the refusal of one. */
static imsat_status make_table(im_json_rows *rows, const char *lines, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (const char *at = lines, *end; *at && st == IMSAT_OK; at = end + (*end == '\n')) {
        end = at + strcspn(at, "\n");
        st = im_json_rows_add(rows, (im_span){at, (size_t)(end - at)}, "a.jsonl", err);
    }
    return st;
}

static void assert_table(const char *lines, const char *expected)
{
    im_json_rows rows = {0};
    imsat_error err;
    assert_ok(make_table(&rows, lines, &err), &err);
    assert_int_equal(rows.used, strlen(expected));
    assert_memory_equal(rows.text, expected, rows.used);
    im_json_rows_clear(&rows);
}

static void lines_become_lines_of_a_table(void **state)
{
    (void)state;
    assert_table("[1,-2.5e3, 0]\n[ 4 ,[5,[6]]]", "1,-2.5e3,0\n4,5,6\n");
    assert_table("{\"a\":1,\"b\":true}\n\n {\"b\" : false , \"a\":2} ",
                 "\"a\",\"b\"\n1,true\n\n2,false\n");
    assert_table("{\"a\":1,\"p\":[0.5,null],\"z\":\"w\"}\n{\"p\":[1,2]}\n{\"p\":null,\"a\":3}",
                 "\"a\",\"p0\",\"p1\",\"z\"\n1,0.5,\"\",\"w\"\n\"\",1,2,\"\"\n"
                 "3,\"\",\"\",\"\"\n");
    assert_table("{\"c,\\\"d\\\"\":\"x, \\\"y\\\"\\/\\\\\"}",
                 "\"c,\"\"d\"\"\"\n\"x, \"\"y\"\"/\\\"\n");
    assert_table("[\"\\u00e9\\ud83d\\ude00\\n\\u0000\\t\"]",
                 "\"\xc3\xa9\xf0\x9f\x98\x80\\n\\u0000\\t\"\n");
    assert_table("{\"o\":{\"k\":[\"v\"]},\"n\":NaN,\"i\":-Infinity}",
                 "\"o\",\"n\",\"i\"\n\"{\"\"k\"\":[\"\"v\"\"]}\",NaN,-Infinity\n");
}

static void assert_line_refused(const char *lines, const char *why)
{
    im_json_rows rows = {0};
    imsat_error err;
    assert_refused(make_table(&rows, lines, &err), &err, IMSAT_EFORMAT, why);
    im_json_rows_clear(&rows);
}

static void what_is_no_row_is_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{\"a\":1}\n{\"a\":2 \"b\":3}",
         "a.jsonl: line 2 is not JSON: column 8: a comma or the end is needed"},
        {"[1,]", "column 4: no value that JSON has"},
        {"[01]", "column 3: a comma or the end is needed"},
        {"[1.]", "column 4: a digit is needed"},
        {"[+1]", "no value that JSON has"},
        {"[1]]", "column 4: there is more behind the value"},
        {"[\"a]", "a text that does not end"},
        {"[\"\\x\"]", "no escape that JSON has"},
        {"[\"\\u12g4\"]", "four hexadecimal digits"},
        {"[\"\\ud800\"]", "half of a character"},
        {"[\"\t\"]", "a control character in a text"},
        {"{\"a\" 1}", "a colon is needed"},
        {"{a:1}", "a text in quotes is needed"},
        {"[1", "a comma or the end is needed"},
        {"3", "line 1 is not an object; each line of a table is a row, an object or an array"},
        {"[1]\n{\"a\":1}",
         "line 2 is not an array; each line of a table is a row, of one kind"},
        {"{}", "line 1 is an object without members"},
        {"[]", "line 1 is an array without values"},
        {"{\"a\":1,\"a\":2}", "line 1: the member 'a' comes twice"},
        {"{\"a\":1}\n{\"a\":1,\"a\":2}", "line 2: the member 'a' comes twice"},
        {"{\"a\":1}\n{\"b\":1}", "line 2: the member 'b' is none of the first line's"},
        {"{\"a\":[1,2]}\n{\"a\":[1]}", "'a' has 1 values, and in the first line 2"},
        {"{\"a\":[1]}\n{\"a\":1}", "'a' is no array, as it is in the first line"},
        {"{\"a\":1}\n{\"a\":[1]}", "'a' is an array, which it is not in the first line"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_line_refused(cases[i][0], cases[i][1]);
}

static void depth_has_an_end(void **state)
{
    (void)state;
    char deep[200];
    memset(deep, '[', 100);
    memset(deep + 100, ']', 99);
    deep[199] = '\0';
    assert_line_refused(deep, "arrays in arrays that are too deep");
}

/* A line of two bytes could stand for thousands of values: so much memory a file does not get
 * for its size. So with the name of a list, which each of its values has. */
static void memory_is_that_of_the_file(void **state)
{
    (void)state;
    enum { MEMBERS = 1000 };
    static char line[16 * MEMBERS], list[40000];
    im_json_rows rows = {0};
    imsat_error err;
    imsat_status st = IMSAT_OK;
    size_t used = 0, lines = 0;
    for (size_t m = 0; m < MEMBERS; m++)
        used += (size_t)snprintf(line + used, sizeof line - used, "%c\"k%zu\":1",
                                 m ? ',' : '{', m);
    line[used++] = '}';
    assert_ok(im_json_rows_add(&rows, (im_span){line, used}, "a.jsonl", &err), &err);
    for (; st == IMSAT_OK; lines++) {
        rows.used = 0;
        st = im_json_rows_add(&rows, (im_span){"{}", 2}, "a.jsonl", &err);
    }
    assert_refused(st, &err, IMSAT_EFORMAT, "what has so few values is sparse data");
    assert_in_range(lines, 66, 100);
    im_json_rows_clear(&rows);

    memset(list, 'n', sizeof list);
    memcpy(list, "{\"", 2);
    memcpy(list + 20000, "\":[", 3);
    for (size_t i = 20003; i + 2 < sizeof list; i += 2)
        memcpy(list + i, "1,", 2);
    memcpy(list + sizeof list - 3, "1]}", 3);
    st = im_json_rows_add(&rows, (im_span){list, sizeof list}, "a.jsonl", &err);
    assert_refused(st, &err, IMSAT_EFORMAT, "is a long name of many values");
    im_json_rows_clear(&rows);
}

/* ---- data ----------------------------------------------------------------------------- */

static imsat_status open_table(imsat_data **out, const char *path, imsat_error *err)
{
    const imsat_data_options options = {.label_column = "kind"};
    const imsat_table_options table = {.size = sizeof table,
                                       .drop = "note",
                                       .missing = IMSAT_MISSING_MEAN,
                                       .categories = IMSAT_CATEGORIES_ONE_HOT};
    return imsat_data_open_table(out, &path, 1, &options, &table, err);
}

static const char table_lines[] =
    "{\"day\":\"1970-01-03\",\"on\":true,\"p\":[1,2],\"city\":\"Rome\",\"kind\":\"b\","
    "\"note\":{}}\n"
    "{\"kind\":\"a\",\"day\":\"1970-01-05\",\"on\":false,\"p\":[5,null],\"city\":\"Bern\"}\n";
static const char table_csv[] = "day,on,p0,p1,city,kind,note\n"
                                "1970-01-03,true,1,2,Rome,b,x\n1970-01-05,false,5,,Bern,a,y\n";

static void a_table_is_that_of_csv(void **state)
{
    (void)state;
    static const float expected[] = {2, 1, 1, 2, 0, 1, 4, 0, 5, 2, 1, 0};
    imsat_data *data = NULL, *same = NULL;
    imsat_error err;
    assert_ok(open_table(&data, file_text("a.jsonl", table_lines), &err), &err);
    assert_ok(open_table(&same, file_text("a.csv", table_csv), &err), &err);
    assert_rows(data, expected, 2, 6);
    assert_rows(same, expected, 2, 6);
    for (size_t c = 0; c < 6; c++)
        assert_string_equal(imsat_data_column_name(data, c), imsat_data_column_name(same, c));
    assert_int_equal(imsat_data_labels(data)[0], 1);
    assert_int_equal(imsat_data_labels(data)[1], 0);
    assert_non_null(strstr(imsat_data_describe(data, 0), "jsonl (2, 5)"));
    imsat_data_free(data);
    imsat_data_free(same);
}

/* By contents, compressed too, and whatever the name: lines of numbers, of which there are
 * more than a window has. */
static void files_are_known_by_their_contents(void **state)
{
    (void)state;
    enum { ROWS = 120000 };
    static char text[ROWS * 24];
    imsat_error err;
    imsat_data *data = NULL;
    size_t used = 0;
    float last[2];
    for (size_t i = 0; i < ROWS; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "{\"a\":%zu,\"b\":0.5}\n", i);
    const char *path = file_gzip("numbers", text, used);
    assert_int_equal(imsat_data_open(&data, &path, 1, NULL, &err), IMSAT_OK);
    assert_int_equal(imsat_data_rows(data), ROWS);
    assert_ok(imsat_data_read(data, ROWS - 1, 1, last, &err), &err);
    assert_true(last[0] == ROWS - 1 && last[1] == 0.5F);
    imsat_data_free(data);
    data = open_with(file_text("b", "\xEF\xBB\xBF\n[1,2]\n[3,4]"), NULL);
    assert_rows(data, (const float[]){1, 2, 3, 4}, 2, 2);
    imsat_data_free(data);
    path = file_text("c", "[a],b\n1,2\n"); /* a table whose header begins so */
    data = open_with(path, NULL);
    assert_rows(data, (const float[]){1, 2}, 1, 2);
    imsat_data_free(data);
    path = file_text("bad.jsonl", "{\"a\":1,}\n");
    assert_int_equal(imsat_data_open(&data, &path, 1, NULL, &err), IMSAT_EFORMAT);
    assert_message(&err, path, "line 1 is not JSON: column 8");
}

static void values_are_told_where_they_are(void **state)
{
    (void)state;
    imsat_data *data = NULL;
    imsat_error err;
    const char *path = file_text("a.jsonl", "{\"a\":1,\"b\":2}\n\n{\"a\":3,\"b\":\"x\"}\n");
    assert_int_equal(imsat_data_open(&data, &path, 1, NULL, &err), IMSAT_EFORMAT);
    assert_message(&err, path, "line 3, column 1 'b' (from 0): 'x' is not a number");
    path = file_text("a.jsonl", "{\"a\":1}\n{\"a\":null}\n");
    assert_int_equal(imsat_data_open(&data, &path, 1, NULL, &err), IMSAT_EFORMAT);
    assert_message(&err, path,
                   "row 1, column 0 'a' (both from 0; line 2) is empty: a missing");
}

/* ---- labels and codes ----------------------------------------------------------------------
 */

static void assert_labels(const char *path, const int32_t *expected, size_t count)
{
    imsat_error err;
    int32_t *labels = NULL;
    size_t n = 0;
    assert_ok(imsat_labels_read(&labels, &n, &path, 1, &err), &err);
    assert_int_equal(n, count);
    assert_memory_equal(labels, expected, count * sizeof *labels);
    imsat_free(labels);
}

static void labels_are_read(void **state)
{
    (void)state;
    imsat_error err;
    int32_t *labels = NULL;
    size_t n = 0;
    assert_labels(file_text("l.jsonl", "{\"label\":3}\n{\"label\":-1}\n"), (int32_t[]){3, -1},
                  2);
    assert_labels(file_text("l.jsonl", "{\"c\":\"b b\"}\n{\"c\":\"a\"}\n"), (int32_t[]){1, 0},
                  2);
    assert_labels(file_text("l", "[7]\n[7]\n[8]\n"), (int32_t[]){7, 7, 8}, 3);
    const char *path = file_text("l.jsonl", "{\"a\":1,\"label\":3}\n");
    assert_int_equal(imsat_labels_read(&labels, &n, &path, 1, &err), IMSAT_EFORMAT);
    assert_message(&err, path, "has 2 fields; labels need a file of one column");
}

static void codes_are_read(void **state)
{
    (void)state;
    imsat_error err;
    imsat_codes codes = {0};
    const char *path = file_text("c.jsonl", "{\"bit\":[0,1,1]}\n{\"bit\":[1,0,0]}\n");
    assert_ok(imsat_codes_read(&codes, &path, 1, NULL, &err), &err);
    assert_int_equal(codes.bits, 3);
    assert_int_equal(codes.bytes[0], 0x60);
    assert_int_equal(codes.bytes[1], 0x80);
    imsat_codes_clear(&codes);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_data *data = NULL;
    const imsat_status st = open_table(&data, context, err);
    imsat_data_free(data);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static char path[300];
    snprintf(path, sizeof path, "%s", file_text("a.jsonl", table_lines));
    assert_true(fail_each(attempt, path) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_become_lines_of_a_table),
        cmocka_unit_test(what_is_no_row_is_refused),
        cmocka_unit_test(depth_has_an_end),
        cmocka_unit_test(memory_is_that_of_the_file),
        cmocka_unit_test(a_table_is_that_of_csv),
        cmocka_unit_test(files_are_known_by_their_contents),
        cmocka_unit_test(values_are_told_where_they_are),
        cmocka_unit_test(labels_are_read),
        cmocka_unit_test(codes_are_read),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("json rows", tests, folder_setup, folder_teardown);
}
