/* SPDX-License-Identifier: MIT
 * Lines and fields. */
#include "data/csv_split.h"
#include "support.h"

#include <string.h>

static im_csv start(const char *text, const char *path)
{
    im_csv csv;
    im_csv_start(&csv, (im_span){text, strlen(text)}, path);
    return csv;
}

static void separators(void **state)
{
    (void)state;
    assert_int_equal(start("1,2", "a").separator, ',');
    assert_int_equal(start("1;2", "a").separator, ';');
    assert_int_equal(start("1,5;2,5", "a").separator, ';');
    assert_int_equal(start("1\t2", "a.csv").separator, '\t');
    assert_int_equal(start("1\t2,3", "a.csv").separator, '\t');
    assert_int_equal(start("1,2,3;4", "a").separator, ',');
    assert_int_equal(start("1,;2", "a").separator, ',');
    assert_int_equal(start("a,b\tc", "a").separator, ',');
    assert_int_equal(start("1,2", "a.tsv.gz").separator, '\t');
    assert_int_equal(start("1 2", "a").separator, ' ');
    assert_int_equal(start("# a;b\n1,2", "a").separator, ',');
    assert_int_equal(start("", "a").separator, ' ');
}

static void lines(void **state)
{
    (void)state;
    im_csv csv = start("\xEF\xBB\xBF# one\n\n # two\r\n\t\nlast", "a");
    im_span line;
    assert_true(im_csv_line(&csv, &line));
    assert_int_equal(csv.line, 3);
    assert_memory_equal(line.at, " # two", line.size);
    assert_int_equal(line.size, 6);
    assert_true(im_csv_line(&csv, &line));
    assert_int_equal(csv.line, 5);
    assert_int_equal(line.size, 4);
    assert_false(im_csv_line(&csv, &line));
}

/* The fields of a line, joined by '|'; '!' marks a broken one. */
static void join(char *out, char separator, const char *text)
{
    const im_csv csv = {.separator = separator};
    im_csv_cursor cursor = im_csv_fields(&csv, (im_span){text, strlen(text)});
    im_csv_field field;
    size_t used = 0;
    while (im_csv_next(&cursor, &field)) {
        used += im_csv_plain(out + used, &field);
        if (field.broken)
            out[used++] = '!';
        out[used++] = '|';
    }
    out[used] = '\0';
}

static void fields(void **state)
{
    (void)state;
    static const struct {
        char separator;
        const char *line, *fields;
    } cases[] = {
        {',', "a,b,c", "a|b|c|"},
        {',', "a", "a|"},
        {',', "a,", "a||"},
        {',', ",,", "|||"},
        {',', " a b ,\tc ", "a b|c|"},
        {',', "\"a,b\" , \"c\"", "a,b|c|"},
        {',', "\"\"", "|"},
        {',', "\"\"\"\"", "\"|"},
        {',', "\"a\"\"b\",c", "a\"b|c|"},
        {',', "a\"b,c", "a\"b|c|"},
        {',', "\"a,b", "a,b!|"},
        {'\t', "a\t\tb c\t", "a||b c||"},
        {'\t', "\"a\tb\" \tc", "a\tb|c|"},
        {' ', "  a \t b  ", "a|b|"},
        {' ', "\"a b\"  c", "a b|c|"},
        {';', "1,5;2", "1,5|2|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[64];
        join(out, cases[i].separator, cases[i].line);
        assert_string_equal(out, cases[i].fields);
    }
    char out[64];
    join(out, ',', "\"a\"x,b"); /* what follows a broken field does not matter */
    assert_memory_equal(out, "a!|", 3);
}

static void words(void **state)
{
    (void)state;
    char word[IM_WORD_ROOM];
    im_csv_word(word, (im_span){"a\x01\x7f", 3});
    assert_string_equal(word, "a??");
    im_csv_word(word, (im_span){"0123456789012345678901234567890123456789", 40});
    assert_int_equal(strlen(word), 40);
    im_csv_word(word, (im_span){"01234567890123456789012345678901234567890", 41});
    assert_int_equal(strlen(word), 43);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separators),
        cmocka_unit_test(lines),
        cmocka_unit_test(fields),
        cmocka_unit_test(words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
