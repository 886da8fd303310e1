/* SPDX-License-Identifier: MIT
 * Names of files. */
#define _POSIX_C_SOURCE 200809L
#include "core/path.h"

#include "core/alloc.h"
#include "support.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void a_file_exists_or_not(void **state)
{
    (void)state;
    write_file(in_folder("there"), "", 0);
    assert_true(im_path_exists(in_folder("there")));
    assert_false(im_path_exists(in_folder("missing")));
    assert_false(im_path_exists(in_folder("there/below")));
    assert_int_equal(symlink("loop", in_folder("loop")), 0);
    assert_true(im_path_exists(in_folder("loop"))); /* nobody can say that it does not */
}

static void a_file_is_the_same_by_any_name(void **state)
{
    im_path_file file, again, other;
    (void)state;
    write_file(in_folder("other"), "", 0);
    assert_true(im_path_identify(&file, in_folder("there")));
    assert_true(im_path_identify(&again, in_folder("./there")));
    assert_true(im_path_identify(&other, in_folder("other")));
    assert_memory_equal(&file, &again, sizeof file);
    assert_memory_not_equal(&file, &other, sizeof file);
    assert_false(im_path_identify(&file, in_folder("missing")));
}

static void assert_parts(const char *path, const char *file, const char *inside)
{
    im_path_parts parts;
    assert_true(im_path_split(&parts, path));
    assert_string_equal(parts.file, file);
    if (inside)
        assert_string_equal(parts.inside, inside);
    else
        assert_null(parts.inside);
    im_path_parts_clear(&parts);
    assert_null(parts.file);
}

static void a_name_behind_a_colon_is_inside(void **state)
{
    (void)state;
    char file[256], longer[256];
    snprintf(file, sizeof file, "%s", in_folder("a.npz"));
    snprintf(longer, sizeof longer, "%s", in_folder("a.npz:b"));
    write_file(file, "", 0);
    assert_parts(file, file, NULL);
    assert_parts(longer, file, "b");
    assert_parts(in_folder("a.npz:b:c"), file, "b:c");
    assert_parts(in_folder("a.npz:"), file, "");
    write_file(longer, "", 0);
    assert_parts(longer, longer, NULL);
    assert_parts(in_folder("a.npz:b:c"), longer, "c");
    assert_parts(in_folder("none:b:c"), in_folder("none:b:c"), NULL);
    assert_parts(":b", ":b", NULL);
}

static void suffixes_in_any_case(void **state)
{
    (void)state;
    assert_true(im_path_ends("a/b.npy", ".npy"));
    assert_true(im_path_ends("b.npy.gz", ".npy"));
    assert_true(im_path_ends("b.CSV.GZ", ".csv"));
    assert_true(im_path_ends("b.csv.zst", ".csv"));
    assert_true(im_path_ends("b.csv.xz", ".csv"));
    assert_true(im_path_ends("b.csv.Bz2", ".csv"));
    assert_false(im_path_ends("b.csv.gz.xz", ".csv")); /* which nothing unpacks */
    assert_false(im_path_ends("b.npy.bak", ".npy"));
    assert_false(im_path_ends("npy", ".npy"));
    assert_false(im_path_ends("", ".npy"));
}

static void a_pipe_does_not_last(void **state)
{
    (void)state;
    const char *pipe = in_folder("pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_false(im_path_lasts(pipe));
    write_file(in_folder("lasts"), "x", 1);
    assert_true(im_path_lasts(in_folder("lasts")));
    assert_true(im_path_lasts(in_folder("")));
    assert_true(im_path_lasts(in_folder("absent")));
}

static void assert_found(const char *path, const char *expected)
{
    char *found = NULL;
    assert_true(im_path_find(&found, path));
    if (!expected)
        assert_null(found);
    else
        assert_string_equal(found, expected);
    im_free(found);
}

static void a_file_is_found_as_a_compressor_names_it(void **state)
{
    (void)state;
    char path[512], packed[520];
    snprintf(path, sizeof path, "%s", in_folder("found.tar"));
    snprintf(packed, sizeof packed, "%s.xz", path);
    assert_found(path, NULL);
    write_file(packed, "x", 1);
    assert_found(path, packed);
    write_file(path, "x", 1);
    assert_found(path, path);
    assert_found(packed, packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_exists_or_not),
        cmocka_unit_test(a_file_is_the_same_by_any_name),
        cmocka_unit_test(a_name_behind_a_colon_is_inside),
        cmocka_unit_test(suffixes_in_any_case),
        cmocka_unit_test(a_pipe_does_not_last),
        cmocka_unit_test(a_file_is_found_as_a_compressor_names_it),
    };
    return cmocka_run_group_tests_name("path", tests, folder_setup, folder_teardown);
}
