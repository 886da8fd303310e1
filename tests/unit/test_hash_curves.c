/* SPDX-License-Identifier: MIT
 * The curves of a hash score as a file. */
#include "imsat/search.h"

#include "support.h"

#include <stdio.h>

static void lines_read_back(void **state)
{
    (void)state;
    imsat_error err;
    char text[512] = "", expected[512];
    double recall[] = {0.1, 1. / 3, 1}, precision[] = {1, 2. / 3, 0};
    const imsat_hash_score score = {.bits = 2, .recall = recall, .precision = precision};
    const char *path = in_folder("curves.csv");
    assert_ok(imsat_hash_curves_write(path, &score, &err), &err);
    text[read_file(path, text, sizeof text - 1)] = '\0';
    snprintf(expected, sizeof expected,
             "radius,recall,precision\n0,%.17g,%.17g\n1,%.17g,%.17g\n2,%.17g,%.17g\n",
             recall[0], precision[0], recall[1], precision[1], recall[2], precision[2]);
    assert_string_equal(text, expected);
    assert_int_equal(folder_count(), 1);
}

static void refused_without_a_folder(void **state)
{
    (void)state;
    imsat_error err;
    double zero[] = {0, 0};
    const imsat_hash_score score = {.bits = 1, .recall = zero, .precision = zero};
    assert_refused(imsat_hash_curves_write(in_folder("no/curves.csv"), &score, &err), &err,
                   IMSAT_EIO, "no/curves.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_read_back),
        cmocka_unit_test(refused_without_a_folder),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
