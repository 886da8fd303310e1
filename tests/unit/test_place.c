/* SPDX-License-Identifier: MIT
 * Where the names of outputs lead, and when two of them lead to the same file. */
#define _GNU_SOURCE
#include "core/place.h"

#include "support.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOBODY = 65533 }; /* a user who is not us */

/* The place of a name must have this last name, and exist or not. */
static void assert_place(const char *path, const char *name, bool exists)
{
    imsat_error err;
    im_place place;
    assert_ok(im_place_find(&place, path, &err), &err);
    assert_string_equal(place.name, name);
    assert_int_equal(place.exists, exists);
    assert_int_equal(place.descriptor, -1);
    im_place_clear(&place);
}

static void refused(const char *path, const char *why)
{
    imsat_error err;
    im_place place;
    assert_refused(im_place_find(&place, path, &err), &err, IMSAT_EIO, why);
}

static void links_are_followed(void **state)
{
    (void)state;
    write_file(in_folder("file"), "", 0);
    assert_int_equal(mkdir(in_folder("sub"), 0700), 0);
    assert_int_equal(symlink("file", in_folder("link")), 0);
    assert_int_equal(symlink("../link", in_folder("sub/up")), 0);
    assert_int_equal(symlink("sub/none", in_folder("dangling")), 0);
    assert_int_equal(symlink(in_folder("sub/none"), in_folder("absolute")), 0);
    assert_place(in_folder("file"), "file", true);
    assert_place(in_folder("sub/../file"), "file", true);
    assert_place(in_folder("link"), "file", true);
    assert_place(in_folder("sub/up"), "file", true);
    assert_place(in_folder("dangling"), "none", false);
    assert_place(in_folder("absolute"), "none", false);
    assert_place("no such file here", "no such file here", false);
}

static void what_is_no_place(void **state)
{
    char name[5000];
    (void)state;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    refused(name, "File name too long");
    name[256] = '\0';
    refused(name, "File name too long");
    refused("", "No such file");
    refused(in_folder("no/file"), "no/file: cannot be written: No such file");
    refused(in_folder("file/x"), "file/x: cannot be written: Not a directory");
    refused("/", "/: is a directory");
    refused(in_folder("sub"), "sub: is a directory");
    refused(in_folder("sub/"), "sub/: is a directory");
    refused(in_folder("sub/.."), "sub/..: is a directory");
    assert_int_equal(symlink("round", in_folder("round")), 0);
    refused(in_folder("round"), "Too many levels of symbolic links");
}

/* In a folder where everybody may write, links of others are not followed. */
static void planted_links_are_refused(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip(); /* only root can give a link to another */
    assert_int_equal(mkdir(in_folder("shared"), 0700), 0);
    assert_int_equal(symlink("../file", in_folder("shared/mine")), 0);
    assert_int_equal(symlink("../file", in_folder("shared/planted")), 0);
    assert_int_equal(lchown(in_folder("shared/planted"), NOBODY, NOBODY), 0);
    assert_place(in_folder("shared/planted"), "file", true);
    assert_int_equal(chmod(in_folder("shared"), 01777), 0);
    assert_place(in_folder("shared/mine"), "file", true);
    refused(in_folder("shared/planted"), "shared/planted: cannot be written: Permission");
    assert_int_equal(unlink(in_folder("shared/mine")), 0);
    assert_int_equal(unlink(in_folder("shared/planted")), 0);
}

static void descriptors_are_known(void **state)
{
    int ends[2];
    char path[64];
    im_place place;
    imsat_error err;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    const char *const forms[] = {"/dev/fd/%d", "/proc/self/fd/%d"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, forms[i], ends[1]);
        assert_int_equal(unlink(in_folder("out")) == 0, i > 0);
        assert_int_equal(symlink(path, in_folder("out")), 0);
        assert_ok(im_place_find(&place, in_folder("out"), &err), &err);
        assert_int_equal(place.descriptor, ends[1]);
        assert_true(im_place_is_stream(&place));
        im_place_clear(&place);
    }
    assert_ok(im_place_find(&place, "/dev/stdout", &err), &err);
    assert_int_equal(place.descriptor, STDOUT_FILENO);
    im_place_clear(&place);
    close(ends[0]);
    close(ends[1]);
    refused(path, "cannot be written: Bad file descriptor");
}

static void same_files(void **state)
{
    (void)state;
    assert_true(imsat_same_file(in_folder("file"), in_folder("file")));
    assert_true(imsat_same_file(in_folder("file"), in_folder("sub/.././file")));
    assert_true(imsat_same_file(in_folder("file"), in_folder("sub/up")));
    assert_int_equal(link(in_folder("file"), in_folder("hard")), 0);
    assert_true(imsat_same_file(in_folder("hard"), in_folder("link")));
    assert_true(imsat_same_file(in_folder("file"), in_folder("file:inside")));
    /* These do not exist. */
    assert_true(imsat_same_file(in_folder("sub/none"), in_folder("./sub//none")));
    assert_true(imsat_same_file(in_folder("sub/none"), in_folder("dangling")));
    assert_true(imsat_same_file(in_folder("absolute"), in_folder("dangling")));
}

static void other_files(void **state)
{
    (void)state;
    write_file(in_folder("other"), "", 0);
    assert_false(imsat_same_file(in_folder("file"), in_folder("other")));
    assert_false(imsat_same_file(in_folder("file"), in_folder("other:file")));
    assert_false(imsat_same_file(in_folder("file"), in_folder("none")));
    assert_false(imsat_same_file(in_folder("none"), in_folder("file")));
    assert_false(imsat_same_file(in_folder("none"), in_folder("sub/none")));
    assert_false(imsat_same_file(in_folder("none"), in_folder("nothing")));
    assert_false(imsat_same_file(in_folder("no/file"), in_folder("no/file")));
    assert_false(imsat_same_file(NULL, in_folder("file")));
    assert_false(imsat_same_file(in_folder("file"), NULL));
    assert_false(imsat_same_file("/dev/null", "/dev/null"));
}

static int teardown(void **state)
{
    unlink(in_folder("sub/up")); /* folders are removed if they are empty */
    return folder_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(what_is_no_place),
        cmocka_unit_test(planted_links_are_refused),
        cmocka_unit_test(descriptors_are_known),
        cmocka_unit_test(same_files),
        cmocka_unit_test(other_files),
    };
    return cmocka_run_group_tests_name("place", tests, folder_setup, teardown);
}
