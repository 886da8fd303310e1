/* SPDX-License-Identifier: MIT
 * Temporary files: their names, and which of them are left over. */
#define _GNU_SOURCE
#include "core/temporary.h"

#include "support.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static im_place place_of(const char *path)
{
    imsat_error err;
    im_place place;
    assert_ok(im_place_find(&place, path, &err), &err);
    return place;
}

/* Make one; the descriptor, which holds it. */
static int make(char name[IM_TEMPORARY_NAME], const im_place *place)
{
    imsat_error err;
    int descriptor = -1;
    assert_ok(im_temporary_make(name, &descriptor, place, "file", &err), &err);
    return descriptor;
}

static bool is_there(const im_place *place, const char *name)
{
    return faccessat(place->folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void names_cannot_be_guessed(void **state)
{
    char a[IM_TEMPORARY_NAME], b[IM_TEMPORARY_NAME], c[IM_TEMPORARY_NAME];
    (void)state;
    im_place file = place_of(in_folder("file")), other = place_of(in_folder("other"));
    const int of_a = make(a, &file), of_b = make(b, &file), of_c = make(c, &other);
    assert_int_equal(strlen(a), 44);
    assert_memory_equal(a, ".imsat-", 7);
    assert_memory_equal(a, b, 24); /* the part that says of which file */
    assert_memory_not_equal(a, c, 24);
    assert_memory_not_equal(a + 24, b + 24, 16);
    assert_string_equal(a + 40, ".tmp");
    unlinkat(file.folder, a, 0);
    unlinkat(file.folder, b, 0);
    unlinkat(other.folder, c, 0);
    close(of_a);
    close(of_b);
    close(of_c);
    im_place_clear(&other);
    im_place_clear(&file);
}

static void only_what_nobody_holds_is_swept(void **state)
{
    char held[IM_TEMPORARY_NAME], left[IM_TEMPORARY_NAME], others[IM_TEMPORARY_NAME];
    (void)state;
    im_place file = place_of(in_folder("file")), other = place_of(in_folder("other"));
    const int holds = make(held, &file);
    close(make(left, &file));
    close(make(others, &other));
    im_temporary_sweep(&file);
    assert_true(is_there(&file, held));
    assert_false(is_there(&file, left));
    assert_true(is_there(&file, others));
    close(holds);
    im_temporary_sweep(&file);
    assert_false(is_there(&file, held));
    im_temporary_sweep(&other);
    assert_int_equal(folder_count(), 0);
    im_place_clear(&other);
    im_place_clear(&file);
}

/* What only looks like one is not touched, nor followed. */
static void what_is_not_ours_stays(void **state)
{
    char name[IM_TEMPORARY_NAME];
    const char *const beside[] = {"file", "file.1.tmp", ".imsat-0123456789abcdef-0.tmp"};
    (void)state;
    im_place place = place_of(in_folder("swept"));
    for (size_t i = 0; i < 3; i++)
        write_file(in_folder(beside[i]), "", 0);
    close(make(name, &place));
    assert_int_equal(unlinkat(place.folder, name, 0), 0);
    assert_int_equal(symlinkat("file", place.folder, name), 0);
    im_temporary_sweep(&place);
    assert_true(is_there(&place, name));
    name[25] = 'g'; /* not a digit */
    write_file(in_folder(name), "", 0);
    im_temporary_sweep(&place);
    assert_true(is_there(&place, name));
    for (size_t i = 0; i < 3; i++)
        assert_true(is_there(&place, beside[i]));
    im_place_clear(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_cannot_be_guessed),
        cmocka_unit_test(only_what_nobody_holds_is_swept),
        cmocka_unit_test(what_is_not_ours_stays),
    };
    return cmocka_run_group_tests_name("temporary", tests, folder_setup, folder_teardown);
}
