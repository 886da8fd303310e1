/* SPDX-License-Identifier: MIT
 * Files are read as far as they are needed, or refused. */
#define _POSIX_C_SOURCE 200809L
#include "core/bytes.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "support.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
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

/* What was opened stays what it is, whatever the name comes to mean. */
static void an_open_file_is_mapped(void **state)
{
    (void)state;
    imsat_error err;
    im_bytes bytes = {0};
    const char *path = in_folder("open");
    write_file(path, "some bytes", 10);
    const int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    assert_int_equal(unlink(path), 0);
    write_file(path, "others", 6);
    assert_ok(im_bytes_open_fd(&bytes, fd, path, &err), &err);
    assert_int_equal(close(fd), 0);
    assert_int_equal(bytes.size, 10);
    assert_memory_equal(bytes.data, "some bytes", 10);
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

/* All of a file that has at most `most` bytes. */
static imsat_status open_whole(im_bytes *bytes, const char *path, size_t most,
                               imsat_error *err)
{
    bool more = false;
    im_bytes file = {0};
    imsat_status st = im_bytes_open(&file, path, err);
    if (st == IMSAT_OK)
        st = im_bytes_need(&file, most, err);
    if (st == IMSAT_OK)
        st = im_bytes_end(&file, &more, err);
    assert_false(more);
    if (st == IMSAT_OK)
        *bytes = file;
    else
        im_bytes_clear(&file);
    return st;
}

static void a_gzip_file_is_decompressed(void **state)
{
    (void)state;
    imsat_error err;
    im_bytes bytes = {0};
    unsigned char *content = make_bytes(LARGE);
    write_gzip(in_folder("named-anything"), content, LARGE);
    for (size_t most = LARGE; most <= LARGE + 1; most++) {
        assert_ok(open_whole(&bytes, in_folder("named-anything"), most, &err), &err);
        assert_int_equal(bytes.size, LARGE);
        assert_memory_equal(bytes.data, content, LARGE);
        assert_non_null(bytes.heap);
        im_bytes_clear(&bytes);
    }
    write_gzip(in_folder("void.gz"), "", 0);
    assert_ok(open_whole(&bytes, in_folder("void.gz"), 5, &err), &err);
    assert_int_equal(bytes.size, 0);
    im_bytes_clear(&bytes);
    im_free(content);
}

/* No more than was asked for; and whether there is more. */
static void as_much_is_decompressed_as_is_needed(void **state)
{
    (void)state;
    imsat_error err;
    im_bytes bytes = {0};
    bool more = false;
    unsigned char *content = make_bytes(LARGE);
    write_gzip(in_folder("some.gz"), content, LARGE);
    assert_ok(im_bytes_open(&bytes, in_folder("some.gz"), &err), &err);
    assert_int_equal(bytes.size, IM_BYTES_HEAD);
    assert_memory_equal(bytes.data, content, IM_BYTES_HEAD);
    assert_ok(im_bytes_need(&bytes, 10, &err), &err);
    assert_int_equal(bytes.size, IM_BYTES_HEAD); /* they were here already */
    assert_ok(im_bytes_need(&bytes, IM_BYTES_HEAD + 5, &err), &err);
    assert_int_equal(bytes.size, IM_BYTES_HEAD + 5);
    assert_memory_equal(bytes.data, content, IM_BYTES_HEAD + 5);
    assert_ok(im_bytes_end(&bytes, &more, &err), &err);
    assert_true(more);
    assert_ok(im_bytes_need(&bytes, LARGE, &err), &err); /* nothing comes after the end */
    assert_int_equal(bytes.size, IM_BYTES_HEAD + 5);
    im_bytes_clear(&bytes);
    write_file(in_folder("plain"), content, LARGE);
    assert_ok(im_bytes_open(&bytes, in_folder("plain"), &err), &err);
    assert_ok(im_bytes_need(&bytes, SIZE_MAX, &err), &err);
    assert_ok(im_bytes_end(&bytes, &more, &err), &err);
    assert_false(more); /* all of a plain file is here */
    assert_int_equal(bytes.size, LARGE);
    im_bytes_clear(&bytes);
    im_free(content);
}

/* What is read on goes by and is not kept. */
static void bytes_can_be_read_on(void **state)
{
    (void)state;
    imsat_error err;
    im_bytes bytes = {0};
    size_t got = 77, at = IM_BYTES_HEAD;
    unsigned char *content = make_bytes(LARGE), *part = im_alloc(LARGE, 1);
    assert_non_null(part);
    write_gzip(in_folder("on.gz"), content, LARGE);
    assert_ok(im_bytes_open(&bytes, in_folder("on.gz"), &err), &err);
    do {
        assert_ok(im_bytes_read(&bytes, part, 10007, &got, &err), &err);
        assert_memory_equal(part, content + at, got);
        at += got;
    } while (got == 10007);
    assert_int_equal(at, LARGE);
    assert_null(bytes.stream);
    assert_ok(im_bytes_read(&bytes, part, 1, &got, &err), &err);
    assert_int_equal(got, 0);
    assert_int_equal(bytes.size, IM_BYTES_HEAD);
    im_bytes_clear(&bytes);
    im_free(part);
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
        const imsat_status st = open_whole(&bytes, in_folder("cut.gz"), LARGE, &err);
        if (st != IMSAT_EFORMAT)
            fail_msg("cut after %zu of %zu bytes: %s", cuts[i], size, imsat_status_name(st));
    }
    packed[size - 6] ^= 1; /* in the checksum */
    write_file(in_folder("flipped.gz"), packed, size);
    assert_refused(open_whole(&bytes, in_folder("flipped.gz"), LARGE, &err), &err,
                   IMSAT_EFORMAT, "flipped.gz: ");
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
}

static imsat_status attempt_gunzip(void *context, imsat_error *err)
{
    im_bytes bytes = {.size = 77};
    const imsat_status st = open_whole(&bytes, context, LARGE, err);
    assert_int_equal(bytes.size, st == IMSAT_OK ? LARGE : 77);
    if (st == IMSAT_OK)
        im_bytes_clear(&bytes);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[512];
    unsigned char *content = make_bytes(LARGE);
    snprintf(path, sizeof path, "%s", in_folder("scarce.gz"));
    write_gzip(path, content, LARGE);
    im_free(content);
    assert_int_equal(fail_each(attempt_gunzip, path), 7); /* 5 of the stream, head, all */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_file_is_mapped),
        cmocka_unit_test(an_open_file_is_mapped),
        cmocka_unit_test(released_bytes_can_be_read),
        cmocka_unit_test(a_gzip_file_is_decompressed),
        cmocka_unit_test(as_much_is_decompressed_as_is_needed),
        cmocka_unit_test(bytes_can_be_read_on),
        cmocka_unit_test(a_broken_gzip_file_is_refused),
        cmocka_unit_test(what_is_not_a_file_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("bytes", tests, folder_setup, folder_teardown);
}
