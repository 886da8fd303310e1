/* SPDX-License-Identifier: MIT
 * CSV: separators, headers, labels, and what is refused with which words. */
#include "data/dataset.h"
#include "data_files.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const float TWO_BY_THREE[6] = {1, 2, 3, 4, 5.5f, -6};

static void all_separators_and_ends(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } cases[] = {
        {"a.csv", "1,2,3\n4,5.5,-6\n"},
        {"a.csv", "1,2,3\r\n4,5.5,-6"},
        {"a.csv", "\xEF\xBB\xBF"
                  "1,2,3\n4,5.5,-6\n\n\n \n"},
        {"a.csv", "\n1,2,3\n\n4,5.5,-6\n"},
        {"a.csv", " 1 , 2,3 \n4,\t5.5,-6\n"},
        {"a.csv", "1;2;3\n4;5.5;-6\n"},
        {"a.csv", "1\t2\t3\n4\t5.5\t-6\n"},
        {"a.tsv", "1\t2\t3\n4\t5.5\t-6\n"},
        {"a.txt", "  1 2   3\n4 \t5.5 -6  \n"},
        {"plain", "1.000000000000000000e+00 2 +3e0\n.4e1 5.5 -6.\n"},
        {"a.csv", "# made by hand\n# 1,2\n1,2,3\n4,5.5,-6\n"},
        {"a.csv", "x,y,z\n1,2,3\n4,5.5,-6\n"},
        {"a.csv", "0,1,z\n1,2,3\n4,5.5,-6\n"},
        {"a.csv", ",x,y\n1,2,3\n4,5.5,-6\n"},
        {"a.csv", "\"a,b\",\"c\"\"d\",e\n\"1\",2,3\n4, \"5.5\" ,-6\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_data *data = open_with(file_text(cases[i].name, cases[i].text), NULL);
        assert_rows(data, TWO_BY_THREE, 2, 3);
        assert_null(imsat_data_labels(data));
        imsat_data_free(data);
    }
    imsat_data *data = open_with(file_gzip("a.csv.gz", "1,2,3\n4,5.5,-6\n", 15), NULL);
    assert_rows(data, TWO_BY_THREE, 2, 3);
    assert_string_equal(imsat_data_describe(data, 0), "csv (2, 3), as float32 in memory");
    imsat_data_free(data);
}

/* Numbers that float holds are float; the first that it does not makes all of them double, the
 * ones before it, too. */
static void numbers_that_float_would_round_are_kept(void **state)
{
    (void)state;
    const double expected[6] = {1, 2.5, 3, 4, 1700000000001.0, 0.1};
    const float near[6] = {1, 2.5f, 3, 4, 1700000000001.0f, 0.1f};
    double row[3];
    imsat_data *data = open_with(file_text("w.csv", "1,2.5,3\n4,1700000000001,0.1\n"), NULL);
    assert_string_equal(imsat_data_describe(data, 0), "csv (2, 3), as float64 in memory");
    assert_rows(data, near, 2, 3);
    for (size_t i = 0; i < 2; i++) {
        assert_true(im_data_row_wide(row, data, i));
        assert_memory_equal(row, expected + 3 * i, sizeof row);
    }
    imsat_data_free(data);
    data = open_with(file_text("w.csv", "1,2.5,3\n4,16777216,0.125\n"), NULL);
    assert_string_equal(imsat_data_describe(data, 0), "csv (2, 3), as float32 in memory");
    assert_false(im_data_row_wide(row, data, 0));
    imsat_data_free(data);
}

static void label_columns(void **state)
{
    (void)state;
    static const struct {
        const char *column, *text;
        int32_t labels[2];
    } cases[] = {
        {"0", "7,1,2,3\n-9,4,5.5,-6\n", {7, -9}},
        {"1", "1,7,2,3\n4,9,5.5,-6\n", {7, 9}},
        {"-1", "1,2,3,7\n4,5.5,-6,9.0\n", {7, 9}},
        {"-4", "7,1,2,3\n9,4,5.5,-6\n", {7, 9}},
        {"kind", "x,y,kind,z\n1,2,7,3\n4,5.5,9,-6\n", {7, 9}},
        {"a \"b\"", "x,y,\"a \"\"b\"\"\",z\n1,2,7,3\n4,5.5,9,-6\n", {7, 9}},
        {"-1", "1,2,3,zebra\n4,5.5,-6,ape\n", {1, 0}},
        {"-1", "1,2,3,\"a\"\"x\"\n4,5.5,-6,a\n", {1, 0}},
        {"-1", "1,2,3,10\n4,5.5,-6,9b\n", {0, 1}},
        {"-1", "0,1,2,label\n1,2,3,b\n4,5.5,-6,a\n", {1, 0}},
        {"-1", "0,1,2,species\n1,2,3,5\n4,5.5,-6,3\n", {5, 3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_data *data = open_with(file_text("l.csv", cases[i].text), cases[i].column);
        assert_rows(data, TWO_BY_THREE, 2, 3);
        assert_memory_equal(imsat_data_labels(data), cases[i].labels, sizeof cases[i].labels);
        assert_non_null(strstr(imsat_data_describe(data, 0), "labels in column "));
        imsat_data_free(data);
    }
}

static void wrong_label_columns_are_refused(void **state)
{
    (void)state;
    const char *named = file_text("named.csv", "x,y,kind\n1,2,3\n");
    const char *bare = file_text("bare.csv", "1,2,3\n");
    assert_unreadable_with(named, "3", IMSAT_EINVAL, "the columns are 0 to 2, or -3 to -1");
    assert_unreadable_with(named, "-4", IMSAT_EINVAL, "no label column -4");
    assert_unreadable_with(named, "sort", IMSAT_EINVAL, "'sort'; the columns are x, y, kind");
    assert_unreadable_with(file_text("nameless.csv", "x,\n1,2\n"), "sort", IMSAT_EINVAL,
                           "the columns are x, ''");
    assert_unreadable_with(bare, "sort", IMSAT_EINVAL, "no header; its columns are 0 to 2");
    assert_unreadable_with(file_text("one.csv", "1\n2\n"), "0", IMSAT_EFORMAT,
                           "no column but");
    assert_unreadable_with(
        file_text("empty.csv", "1,2\n3,\n"), "1", IMSAT_EFORMAT,
        "line 2, column 1 (from 0): the label is empty; --missing drop leaves "
        "out rows without one");
    assert_unreadable_with(file_text("nan.csv", "1,2\n3,nan\n"), "1", IMSAT_EFORMAT,
                           "label 1 (from 0) is nan");
}

static void many_names_are_cut_in_the_message(void **state)
{
    (void)state;
    char text[1 << 13];
    size_t used = 0;
    for (int i = 0; i < 400; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%spixel%d", i ? "," : "", i);
    text[used] = '\0';
    assert_unreadable_with(file_text("many.csv", text), "x", IMSAT_EINVAL, "pixel0, pixel1, ");
    assert_unreadable_with(file_text("many.csv", text), "x", IMSAT_EINVAL, ", ...");
}

static void bad_tables_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"1,2\n3\n", "line 2 has 1 fields; the lines before it have 2"},
        {"1,2\n3,4\n\n5,6,7\n", "line 4 has 3 fields; the lines before it have 2"},
        {"1,2\n3,4,5,6,7,8,9,10\n", "line 2 has 8 fields"},
        {"1,2,3,4,5\n1\n1\n1\n1\n1\n", "line 2 has 1 fields"},
        {"1,2\n3,ox\n", "line 2, column 1 (from 0): 'ox' is not a number"},
        {"x,y\n1,2\n3,0x10\n", "line 3, column 1 'y' (from 0): '0x10' is not a number"},
        {"1,2\n3,aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeee\n",
         "'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...' is not a number"},
        {"1,2\n3,\x01z\n", "'?z' is not a number"},
        {"1,2\n3,1e\n", "'1e' is not a number"},
        {"1,2\n3,--1\n", "'--1' is not a number"},
        {"1,2\n3,.\n", "'.' is not a number"},
        {"1,2\n3,\n", "row 1, column 1 (both from 0; line 2) is empty: a missing value; "
                      "--missing drop"},
        {"1,,2\n", "row 0, column 1 (both from 0; line 1) is empty"},
        {"a,b\n1,2\n3,nan\n", "row 1, column 1 'b' (both from 0; line 3) is nan"},
        {"nan,2\n", "row 0, column 0 (both from 0; line 1) is nan"},
        {"1,2\n-Infinity,2\n", "row 1, column 0 (both from 0; line 2) is -Infinity"},
        {"1,1e300\n", "is 1e300; values must be finite and in the range of float"},
        {"1,-1e999\n", "is -1e999"},
        {"1,\"2\n", "line 1, column 1 (from 0): quotes"},
        {"1,2\n\"3\"4,5\n", "line 2, column 0 (from 0): quotes"},
        {"x,y\n", "a header and no rows"},
        {"\n \n\r\n", "holds no rows"},
        {"# nothing\n", "holds no rows"},
        {"", "the file is empty"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_unreadable(file_text("bad.csv", cases[i].text), cases[i].part);
}

static void a_cut_word_keeps_whole_characters(void **state)
{
    (void)state;
    imsat_error err = {{0}};
    imsat_data *data = NULL;
    const char *path = file_text("utf.csv", "1,2\n3,aaaaaaaaaabbbbbbbbbbccccccccccddddddddd"
                                            "\xC3\xA4zzzz\n");
    assert_int_equal(imsat_data_open(&data, &path, 1, NULL, &err), IMSAT_EFORMAT);
    assert_message(&err, path, "ccddddddddd...'");
}

static void numbers_do_not_depend_on_the_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_NUMERIC, names[i]))
            break; /* without such a locale this only repeats what other tests say */
    imsat_data *data = open_with(file_text("d.csv", "0.1234567890123456789,1.5\n"), NULL);
    assert_rows(data, (const float[]){0.1234567890123456789f, 1.5f}, 1, 2);
    imsat_data_free(data);
    setlocale(LC_NUMERIC, "C");
}

static void one_column_and_one_row(void **state)
{
    (void)state;
    imsat_data *data = open_with(file_text("c.csv", "v\n1\n2\n3"), NULL);
    assert_rows(data, (const float[]){1, 2, 3}, 3, 1);
    imsat_data_free(data);
    data = open_with(file_text("c.csv", "1,2,3"), NULL);
    assert_rows(data, (const float[]){1, 2, 3}, 1, 3);
    imsat_data_free(data);
}

/* Digits packed as tightly as can be: the array is measured from lines and bytes. */
static void packed_tables_fit(void **state)
{
    (void)state;
    enum { ROWS = 40, COLUMNS = 23, FIELDS = ROWS * COLUMNS };
    char text[2 * FIELDS];
    float expected[FIELDS];
    for (size_t i = 0; i < FIELDS; i++) {
        expected[i] = (float)(i % 7);
        text[2 * i] = (char)('0' + i % 7);
        text[2 * i + 1] = i % COLUMNS == COLUMNS - 1 ? '\n' : ',';
    }
    imsat_data *data = open_with(file_put("p.csv", text, sizeof text), NULL);
    assert_rows(data, expected, ROWS, COLUMNS);
    imsat_data_free(data);
    data = open_with(file_put("p.csv", text, sizeof text - 1), NULL);
    assert_rows(data, expected, ROWS, COLUMNS);
    imsat_data_free(data);
    /* The last row is one field short: all others are stored before that is seen. */
    text[sizeof text - 3] = '\0';
    assert_unreadable(file_text("p.csv", text), "line 40 has 22 fields");
}

/* A text of several windows, with comments before its first line that fill more than one, a
 * quoted label and a line that is wrong far behind. */
static void a_long_compressed_file_is_read_in_parts(void **state)
{
    (void)state;
    enum { COMMENTS = 30000, LINES = 50000, ROOM = (COMMENTS + LINES) * 64 };
    char *text = test_malloc(ROOM);
    size_t used = 0;
    for (int i = 0; i < COMMENTS; i++)
        used += (size_t)sprintf(text + used, "# %050d\n", i);
    used += (size_t)sprintf(text + used, "a,label,b\r\n");
    for (int i = 0; i < LINES; i++)
        used += (size_t)sprintf(text + used, "%d,\"c \"\"%d\",%d.5\n", i, i % 3, -i);
    imsat_data *plain = open_with(file_put("long.csv", text, used), "label");
    imsat_data *packed = open_with(file_gzip("long.csv.gz", text, used), "label");
    assert_int_equal(imsat_data_rows(packed), LINES);
    assert_int_equal(fingerprint_of(packed), fingerprint_of(plain));
    assert_memory_equal(imsat_data_labels(packed), imsat_data_labels(plain),
                        LINES * sizeof(int32_t));
    imsat_data_free(plain);
    imsat_data_free(packed);
    used += (size_t)sprintf(text + used, "1,c,word\n");
    assert_unreadable_with(file_gzip("long.csv.gz", text, used), "label", IMSAT_EFORMAT,
                           "line 80002, column 2 'b' (from 0): 'word' is not a number");
    test_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_separators_and_ends),
        cmocka_unit_test(numbers_that_float_would_round_are_kept),
        cmocka_unit_test(label_columns),
        cmocka_unit_test(wrong_label_columns_are_refused),
        cmocka_unit_test(many_names_are_cut_in_the_message),
        cmocka_unit_test(bad_tables_are_refused),
        cmocka_unit_test(a_cut_word_keeps_whole_characters),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(one_column_and_one_row),
        cmocka_unit_test(packed_tables_fit),
        cmocka_unit_test(a_long_compressed_file_is_read_in_parts),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
