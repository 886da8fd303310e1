/* SPDX-License-Identifier: MIT
 * The files of a folder, and the labels that folders are. */
#define _POSIX_C_SOURCE 200809L
#include "core/alloc.h"
#include "data/member.h"
#include "data_files.h"
#include "failing_alloc.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct listing {
    char text[2048];
    size_t used;
} listing;

static imsat_status list(void *context, const im_member *member, imsat_error *err)
{
    listing *l = context;
    (void)err;
    l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s=%.*s;",
                                member->name, (int)member->size, (const char *)member->data);
    return IMSAT_OK;
}

static void put(const char *root, const char *name, const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", root, name);
    write_file(path, text, strlen(text));
}

static void make(const char *root, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(mkdir(path, 0777), 0);
}

/* A folder with all kinds of things in it. */
static char root[512];

static int plant(void **state)
{
    folder_setup(state);
    snprintf(root, sizeof root, "%s", in_folder("tree"));
    assert_int_equal(mkdir(root, 0777), 0);
    make(root, "b");
    make(root, "b/deep");
    make(root, "a");
    make(root, ".git");
    put(root, "z", "last");
    put(root, "b/2", "two");
    put(root, "b/10", "ten");
    put(root, "b/deep/er", "deeper");
    put(root, "a/empty", "");
    put(root, ".hidden", "no");
    put(root, ".git/config", "no");
    return 0;
}

static int uproot(void **state)
{
    static const char *const names[] = {"z",       "b/2",     "b/10",        "b/deep/er",
                                        "a/empty", ".hidden", ".git/config", "b/deep",
                                        "b",       "a",       ".git",        ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", root, names[i]);
        assert_int_equal(remove(path), 0);
    }
    return folder_teardown(state);
}

static void files_come_sorted(void **state)
{
    (void)state;
    listing l = {0};
    imsat_error err;
    const char *expected = "a/empty=;b/10=ten;b/2=two;b/deep/er=deeper;z=last;";
    assert_true(im_folder_is(root));
    assert_ok(im_folder_each(root, list, &l, &err), &err);
    assert_string_equal(l.text, expected);
    char slashes[520];
    snprintf(slashes, sizeof slashes, "%s//", root);
    l = (listing){0};
    assert_ok(im_folder_each(slashes, list, &l, &err), &err);
    assert_string_equal(l.text, expected);
}

static void compressed_files_come_decompressed(void **state)
{
    (void)state;
    char path[700], folder[600];
    listing l = {0};
    imsat_error err;
    snprintf(folder, sizeof folder, "%s", in_folder("packed"));
    assert_int_equal(mkdir(folder, 0777), 0);
    snprintf(path, sizeof path, "%s/a.gz", folder);
    assert_int_equal(rename(file_gzip("a.gz", "small", 5), path), 0);
    assert_ok(im_folder_each(folder, list, &l, &err), &err);
    assert_string_equal(l.text, "a.gz=small;");
    remove(path);
    remove(folder);
}

static void a_circle_of_links_is_refused(void **state)
{
    (void)state;
    listing l = {0};
    imsat_error err;
    char path[1024];
    snprintf(path, sizeof path, "%s/b/deep/round", root);
    assert_int_equal(symlink(root, path), 0);
    assert_refused(im_folder_each(root, list, &l, &err), &err, IMSAT_EIO,
                   "b/deep/round: is a link to a folder that it is in");
    remove(path);
    assert_int_equal(symlink("nowhere", path), 0);
    l = (listing){0};
    assert_refused(im_folder_each(root, list, &l, &err), &err, IMSAT_EIO, "No such file");
    remove(path);
}

static void what_is_no_folder_is_refused(void **state)
{
    (void)state;
    listing l = {0};
    imsat_error err;
    assert_false(im_folder_is(in_folder("absent")));
    assert_false(im_folder_is(file_text("file", "x")));
    assert_refused(im_folder_each(in_folder("absent"), list, &l, &err), &err, IMSAT_EIO,
                   "absent: No such file");
}

static imsat_status cut(void *context, const im_member *member, imsat_error *err)
{
    char path[1024];
    (void)context;
    (void)err;
    snprintf(path, sizeof path, "%s/%s", root, member->name);
    if (strcmp(member->name, "b/2") == 0)
        assert_int_equal(truncate(path, 1), 0);
    return IMSAT_OK;
}

/* While it is looked at. */
static void a_file_that_becomes_shorter_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    assert_refused(im_folder_each(root, cut, NULL, &err), &err, IMSAT_EIO,
                   "tree/b/2: became shorter while it was read: 1 bytes are left of 3");
    put(root, "b/2", "two");
}

static imsat_status attempt(void *context, imsat_error *err)
{
    (void)context;
    listing l = {0};
    return im_folder_each(root, list, &l, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_each(attempt, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_come_sorted),
        cmocka_unit_test(compressed_files_come_decompressed),
        cmocka_unit_test(a_circle_of_links_is_refused),
        cmocka_unit_test(what_is_no_folder_is_refused),
        cmocka_unit_test(a_file_that_becomes_shorter_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, plant, uproot);
}
