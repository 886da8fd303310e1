/* SPDX-License-Identifier: MIT
 * Numbers in the metadata: what is recorded reads back to the same bits, what is absent or
 * malformed is refused by name, and two records are compared key by key. */
#include "data/record.h"

#include "support.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void numbers_read_back_to_the_same_bits(void **state)
{
    (void)state;
    const double values[] = {0,      -0.0,    0.1,     1.0 / 3,   DBL_MIN,
                             5e-324, DBL_MAX, -1e-300, 123456789, 3.14159265358979};
    imsat_error err;
    im_safetensors file = {0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double back = 7;
        assert_ok(im_record_number(&file, "x", values[i], &err), &err);
        assert_ok(im_record_get_number(&back, &file, "f", "x", &err), &err);
        assert_memory_equal(&back, &values[i], sizeof back);
    }
    im_safetensors_clear(&file);
}

static void a_number_may_be_not_finite(void **state)
{
    (void)state;
    imsat_error err;
    double back = 0;
    im_safetensors file = {0};
    assert_ok(im_record_number(&file, "x", (double)NAN, &err), &err);
    assert_ok(im_record_get_number(&back, &file, "f", "x", &err), &err);
    assert_true(isnan(back));
    im_safetensors_clear(&file);
}

static void counts_read_back(void **state)
{
    (void)state;
    const uint64_t values[] = {0, 1, UINT64_C(1) << 53 | 1, UINT64_MAX};
    imsat_error err;
    im_safetensors file = {0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        uint64_t back = 7;
        assert_ok(im_record_count(&file, "n", values[i], &err), &err);
        assert_ok(im_record_get_count(&back, &file, "f", "n", &err), &err);
        assert_true(back == values[i]);
    }
    im_safetensors_clear(&file);
}

static void integers_read_back(void **state)
{
    (void)state;
    const int64_t values[] = {0, -1, -(INT64_C(1) << 53), INT64_MAX, INT64_MIN};
    imsat_error err;
    im_safetensors file = {0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        int64_t back = 7;
        assert_ok(im_record_integer(&file, "n", values[i], &err), &err);
        assert_ok(im_record_get_integer(&back, &file, "f", "n", &err), &err);
        assert_true(back == values[i]);
    }
    im_safetensors_clear(&file);
}

static void malformed_values_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    double number;
    uint64_t count;
    int64_t integer;
    im_safetensors file = {0};
    const char *const not_counts[] = {"",    "-1", "+1", " 1",
                                      "1.5", "1 ", "x",  "18446744073709551616"};
    for (size_t i = 0; i < sizeof not_counts / sizeof *not_counts; i++) {
        assert_ok(im_safetensors_set(&file, "n", not_counts[i], &err), &err);
        assert_refused(im_record_get_count(&count, &file, "a file", "n", &err), &err,
                       IMSAT_EFORMAT, "a file: \"n\" is \"");
    }
    const char *const not_integers[] = {
        "", "-", "--1", "+1", " 1", "-x", "1 ", "1.5", "9223372036854775808"};
    for (size_t i = 0; i < sizeof not_integers / sizeof *not_integers; i++) {
        assert_ok(im_safetensors_set(&file, "n", not_integers[i], &err), &err);
        assert_refused(im_record_get_integer(&integer, &file, "a file", "n", &err), &err,
                       IMSAT_EFORMAT, "not a whole number");
    }
    assert_ok(im_safetensors_set(&file, "x", "1,5", &err), &err);
    assert_refused(im_record_get_number(&number, &file, "a file", "x", &err), &err,
                   IMSAT_EFORMAT, "a file: \"x\" is \"1,5\", not a number");
    assert_refused(im_record_get_number(&number, &file, "a file", "y", &err), &err,
                   IMSAT_EFORMAT, "a file: the metadata has no \"y\"");
    assert_refused(im_record_get_count(&count, &file, "a file", "m", &err), &err,
                   IMSAT_EFORMAT, "a file: the metadata has no \"m\"");
    im_safetensors_clear(&file);
}

static void ranges_are_kept(void **state)
{
    (void)state;
    imsat_error err;
    double number;
    uint64_t count;
    im_safetensors file = {0};
    assert_ok(im_record_count(&file, "n", 7, &err), &err);
    assert_ok(im_record_get_within(&count, &file, "f", "n", 7, 7, &err), &err);
    assert_int_equal(count, 7);
    assert_refused(im_record_get_within(&count, &file, "f", "n", 8, 9, &err), &err,
                   IMSAT_EFORMAT, "f: \"n\" is 7, and must be from 8 to 9");
    assert_refused(im_record_get_within(&count, &file, "f", "n", 0, 6, &err), &err,
                   IMSAT_EFORMAT, "f: \"n\" is 7, and must be from 0 to 6");
    assert_ok(im_record_number(&file, "x", -0.5, &err), &err);
    assert_ok(im_record_get_finite(&number, &file, "f", "x", -0.5, &err), &err);
    assert_true(number == -0.5);
    assert_refused(im_record_get_finite(&number, &file, "f", "x", 0, &err), &err,
                   IMSAT_EFORMAT, "f: \"x\" is -0.5, and must be 0 or more");
    assert_ok(im_record_number(&file, "x", (double)INFINITY, &err), &err);
    assert_refused(im_record_get_finite(&number, &file, "f", "x", 0, &err), &err,
                   IMSAT_EFORMAT, "f: \"x\" is inf, and must be finite");
    im_safetensors_clear(&file);
}

static void records_are_compared_by_prefix(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors now = {0}, then = {0};
    assert_ok(im_record_count(&now, "option.k", 10, &err), &err);
    assert_ok(im_record_count(&now, "data.rows", 7, &err), &err);
    assert_ok(im_record_count(&then, "option.k", 10, &err), &err);
    assert_ok(im_record_count(&then, "option.more", 1, &err), &err);
    assert_ok(im_record_same(&now, &then, "f", "option.", &err), &err);
    assert_refused(im_record_same(&now, &then, "f", "data.", &err), &err, IMSAT_EMISMATCH,
                   "f: was made with rows unset, but now it is 7");
    assert_ok(im_record_count(&then, "data.rows", 8, &err), &err);
    assert_refused(im_record_same(&now, &then, "f", "data.", &err), &err, IMSAT_EMISMATCH,
                   "f: was made with rows 8, but now it is 7");
    assert_refused(im_record_same(&now, &then, "f", "data.rows", &err), &err, IMSAT_EMISMATCH,
                   "f: was made with data.rows 8, but now it is 7");
    im_safetensors_clear(&now);
    im_safetensors_clear(&then);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_read_back_to_the_same_bits),
        cmocka_unit_test(a_number_may_be_not_finite),
        cmocka_unit_test(counts_read_back),
        cmocka_unit_test(integers_read_back),
        cmocka_unit_test(malformed_values_are_refused),
        cmocka_unit_test(ranges_are_kept),
        cmocka_unit_test(records_are_compared_by_prefix),
    };
    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
