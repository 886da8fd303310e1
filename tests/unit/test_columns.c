/* SPDX-License-Identifier: MIT
 * Lists of columns: names, numbers, ranges, and what is refused with which words. */
#include "data/columns.h"
#include "support.h"

#include <string.h>

static im_columns columns_of(const char *header)
{
    im_columns columns = {0};
    imsat_error err = {{0}};
    const im_csv csv = {.separator = ','};
    assert_ok(
        im_columns_read(&columns, &csv, (im_span){header, strlen(header)}, "x.csv", &err),
        &err);
    columns.header = true;
    return columns;
}

/* The columns of a list as a text: "x.x" are columns 0 and 2 of 3. */
static void assert_chosen(const im_columns *columns, const char *list, const char *expected,
                          bool expect_named)
{
    char got[16] = "";
    bool chosen[16] = {0}, named = false;
    imsat_error err = {{0}};
    assert_ok(im_columns_choose(chosen, &named, columns, list, "no", "x.csv", &err), &err);
    for (size_t c = 0; c < columns->count; c++)
        got[c] = chosen[c] ? 'x' : '.';
    assert_string_equal(got, expected);
    assert_int_equal(named, expect_named);
}

static void lists(void **state)
{
    (void)state;
    im_columns columns = columns_of("age,\"a,b\",x-y,3,,\"x \"\"q\"\"\",end");
    assert_int_equal(columns.count, 7);
    assert_chosen(&columns, "0", "x......", false);
    assert_chosen(&columns, "-1", "......x", false);
    assert_chosen(&columns, "3", "...x...", false);
    assert_chosen(&columns, "1-3", ".xxx...", false);
    assert_chosen(&columns, "5-", ".....xx", false);
    assert_chosen(&columns, "-3--2", "....xx.", false);
    assert_chosen(&columns, "2--1", "..xxxxx", false);
    assert_chosen(&columns, "age", "x......", true);
    assert_chosen(&columns, "x-y", "..x....", true);
    assert_chosen(&columns, "age-x-y", "xxx....", true);
    assert_chosen(&columns, "x-y-end", "..xxxxx", true);
    assert_chosen(&columns, "x-y-", "..xxxxx", true);
    assert_chosen(&columns, "1-x-y", ".xx....", true);
    assert_chosen(&columns, "\"a,b\", end", ".x....x", true);
    assert_chosen(&columns, "\"3\"", "...x...", true);
    assert_chosen(&columns, "\"\"", "....x..", true);
    assert_chosen(&columns, "\"x \"\"q\"\"\"", ".....x.", true);
    assert_chosen(&columns, "6,0,0,-1", "x.....x", false);
    im_columns_clear(&columns);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *list, *part;
    } cases[] = {
        {"7", "x.csv: --drop: no column 7: the columns are 0 to 2, or -3 to -1"},
        {"-4", "no column -4"},
        {"1e0", "no column '1e0'; the columns are age, size, ''"},
        {"ag", "no column 'ag'; the columns are age, size, ''"},
        {"1-9", "no column '1-9'"},
        {"age-ag", "no column 'age-ag'"},
        {"2-0", "the range ends at column 0, before column 2"},
        {"\"1-2\"", "no column '1-2'"},
        {"", "names, numbers and ranges with commas between"},
        {"age,,size", "names, numbers and ranges"},
        {"\"age", "names, numbers and ranges"},
    };
    im_columns columns = columns_of("age,size,");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool chosen[3] = {0}, named = false;
        imsat_error err = {{0}};
        assert_refused(im_columns_choose(chosen, &named, &columns, cases[i].list,
                                         "--drop: no column", "x.csv", &err),
                       &err, IMSAT_EINVAL, cases[i].part);
    }
    columns.header = false;
    imsat_error err = {{0}};
    size_t column = 0;
    bool named = false;
    assert_refused(
        im_columns_find(&column, &named, &columns, "sort", "no column", "x.csv", &err), &err,
        IMSAT_EINVAL, "no column 'sort': the file has no header; its columns are 0 to 2");
    im_columns_clear(&columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
