/* SPDX-License-Identifier: MIT
 * Which columns of tables span the least and the most. */
#include "data/dataset.h"
#include "data_files.h"
#include "failing_alloc.h"

#include <math.h>

static double ratio_of(const imsat_data *data, size_t *narrow, size_t *wide)
{
    double ratio = NAN;
    imsat_error err = {{0}};
    assert_ok(imsat_data_scales(narrow, wide, &ratio, data, &err), &err);
    return ratio;
}

static void ranges_are_compared(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double ratio;
        size_t narrow, wide;
    } cases[] = {
        {"a,b,c\n0.5,100,7\n1,1000,7\n0.75,500,7\n", 1800, 0, 1}, /* c is constant */
        {"a,b,c\n-1000,0,3\n1000,1,5\n", 2000, 1, 0},
        {"a,b\n0,0\n255,1\n", 1, 0, 0}, /* as pixels are */
        {"a,b\n0,0\n255,0.5\n", 510, 1, 0},
        {"a,b\n0,0\n256,1\n", 256, 1, 0},
        {"a,b\n1000,3.5\n1000,3.5\n", 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t narrow = 9, wide = 9;
        imsat_data *data = open_with(file_text("t.csv", cases[i].text), NULL);
        assert_true(ratio_of(data, &narrow, &wide) == cases[i].ratio);
        if (cases[i].ratio > 1) {
            assert_int_equal(narrow, cases[i].narrow);
            assert_int_equal(wide, cases[i].wide);
        }
        imsat_data_free(data);
    }
}

static void all_files_count(void **state)
{
    (void)state;
    const char *const paths[] = {file_text("a.csv", "a,b\n1,1\n2,2\n"),
                                 file_text("b.csv", "b,a\n3,5001\n")};
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    size_t narrow, wide;
    assert_ok(imsat_data_open(&data, paths, 2, NULL, &err), &err);
    assert_true(ratio_of(data, &narrow, &wide) == 2500);
    imsat_data_free(data);
}

static void other_rows_are_of_one_scale(void **state)
{
    (void)state;
    const float x[4] = {0, 0, 1000, 1};
    size_t narrow, wide;
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    assert_ok(imsat_data_view(&data, x, 2, 2, 2, &err), &err);
    assert_true(ratio_of(data, &narrow, &wide) == 1);
    imsat_data_free(data);
    data = open_with(file_text("t.csv", "0,0\n1000,1\n"), NULL);
    assert_true(ratio_of(data, &narrow, &wide) == 1000);
    data->image = (imsat_image){1, 2, 1};
    assert_true(ratio_of(data, &narrow, &wide) == 1);
    imsat_data_free(data);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    size_t narrow, wide;
    double ratio;
    return imsat_data_scales(&narrow, &wide, &ratio, context, err);
}

static void memory_that_is_not_there(void **state)
{
    (void)state;
    imsat_data *data = open_with(file_text("t.csv", "0,0\n1000,1\n"), NULL);
    assert_int_equal(fail_each(attempt, data), 3);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_compared),
        cmocka_unit_test(all_files_count),
        cmocka_unit_test(other_rows_are_of_one_scale),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
