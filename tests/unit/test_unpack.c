/* SPDX-License-Identifier: MIT
 * Compressed files: whole, in several members, cut short, damaged, and with more behind. */
#define _POSIX_C_SOURCE 200809L
#include "core/unpack.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "support.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

/* More than one buffer of input, and not a multiple of it. */
enum { SIZE = 150001, ROOM = 4 * SIZE };

static unsigned char content[SIZE], packed[ROOM], unpacked[ROOM];

/* Bytes that gzip cannot shrink to nothing. */
static int make_content(void **state)
{
    uint32_t x = 1;
    for (size_t i = 0; i < SIZE; i++) {
        x = x * 1664525U + 1013904223U;
        content[i] = (unsigned char)(x >> 24);
    }
    return folder_setup(state);
}

/* `from` as a gzip member at `to`; returns its size. */
static size_t pack(unsigned char *to, const unsigned char *from, size_t size)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)from,
                  .avail_in = (unsigned)size,
                  .next_out = to,
                  .avail_out = (unsigned)(packed + ROOM - to)};
    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    const size_t made = z.total_out;
    assert_int_equal(deflateEnd(&z), Z_OK);
    return made;
}

static im_unpack *open_packed(size_t size)
{
    imsat_error err;
    im_unpack *stream = NULL;
    write_file(in_folder("file.gz"), packed, size);
    const int fd = open(in_folder("file.gz"), O_RDONLY);
    assert_true(fd >= 0);
    assert_ok(im_unpack_open(&stream, fd, "file.gz", &err), &err);
    return stream;
}

/* Read the file of `size` packed bytes by `step` at a time; *total is how many came. */
static imsat_status read_all(size_t size, size_t step, size_t *total, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_unpack *stream = open_packed(size);
    size_t got = step;
    for (*total = 0; st == IMSAT_OK && got == step; *total += got) {
        assert_true(*total + step <= ROOM);
        st = im_unpack_read(stream, unpacked + *total, step, &got, err);
        if (st != IMSAT_OK)
            got = 0;
    }
    im_unpack_free(stream);
    return st;
}

static void assert_content(size_t size, size_t step, size_t expected)
{
    imsat_error err;
    size_t total = 0;
    memset(unpacked, 0xee, ROOM);
    assert_ok(read_all(size, step, &total, &err), &err);
    assert_int_equal(total, expected);
    for (size_t from = 0; from < expected; from += SIZE)
        assert_memory_equal(unpacked + from, content,
                            expected - from < SIZE ? expected - from : SIZE);
}

static void assert_broken(size_t size, const char *part)
{
    imsat_error err;
    size_t total = 0;
    assert_refused(read_all(size, SIZE / 3, &total, &err), &err, IMSAT_EFORMAT, part);
    assert_int_equal(strncmp(err.message, "file.gz: ", 9), 0);
}

static void it_is_known_by_its_first_bytes(void **state)
{
    (void)state;
    assert_true(im_unpack_knows((const unsigned char *)"\x1f\x8b", 2));
    assert_true(im_unpack_knows((const unsigned char *)"\x1f\x8b\x08", 3));
    assert_false(im_unpack_knows((const unsigned char *)"\x1f\x8b", 1));
    assert_false(im_unpack_knows((const unsigned char *)"\x1f\x8c\x08", 3));
    assert_false(im_unpack_knows((const unsigned char *)"", 0));
}

static void any_amount_is_read_at_a_time(void **state)
{
    (void)state;
    const size_t size = pack(packed, content, SIZE);
    const size_t steps[] = {1, 7, 4096, SIZE - 1, SIZE, SIZE + 1, 2 * SIZE};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        assert_content(size, steps[i], SIZE);
    assert_content(pack(packed, content, 0), 10, 0);
}

static void the_end_stays_the_end(void **state)
{
    (void)state;
    imsat_error err;
    size_t got = 77;
    im_unpack *stream = open_packed(pack(packed, content, SIZE));
    assert_ok(im_unpack_read(stream, unpacked, SIZE, &got, &err), &err);
    assert_int_equal(got, SIZE);
    for (int i = 0; i < 2; i++) {
        assert_ok(im_unpack_read(stream, unpacked, 5, &got, &err), &err);
        assert_int_equal(got, 0);
    }
    im_unpack_free(stream);
    im_unpack_free(NULL);
}

/* Three members, an empty one among them, and zeros at places where they are allowed. */
static void members_are_joined(void **state)
{
    (void)state;
    size_t size = pack(packed, content, SIZE);
    size += pack(packed + size, content, 0);
    size += pack(packed + size, content, SIZE);
    assert_content(size, 1000, 2 * SIZE);
    memset(packed + size, 0, 1000);
    assert_content(size + 1000, 1000, 2 * SIZE);
    size += 1000;
    size += pack(packed + size, content, 1);
    assert_content(size, 1000, 2 * SIZE + 1);
}

static void what_is_behind_is_not_ignored(void **state)
{
    (void)state;
    const size_t size = pack(packed, content, SIZE);
    char part[64];
    snprintf(part, sizeof part, "at byte %zu the gzip data ends", size);
    memcpy(packed + size, "more", 4);
    assert_broken(size + 4, part);
    memcpy(packed + size, "\0\0\0\1", 4);
    snprintf(part, sizeof part, "at byte %zu the gzip data ends", size + 3);
    assert_broken(size + 4, part);
    /* A second member whose first bytes were damaged: gzread() would leave it out. */
    const size_t second = pack(packed + size, content, SIZE);
    packed[size + 1] ^= 1;
    assert_broken(size + second, "incorrect header check");
    packed[size + 1] ^= 1;
    packed[size] ^= 1;
    assert_broken(size + second, "gzip data ends");
}

static void a_cut_is_noticed_wherever_it_is(void **state)
{
    (void)state;
    const size_t first = pack(packed, content, SIZE);
    const size_t size = first + pack(packed + first, content, SIZE);
    const size_t cuts[] = {2,         3,         9,           11,       first / 2, first - 9,
                           first - 1, first + 1, first + 100, size - 9, size - 4,  size - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
        assert_broken(cuts[i], "cut short after");
    assert_content(first, 100, SIZE); /* between members there is nothing to notice */
}

/* Each byte of the checksum and of the length, and some of the data. */
static void damage_is_noticed(void **state)
{
    (void)state;
    const size_t size = pack(packed, content, SIZE);
    for (size_t i = 1; i <= 8; i++) {
        packed[size - i] ^= 1;
        assert_broken(size, i <= 4 ? "incorrect length check" : "incorrect data check");
        packed[size - i] ^= 1;
    }
    for (size_t i = 20; i + 8 < size; i += size / 7) {
        packed[i] ^= 0x10;
        imsat_error err;
        size_t total;
        assert_int_equal(read_all(size, SIZE, &total, &err), IMSAT_EFORMAT);
        packed[i] ^= 0x10;
    }
    assert_content(size, SIZE, SIZE);
}

/* Whoever opens a stream has looked at the first bytes before, so this says little. */
static void what_is_not_compressed_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    im_unpack *stream = NULL;
    write_file(in_folder("file.gz"), "\x1f", 1);
    const int fd = open(in_folder("file.gz"), O_RDONLY);
    assert_true(fd >= 0);
    assert_refused(im_unpack_open(&stream, fd, "file.gz", &err), &err, IMSAT_EFORMAT,
                   "file.gz: is not compressed in a way that imsat knows");
    assert_null(stream);
    assert_int_equal(close(fd), 0); /* still ours */
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_status st;
    im_unpack *stream = NULL;
    size_t got = 77;
    const int fd = open(in_folder("file.gz"), O_RDONLY);
    (void)context;
    st = im_unpack_open(&stream, fd, "file.gz", err);
    if (st != IMSAT_OK) {
        assert_null(stream);
        close(fd); /* still ours */
        return st;
    }
    st = im_unpack_read(stream, unpacked, SIZE, &got, err);
    assert_int_equal(got, st == IMSAT_OK ? SIZE : 77);
    im_unpack_free(stream);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    im_unpack_free(open_packed(pack(packed, content, SIZE)));
    /* The stream, its path, the decoder, two of zlib. */
    assert_int_equal(fail_each(attempt, NULL), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_known_by_its_first_bytes),
        cmocka_unit_test(any_amount_is_read_at_a_time),
        cmocka_unit_test(the_end_stays_the_end),
        cmocka_unit_test(members_are_joined),
        cmocka_unit_test(what_is_behind_is_not_ignored),
        cmocka_unit_test(a_cut_is_noticed_wherever_it_is),
        cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(what_is_not_compressed_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("unpack", tests, make_content, folder_teardown);
}
