/* SPDX-License-Identifier: MIT
 * Fields of tables that are no plain numbers. */
#include "data/cell.h"
#include "support.h"

#include <string.h>

static im_span span(const char *text)
{
    return (im_span){text, strlen(text)};
}

static void missing_words(void **state)
{
    (void)state;
    static const char *const yes[] = {"",    "NA",   "n/a",  "#N/A", "<NA>", "NaN",
                                      "nan", "-nan", "NULL", "None", "nil",  "?"};
    static const char *const no[] = {"0", "-", "N", "nano", "none at all", "inf", "."};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(im_cell_missing(span(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(im_cell_missing(span(no[i])));
}

static void booleans(void **state)
{
    (void)state;
    double value = -1;
    assert_true(im_cell_boolean(&value, span("True")) && value == 1);
    assert_true(im_cell_boolean(&value, span("NO")) && value == 0);
    assert_true(im_cell_boolean(&value, span("yes")) && value == 1);
    assert_true(im_cell_boolean(&value, span("false")) && value == 0);
    assert_false(im_cell_boolean(&value, span("f")));
    assert_false(im_cell_boolean(&value, span("1")));
    assert_false(im_cell_boolean(&value, span("")));
}

/* Compared with what `date -u -d DATE +%s` prints, over 86400. */
static void dates(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } cases[] = {
        {"1970-01-01", 0},
        {"1969-12-31", -86400},
        {"2000-02-29", 951782400},
        {"2000-03-01", 951868800},
        {"1900-03-01", -2203891200},
        {"0000-01-01", -62167219200},
        {"9999-12-31", 253402214400},
        {"2024-01-31T12:30:15", 1706704215},
        {"2024-01-31 12:30", 1706704200},
        {"2024-01-31T12:30:15.25Z", 1706704215.25},
        {"2024-01-31T12:30:15+02:00", 1706697015},
        {"2024-01-31T12:30:15-0530", 1706724015},
        {"2024-01-31T12:30+01", 1706700600},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 0;
        assert_true(im_cell_date(&value, span(cases[i].text)));
        assert_true(value == cases[i].seconds / 86400);
    }
}

static void what_is_no_date(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "2024",
                                        "2024-01",
                                        "2024-13-01",
                                        "2024-00-01",
                                        "2023-02-29",
                                        "1900-02-29",
                                        "2024-04-31",
                                        "2024-01-00",
                                        "24-01-01",
                                        "2024/01/01",
                                        "2024-01-01T",
                                        "2024-01-01T24:00",
                                        "2024-01-01T12",
                                        "2024-01-01x",
                                        "31.01.2024",
                                        "2024-01-01 1:2",
                                        "2024-01-01T12:60",
                                        "2024-01-01T12:00:",
                                        "2024-01-01T12:00:61",
                                        "2024-01-01T12:00:00.",
                                        "2024-01-01T12:00+",
                                        "2024-01-01T12:00+24",
                                        "2024-01-01T12:00+01:",
                                        "2024-01-01T12:00+01:60",
                                        "2024-01-01T12:00ZZ",
                                        "-2024-01-01"};
    double value = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (im_cell_date(&value, span(texts[i])))
            fail_msg("'%s' is taken for a date", texts[i]);
}

static void commas(void **state)
{
    (void)state;
    double value = 0;
    assert_int_equal(im_cell_comma(&value, span("-1,5")), IM_NUMBER_FINITE);
    assert_true(value == -1.5);
    assert_int_equal(im_cell_comma(&value, span("2,5e3")), IM_NUMBER_FINITE);
    assert_true(value == 2500);
    assert_int_equal(im_cell_comma(&value, span("1,2,3")), IM_NUMBER_NONE);
    assert_int_equal(im_cell_comma(&value, span("1.234,5")), IM_NUMBER_NONE);
    assert_int_equal(im_cell_comma(&value, span("15")), IM_NUMBER_NONE);
    assert_int_equal(im_cell_comma(&value, span("a,b")), IM_NUMBER_NONE);
}

static void values_and_words(void **state)
{
    (void)state;
    static const char *const values[] = {"1.5", "", "NA", "inf", "yes", "2024-01-31"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_true(im_cell_is_value(span(values[i]), false));
    assert_true(im_cell_is_value(span("1,5"), true));
    assert_false(im_cell_is_value(span("1,5"), false));
    assert_false(im_cell_is_value(span("age"), true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_words), cmocka_unit_test(booleans),
        cmocka_unit_test(dates),         cmocka_unit_test(what_is_no_date),
        cmocka_unit_test(commas),        cmocka_unit_test(values_and_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
