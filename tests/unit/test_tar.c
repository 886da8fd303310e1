/* SPDX-License-Identifier: MIT
 * tar archives: what is in them, plain and compressed, and what is wrong with others. */
#include "data/member.h"

#include "core/alloc.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "tar_files.h"

#include <stdio.h>
#include <string.h>

/* "name=contents;" of each member. */
typedef struct listing {
    char text[4096];
    size_t used, count;
} listing;

static imsat_status list(void *context, const im_member *member, imsat_error *err)
{
    listing *l = context;
    assert_non_null(member->data);
    if (strcmp(member->name, "stop") == 0)
        return im_fail(err, IMSAT_ESTOPPED, "stop");
    l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s=%.*s;",
                                member->name, (int)(member->size < 40 ? member->size : 40),
                                (const char *)member->data);
    l->count++;
    return IMSAT_OK;
}

static imsat_status list_file(listing *l, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {0};
    *l = (listing){0};
    IM_TRY(im_bytes_open(&bytes, path, err));
    assert_true(im_tar_holds(&bytes));
    IM_TRY(im_tar_each(&bytes, path, list, l, err));

cleanup:
    im_bytes_clear(&bytes);
    return st;
}

/* Of the archive as it is, and compressed. */
static void assert_listing(const tar_bytes *tar, const char *expected)
{
    listing l;
    imsat_error err;
    assert_ok(list_file(&l, file_put("a.tar", tar->data, tar->size), &err), &err);
    assert_string_equal(l.text, expected);
    assert_ok(list_file(&l, file_gzip("a.tar.gz", tar->data, tar->size), &err), &err);
    assert_string_equal(l.text, expected);
}

static void assert_damaged(const tar_bytes *tar, const char *why)
{
    listing l;
    imsat_error err;
    const char *path = file_put("bad.tar", tar->data, tar->size);
    assert_refused(list_file(&l, path, &err), &err, IMSAT_EFORMAT, why);
    assert_message(&err, path, "");
    path = file_gzip("bad.tar.gz", tar->data, tar->size);
    assert_refused(list_file(&l, path, &err), &err, IMSAT_EFORMAT, why);
}

static tar_bytes tar;

static void start(void)
{
    memset(&tar, 0, sizeof tar);
}

static void members_come_in_order(void **state)
{
    char block[512];
    (void)state;
    start();
    memset(block, 'x', sizeof block);
    tar_add(&tar, '5', "top/", NULL, 0);
    tar_add(&tar, '0', "top/b", "second", 6);
    tar_add(&tar, '\0', "top/a", "first", 5);
    tar_add(&tar, '2', "top/link", NULL, 0);
    tar_add(&tar, '0', "empty", NULL, 0);
    tar_add(&tar, '0', "block", block, sizeof block);
    tar_add(&tar, '0', ".DS_Store", "hidden", 6);
    tar_add(&tar, '0', "top/._b", "hidden", 6);
    tar_add(&tar, '\0', "old/", NULL, 0); /* a folder of before types */
    const char *expected =
        "top/b=second;top/a=first;empty=;block=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;";
    assert_listing(&tar, expected); /* also without an end */
    tar_end(&tar);
    assert_listing(&tar, expected);
    tar_add(&tar, '0', "behind", "the end", 7);
    assert_listing(&tar, expected);
}

static void names_may_be_long(void **state)
{
    (void)state;
    start();
    char name[200], expected[1024], line[300];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    tar_add(&tar, 'L', "././@LongLink", name, sizeof name);
    tar_add(&tar, '0', "cut", "gnu", 3);
    tar_add(&tar, 'g', "global", "13 comment=x\n", 13);
    const int size = snprintf(line, sizeof line, "16 mtime=123456\n211 path=%s/x\n", name);
    assert_int_equal(size, 16 + 211);
    tar_add(&tar, 'x', "pax", line, (size_t)size);
    tar_add(&tar, 'g', "global", "13 comment=x\n", 13);
    tar_add(&tar, '0', "cut", "pax", 3);
    unsigned char *header = tar_add(&tar, '0', "c/d", "posix", 5);
    memcpy(header + 257, "ustar\00000", 8);
    memcpy(header + 345, "a/b", 3);
    tar_sum(header);
    snprintf(expected, sizeof expected, "%s=gnu;%s/x=pax;a/b/c/d=posix;", name, name);
    assert_listing(&tar, expected);
}

static void sizes_may_be_binary(void **state)
{
    (void)state;
    start();
    unsigned char *header = tar_add(&tar, '0', "binary", "seven b", 7);
    memset(header + 124, 0, 12);
    header[124] = 0x80;
    header[135] = 7;
    tar_sum(header);
    assert_listing(&tar, "binary=seven b;");
}

static void a_visitor_may_stop(void **state)
{
    (void)state;
    start();
    listing l;
    imsat_error err;
    tar_add(&tar, '0', "one", "1", 1);
    tar_add(&tar, '0', "stop", "2", 1);
    tar_add(&tar, '0', "three", "3", 1);
    assert_int_equal(list_file(&l, file_put("stop.tar", tar.data, tar.size), &err),
                     IMSAT_ESTOPPED);
    assert_string_equal(l.text, "one=1;");
}

static void damage_is_found(void **state)
{
    (void)state;
    start();
    tar_add(&tar, '0', "one", "1", 1);
    unsigned char *header = tar_add(&tar, '0', "two", "22", 2);
    header[0] ^= 1;
    assert_damaged(&tar, "at byte 1536: a header has another sum");
    header[0] ^= 1;
    memcpy(header + 124, "nine       ", 11);
    tar_sum(header);
    assert_damaged(&tar, "a size is not a number");
    snprintf((char *)header + 124, 12, "%011o", 513);
    tar_sum(header);
    assert_damaged(&tar, "it is cut short");
    memset(header + 124, 0xff, 12);
    header[124] = 0x80;
    tar_sum(header);
    assert_damaged(&tar, "a size is not a number");
    memset(header + 124, 0, 12);
    header[124] = 0x80;
    memset(header + 128, 0x7f, 8);
    tar_sum(header);
    assert_damaged(&tar, "it is cut short");
    tar.size -= 600;
    assert_damaged(&tar, "it is cut short");
}

static void extensions_that_say_nothing_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"x", "6 path", "99 path=a\n", "9 path=ab", "0 a=b\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        start();
        tar_add(&tar, 'x', "pax", bad[i], strlen(bad[i]));
        assert_damaged(&tar, "a header of pax is malformed");
    }
    start();
    tar_add(&tar, 'x', "pax", "22 size=9999999999999\n", 22);
    assert_damaged(&tar, "a member has more than 8 GB");
    start();
    char name[5000];
    memset(name, 'n', sizeof name);
    tar_add(&tar, 'L', "long", name, sizeof name);
    assert_damaged(&tar, "a name is too long");
    start();
    tar_add(&tar, 'S', "holes", "abc", 3);
    assert_damaged(&tar, "holes has holes");
}

/* A header claims 8 GB. */
static void memory_is_that_of_what_there_is(void **state)
{
    (void)state;
    start();
    listing l;
    imsat_error err;
    unsigned char *header = tar_add(&tar, '0', "huge", "x", 1);
    memset(header + 124, '7', 11);
    tar_sum(header);
    const char *path = file_gzip("huge.tar.gz", tar.data, tar.size);
    failing_alloc_arm(0);
    assert_refused(list_file(&l, path, &err), &err, IMSAT_EFORMAT, "it is cut short");
    assert_true(failing_alloc_largest() < 1 << 20);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    listing l;
    return list_file(&l, context, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    start();
    static char text[40000];
    char path[512];
    tar_add(&tar, '0', "text", text, sizeof text);
    snprintf(path, sizeof path, "%s", file_gzip("text.tar.gz", tar.data, tar.size));
    assert_true(fail_each(attempt, path) >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_come_in_order),
        cmocka_unit_test(names_may_be_long),
        cmocka_unit_test(sizes_may_be_binary),
        cmocka_unit_test(a_visitor_may_stop),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(extensions_that_say_nothing_are_refused),
        cmocka_unit_test(memory_is_that_of_what_there_is),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
