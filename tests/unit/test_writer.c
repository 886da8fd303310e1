/* SPDX-License-Identifier: MIT
 * Files are written whole or not at all. */
#define _POSIX_C_SOURCE 200809L
#include "core/writer.h"

#include "failing_alloc.h"
#include "support.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void assert_content(const char *path, const char *expected)
{
    char content[64] = {0};
    read_file(path, content, sizeof content - 1);
    assert_string_equal(content, expected);
}

static void commit_replaces_the_file_at_once(void **state)
{
    (void)state;
    imsat_error err;
    im_writer writer = {0};
    const char *path = in_folder("out");
    write_file(path, "old", 3);
    const size_t entries = folder_count();
    assert_ok(im_writer_open(&writer, path, &err), &err);
    assert_ok(im_writer_put(&writer, "new ", 4, &err), &err);
    assert_ok(im_writer_put(&writer, NULL, 0, &err), &err);
    assert_ok(im_writer_put(&writer, "text", 4, &err), &err);
    assert_content(path, "old");
    assert_ok(im_writer_commit(&writer, &err), &err);
    assert_content(path, "new text");
    im_writer_clear(&writer);
    assert_content(path, "new text");
    assert_int_equal(folder_count(), entries);
}

static void abort_leaves_nothing(void **state)
{
    (void)state;
    imsat_error err;
    im_writer writer = {0};
    const char *path = in_folder("aborted");
    const size_t entries = folder_count();
    assert_ok(im_writer_open(&writer, path, &err), &err);
    assert_ok(im_writer_put(&writer, "text", 4, &err), &err);
    assert_int_equal(folder_count(), entries + 1);
    im_writer_clear(&writer);
    assert_int_equal(folder_count(), entries);
    im_writer_clear(&writer);
}

static void unwritable_places_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    im_writer writer = {0};
    const size_t entries = folder_count();
    assert_refused(im_writer_open(&writer, in_folder("no/file"), &err), &err, IMSAT_EIO,
                   "no/file: cannot be written: No such file or directory");
    assert_refused(im_writer_open(&writer, in_folder("."), &err), &err, IMSAT_EIO,
                   "is a directory");
    assert_null(writer.file);
    assert_int_equal(folder_count(), entries);
    if (geteuid() == 0)
        return; /* root writes where it likes */
    assert_int_equal(mkdir(in_folder("locked"), 0500), 0);
    assert_refused(im_writer_open(&writer, in_folder("locked/file"), &err), &err, IMSAT_EIO,
                   "locked/file: cannot be written: Permission denied");
}

static void imsat_writable_touches_nothing(void **state)
{
    (void)state;
    imsat_error err;
    const char *path = in_folder("touched");
    const size_t entries = folder_count();
    assert_ok(imsat_writable(path, &err), &err);
    assert_int_equal(folder_count(), entries);
    write_file(path, "kept", 4);
    assert_ok(imsat_writable(path, &err), &err);
    assert_content(path, "kept");
    assert_refused(imsat_writable(in_folder("no/file"), &err), &err, IMSAT_EIO, "no/file");
}

/* A full disk, played by a limit on the size of files. In a child: the limit stays. */
static int write_to_a_full_disk(const char *path)
{
    imsat_error err;
    im_writer writer = {0};
    const struct rlimit limit = {1000, 1000};
    char bytes[1500] = {0};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 ||
        im_writer_open(&writer, path, &err) != IMSAT_OK)
        return 1;
    if (im_writer_put(&writer, bytes, sizeof bytes, &err) == IMSAT_OK && /* may be buffered */
        im_writer_commit(&writer, &err) == IMSAT_OK)
        return 2;
    im_writer_clear(&writer);
    return strstr(err.message, "File too large") ? 0 : 3;
}

static void a_full_disk_keeps_the_old_file(void **state)
{
    (void)state;
    const char *path = in_folder("full");
    int status = 0;
    write_file(path, "old", 3);
    const size_t entries = folder_count();
    const pid_t child = fork();
    if (child == 0)
        _exit(write_to_a_full_disk(path));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_content(path, "old");
    assert_int_equal(folder_count(), entries);
}

static imsat_status attempt_write(void *context, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_writer writer = {0};
    IM_TRY(im_writer_open(&writer, context, err));
    IM_TRY(im_writer_put(&writer, "text", 4, err));
    IM_TRY(im_writer_commit(&writer, err));
cleanup:
    im_writer_clear(&writer);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", in_folder("scarce"));
    const size_t entries = folder_count();
    assert_int_equal(fail_each(attempt_write, path), 2);
    assert_int_equal(folder_count(), entries + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commit_replaces_the_file_at_once),
        cmocka_unit_test(abort_leaves_nothing),
        cmocka_unit_test(unwritable_places_are_refused),
        cmocka_unit_test(imsat_writable_touches_nothing),
        cmocka_unit_test(a_full_disk_keeps_the_old_file),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("writer", tests, folder_setup, folder_teardown);
}
