/* SPDX-License-Identifier: MIT
 * Files: read whole or refused; written whole or not at all. */
#define _POSIX_C_SOURCE 200809L
#include "core/file.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "support.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

/* More than one chunk of the reader, and not a multiple of it. */
enum { LARGE = 200003 };

/* Bytes that gzip cannot shrink to nothing. */
static unsigned char *make_bytes(size_t size)
{
    unsigned char *bytes = im_alloc(size, 1);
    assert_non_null(bytes);
    uint32_t x = 1;
    for (size_t i = 0; i < size; i++) {
        x = x * 1664525U + 1013904223U;
        bytes[i] = (unsigned char)(x >> 24);
    }
    return bytes;
}

static void write_gzip(const char *path, const void *bytes, unsigned size)
{
    gzFile file = gzopen(path, "wb1");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, bytes, size), (int)size);
    assert_int_equal(gzclose(file), Z_OK);
}

static void a_plain_file_is_mapped(void **state)
{
    (void)state;
    imsat_error err;
    im_bytes bytes = {0};
    write_file(in_folder("plain"), "some bytes", 10);
    assert_ok(im_bytes_open(&bytes, in_folder("plain"), &err), &err);
    assert_int_equal(bytes.size, 10);
    assert_memory_equal(bytes.data, "some bytes", 10);
    assert_non_null(bytes.mapped);
    assert_null(bytes.heap);
    im_bytes_clear(&bytes);
    assert_null(bytes.data);
    im_bytes_clear(&bytes);
    write_file(in_folder("plain"), "\x1f", 1); /* half of gzip's mark */
    assert_ok(im_bytes_open(&bytes, in_folder("plain"), &err), &err);
    assert_int_equal(bytes.size, 1);
    im_bytes_clear(&bytes);
}

/* What is released is still there, page by page and all at once. */
static void released_bytes_can_be_read(void **state)
{
    (void)state;
    imsat_error err;
    im_bytes bytes = {0};
    unsigned char *content = make_bytes(LARGE);
    write_file(in_folder("large"), content, LARGE);
    assert_ok(im_bytes_open(&bytes, in_folder("large"), &err), &err);
    im_bytes_release(&bytes, 0, 0);
    im_bytes_release(&bytes, 1, 2);
    im_bytes_release(&bytes, 5000, 20001);
    assert_memory_equal(bytes.data, content, LARGE);
    im_bytes_release(&bytes, 0, LARGE);
    assert_memory_equal(bytes.data, content, LARGE);
    im_bytes_clear(&bytes);
    im_bytes heap = {.data = content, .size = LARGE, .heap = content};
    im_bytes_release(&heap, 0, LARGE);
    assert_int_equal(heap.data[LARGE - 1], content[LARGE - 1]);
    im_bytes_clear(&heap);
}

static void a_gzip_file_is_decompressed(void **state)
{
    (void)state;
    imsat_error err;
    im_bytes bytes = {0};
    unsigned char *content = make_bytes(LARGE);
    write_gzip(in_folder("named-anything"), content, LARGE);
    assert_ok(im_bytes_open(&bytes, in_folder("named-anything"), &err), &err);
    assert_int_equal(bytes.size, LARGE);
    assert_memory_equal(bytes.data, content, LARGE);
    assert_non_null(bytes.heap);
    im_bytes_clear(&bytes);
    write_gzip(in_folder("void.gz"), "", 0);
    assert_ok(im_bytes_open(&bytes, in_folder("void.gz"), &err), &err);
    assert_int_equal(bytes.size, 0);
    im_bytes_clear(&bytes);
    im_free(content);
}

static void a_broken_gzip_file_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    im_bytes bytes = {.size = 77};
    unsigned char *content = make_bytes(LARGE), *packed = im_alloc(2 * LARGE, 1);
    assert_non_null(packed);
    write_gzip(in_folder("whole.gz"), content, LARGE);
    const size_t size = read_file(in_folder("whole.gz"), packed, 2 * LARGE);
    const size_t cuts[] = {2, 9, 11, size / 2, size - 9, size - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        write_file(in_folder("cut.gz"), packed, cuts[i]);
        const imsat_status st = im_bytes_open(&bytes, in_folder("cut.gz"), &err);
        if (st != IMSAT_EFORMAT)
            fail_msg("cut after %zu of %zu bytes: %s", cuts[i], size, imsat_status_name(st));
    }
    packed[size - 6] ^= 1; /* in the checksum */
    write_file(in_folder("flipped.gz"), packed, size);
    assert_refused(im_bytes_open(&bytes, in_folder("flipped.gz"), &err), &err, IMSAT_EFORMAT,
                   "flipped.gz: ");
    assert_int_equal(bytes.size, 77);
    im_free(packed);
    im_free(content);
}

static void what_is_not_a_file_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    im_bytes bytes = {.size = 77};
    assert_refused(im_bytes_open(&bytes, in_folder("."), &err), &err, IMSAT_EIO,
                   "is a directory");
    assert_refused(im_bytes_open(&bytes, in_folder("missing"), &err), &err, IMSAT_EIO,
                   "missing: No such file");
    write_file(in_folder("empty"), "", 0);
    assert_refused(im_bytes_open(&bytes, in_folder("empty"), &err), &err, IMSAT_EFORMAT,
                   "empty: the file is empty");
    assert_refused(im_bytes_open(&bytes, "/dev/null", &err), &err, IMSAT_EIO,
                   "not a regular file");
    assert_int_equal(bytes.size, 77);
    assert_true(im_file_exists(in_folder("empty")));
    assert_false(im_file_exists(in_folder("missing")));
}

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

static imsat_status attempt_gunzip(void *context, imsat_error *err)
{
    im_bytes bytes = {.size = 77};
    const imsat_status st = im_bytes_open(&bytes, context, err);
    assert_int_equal(bytes.size, st == IMSAT_OK ? LARGE : 77);
    if (st == IMSAT_OK)
        im_bytes_clear(&bytes);
    return st;
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

static void suffixes_in_any_case(void **state)
{
    (void)state;
    assert_true(im_file_path_ends("a/b.npy", ".npy"));
    assert_true(im_file_path_ends("b.npy.gz", ".npy"));
    assert_true(im_file_path_ends("b.CSV.GZ", ".csv"));
    assert_false(im_file_path_ends("b.npy.bak", ".npy"));
    assert_false(im_file_path_ends("npy", ".npy"));
    assert_false(im_file_path_ends("", ".npy"));
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[512];
    unsigned char *content = make_bytes(LARGE);
    snprintf(path, sizeof path, "%s", in_folder("scarce.gz"));
    write_gzip(path, content, LARGE);
    im_free(content);
    assert_int_equal(fail_each(attempt_gunzip, path), 3); /* 64 KiB, doubled twice */
    snprintf(path, sizeof path, "%s", in_folder("scarce"));
    const size_t entries = folder_count();
    assert_int_equal(fail_each(attempt_write, path), 2);
    assert_int_equal(folder_count(), entries + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_file_is_mapped),
        cmocka_unit_test(released_bytes_can_be_read),
        cmocka_unit_test(a_gzip_file_is_decompressed),
        cmocka_unit_test(a_broken_gzip_file_is_refused),
        cmocka_unit_test(what_is_not_a_file_is_refused),
        cmocka_unit_test(commit_replaces_the_file_at_once),
        cmocka_unit_test(abort_leaves_nothing),
        cmocka_unit_test(unwritable_places_are_refused),
        cmocka_unit_test(imsat_writable_touches_nothing),
        cmocka_unit_test(a_full_disk_keeps_the_old_file),
        cmocka_unit_test(suffixes_in_any_case),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("file", tests, folder_setup, folder_teardown);
}
