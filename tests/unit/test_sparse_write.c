/* SPDX-License-Identifier: MIT
 * Sparse rows as text. */
#include "data_files.h"
#include "failing_alloc.h"

#include <string.h>

static void rows_are_lines_of_what_is_not_zero(void **state)
{
    (void)state;
    imsat_error err;
    char text[256];
    imsat_data *data =
        open_with(file_text("x.csv", "0,1.5,0,7\n0,0,0,3\n-0.1,0,1e-30,4\n"), "-1");
    const char *path = in_folder("x.svmlight");
    assert_ok(imsat_svmlight_write(path, data, &err), &err);
    const size_t size = read_file(path, text, sizeof text);
    const char *expected = "7 2:1.5\n3\n4 1:-0.1 3:1e-30\n";
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(text, expected, size);
    imsat_data_free(data);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    return imsat_svmlight_write(in_folder("y.svmlight"), context, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = open_with(file_text("x.csv", "0,1.5\n0,0\n"), NULL);
    assert_true(fail_each(attempt, data) >= 2);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_lines_of_what_is_not_zero),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
