/* SPDX-License-Identifier: MIT
 * Compressed files: whole, in several members, cut short, damaged, and with more behind; by
 * every codec that was built. */
#define _POSIX_C_SOURCE 200809L
#include "core/unpack.h"

#include "core/alloc.h"
#include "core/unpack_codec.h"
#include "failing_alloc.h"
#include "imsat/build.h"
#include "pack.h"
#include "support.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

/* More than one buffer of input, and not a multiple of it. */
enum { SIZE = 150001, ROOM = 4 * SIZE };

static unsigned char content[SIZE], packed[ROOM], unpacked[ROOM];

/* Bytes that do not shrink to nothing. */
static int make_content(void **state)
{
    uint32_t x = 1;
    for (size_t i = 0; i < SIZE; i++) {
        x = x * 1664525U + 1013904223U;
        content[i] = (unsigned char)(x >> 24);
    }
    return folder_setup(state);
}

/* The first bytes of the content as a member at `at` of `packed`; returns its size. */
static size_t pack(const packer *p, size_t at, size_t size)
{
    return p->pack(packed + at, ROOM - at, content, size);
}

static int open_file(size_t size)
{
    write_file(in_folder("file"), packed, size);
    const int fd = open(in_folder("file"), O_RDONLY);
    assert_true(fd >= 0);
    return fd;
}

static im_unpack *open_packed(size_t size)
{
    imsat_error err;
    im_unpack *stream = NULL;
    const int fd = open_file(size);
    assert_ok(im_unpack_open(&stream, fd, "file", &err), &err);
    assert_int_equal(close(fd), 0);
    assert_string_equal(im_unpack_path(stream), "file");
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
    assert_int_equal(strncmp(err.message, "file: ", 6), 0);
}

/* ---- by every codec ----------------------------------------------------------------- */

static void any_amount_is_read_at_a_time(void **state)
{
    const packer *p = *state;
    const size_t size = pack(p, 0, SIZE);
    const size_t steps[] = {1, 7, 4096, SIZE - 1, SIZE, SIZE + 1, 2 * SIZE};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        assert_content(size, steps[i], SIZE);
    assert_content(pack(p, 0, 0), 10, 0);
}

static void the_end_stays_the_end(void **state)
{
    imsat_error err;
    size_t got = 77;
    im_unpack *stream = open_packed(pack(*state, 0, SIZE));
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
    const packer *p = *state;
    size_t size = pack(p, 0, SIZE);
    size += pack(p, size, 0);
    size += pack(p, size, SIZE);
    assert_content(size, 1000, 2 * SIZE);
    memset(packed + size, 0, 1000);
    assert_content(size + 1000, 1000, 2 * SIZE);
    size += 1000;
    size += pack(p, size, 1);
    assert_content(size, 1000, 2 * SIZE + 1);
}

static void what_is_behind_is_not_ignored(void **state)
{
    const packer *p = *state;
    const size_t size = pack(p, 0, SIZE);
    char part[64];
    snprintf(part, sizeof part, "at byte %zu the %s data ends", size, p->name);
    memcpy(packed + size, "more", 4);
    assert_broken(size + 4, part);
    memcpy(packed + size, "\0\0\0\1", 4);
    snprintf(part, sizeof part, "at byte %zu the %s data ends", size + 3, p->name);
    assert_broken(size + 4, part);
    /* A second member whose first bytes were damaged: gzread() would leave it out. */
    const size_t second = pack(p, size, SIZE);
    packed[size + 1] ^= 1;
    assert_broken(size + second, "stream is damaged");
    packed[size + 1] ^= 1;
    packed[size] ^= 1;
    assert_broken(size + second, "data ends");
}

static void a_cut_is_noticed_wherever_it_is(void **state)
{
    const packer *p = *state;
    const size_t first = pack(p, 0, SIZE), size = first + pack(p, first, SIZE);
    const size_t cuts[] = {6,         7,         9,           11,       first / 2, first - 9,
                           first - 1, first + 1, first + 100, size - 9, size - 4,  size - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
        assert_broken(cuts[i], "cut short after");
    assert_content(first, 100, SIZE); /* between members there is nothing to notice */
}

static void damage_is_noticed(void **state)
{
    const size_t size = pack(*state, 0, SIZE);
    for (size_t i = 20; i + 8 < size; i += size / 7) {
        packed[i] ^= 0x10;
        imsat_error err;
        size_t total;
        assert_int_equal(read_all(size, SIZE, &total, &err), IMSAT_EFORMAT);
        packed[i] ^= 0x10;
    }
    assert_content(size, SIZE, SIZE);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const size_t *size = context;
    im_unpack *stream = NULL;
    size_t got = 77;
    const int fd = open(in_folder("file"), O_RDONLY);
    imsat_status st = im_unpack_open(&stream, fd, "file", err);
    close(fd);
    if (st != IMSAT_OK) {
        assert_null(stream);
        return st;
    }
    st = im_unpack_read(stream, unpacked, *size, &got, err);
    assert_int_equal(got, st == IMSAT_OK ? *size : 77);
    im_unpack_free(stream);
    return st;
}

/* Of a file of two members, so that starting the second one fails, too. */
static void every_allocation_may_fail(void **state)
{
    const packer *p = *state;
    size_t packed_size = pack(p, 0, SIZE), size = SIZE + 1;
    packed_size += pack(p, packed_size, 1);
    im_unpack_free(open_packed(packed_size));
    /* The stream, its path, two decoders, and what they work in. */
    assert_true(fail_each(attempt, &size) >= 5);
}

/* ---- each by itself -------------------------------------------------------------------- */

static bool knows(const char *head, size_t size)
{
    return im_unpack_knows((const unsigned char *)head, size);
}

/* Also those that were not built. */
static void a_codec_is_known_by_the_first_bytes(void **state)
{
    (void)state;
    assert_true(knows("\x1f\x8b", 2));
    assert_true(knows("\x1f\x8b\x08", 3));
    assert_false(knows("\x1f\x8b", 1));
    assert_false(knows("\x1f\x8c\x08", 3));
    assert_true(knows("\x28\xb5\x2f\xfd", 4));
    assert_false(knows("\x28\xb5\x2f\xfd", 3));
    assert_true(knows("\x5f\x2a\x4d\x18", 4)); /* to be skipped */
    assert_false(knows("\x6f\x2a\x4d\x18", 4));
    assert_true(knows("\xfd"
                      "7zXZ\0",
                      6));
    assert_false(knows("\xfd"
                       "7zXZ\0",
                       5));
    assert_true(knows("BZh1", 4));
    assert_true(knows("BZh9", 4));
    assert_false(knows("BZh0", 4));
    assert_false(knows("BZh9", 3)); /* a text may begin so */
    assert_false(knows("", 0));
}

/* Each byte of gzip's checksum and of its length. */
static void the_checks_of_gzip_are_told_apart(void **state)
{
    (void)state;
    const size_t size = pack(&packers[0], 0, SIZE);
    for (size_t i = 1; i <= 8; i++) {
        packed[size - i] ^= 1;
        assert_broken(size, i <= 4 ? "incorrect length check" : "incorrect data check");
        packed[size - i] ^= 1;
    }
}

/* Open these bytes; the stream must be refused. */
static void assert_not_opened(const char *bytes, size_t size, imsat_status status,
                              const char *message)
{
    imsat_error err;
    im_unpack *stream = NULL;
    memcpy(packed, bytes, size);
    const int fd = open_file(size);
    assert_refused(im_unpack_open(&stream, fd, "file", &err), &err, status, message);
    assert_null(stream);
    assert_int_equal(close(fd), 0); /* still ours */
}

/* Whoever opens a stream has looked at the first bytes before, so this says little. */
static void what_is_not_compressed_is_refused(void **state)
{
    (void)state;
    assert_not_opened("\x1f", 1, IMSAT_EFORMAT,
                      "file: is not compressed in a way that imsat knows");
    assert_not_opened("", 0, IMSAT_EFORMAT, "is not compressed");
}

static void what_was_not_built_is_refused(void **state)
{
    static const struct {
        im_feature feature;
        const char *head;
        const char *message;
    } cases[] = {
        {IM_FEATURE_ZSTD, "\x28\xb5\x2f\xfd..",
         "file: is compressed by zstd, and this imsat was built without zstd; install "
         "libzstd-dev and build again"},
        {IM_FEATURE_XZ,
         "\xfd"
         "7zXZ",
         "is compressed by xz, and this imsat was built without xz; install liblzma-dev"},
        {IM_FEATURE_BZIP2, "BZh9..",
         "is compressed by bzip2, and this imsat was built without bzip2; install libbz2-dev"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!imsat_feature_built(cases[i].feature))
            assert_not_opened(cases[i].head, 6, IMSAT_EIO, cases[i].message);
}

/* Put a frame to be skipped, of 5 bytes, at `at` of `packed`; returns its size. */
static size_t put_skippable(size_t at)
{
    memcpy(packed + at,
           "\x53\x2a\x4d\x18\5\0\0\0"
           "hello",
           13);
    return 13;
}

/* What takes too much memory says so in its first bytes: a zstd frame with a window of 2^28
 * bytes, and an xz stream with a dictionary of 512 MiB. */
static void what_needs_too_much_memory_is_refused(void **state)
{
    static const char zstd[] = "\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00";
    static const char xz[] = "\xfd"
                             "7zXZ\x00\x00\x01\x69\x22\xde\x36"
                             "\x02\x00\x21\x01\x22\x00\x00\x00\x82\x40\xac\xdc\x01\x00\x00";
    (void)state;
    memcpy(packed, zstd, sizeof zstd);
    if (imsat_feature_built(IM_FEATURE_ZSTD))
        assert_broken(sizeof zstd - 1,
                      "was compressed by zstd in a way that takes more than 256 MiB of memory "
                      "to decompress; compress it again (zstd --long=27");
    memcpy(packed, xz, sizeof xz);
    if (imsat_feature_built(IM_FEATURE_XZ))
        assert_broken(sizeof xz - 1,
                      "was compressed by xz in a way that takes more than 256 MiB of memory "
                      "to decompress; compress it again (xz -9 or less)");
}

/* Before, between and behind frames with contents. */
static void frames_of_zstd_are_skipped(void **state)
{
    (void)state;
    size_t p = 0, size = put_skippable(0);
    while (p < packer_count && strcmp(packers[p].name, "zstd") != 0)
        p++;
    if (p == packer_count)
        skip();
    size += pack(&packers[p], size, SIZE);
    size += put_skippable(size);
    size += pack(&packers[p], size, SIZE);
    size += put_skippable(size);
    assert_content(size, 1000, 2 * SIZE);
    assert_broken(size - 1, "cut short after");
}

/* What a stream of zlib in memory comes to. */
static imsat_status read_zlib(size_t size, size_t *got, imsat_error *err)
{
    im_unpack *stream = NULL;
    imsat_status st = im_unpack_open_zlib(&stream, packed, size, "stream", err);
    if (st == IMSAT_OK)
        st = im_unpack_read(stream, unpacked, ROOM, got, err);
    im_unpack_free(stream);
    return st;
}

static void a_stream_of_zlib_is_read_from_memory(void **state)
{
    (void)state;
    imsat_error err;
    size_t got = 0;
    uLongf size = ROOM;
    assert_int_equal(compress2(packed, &size, content, SIZE, 6), Z_OK);
    assert_ok(read_zlib(size, &got, &err), &err);
    assert_int_equal(got, SIZE);
    assert_memory_equal(unpacked, content, SIZE);
    assert_refused(read_zlib(size - 1, &got, &err), &err, IMSAT_EFORMAT,
                   "stream: the zlib stream is cut short after 150001 bytes");
    packed[size] = packed[0];
    assert_refused(read_zlib(size + 1, &got, &err), &err, IMSAT_EFORMAT, "something else");
    packed[size - 1] ^= 1;
    assert_refused(read_zlib(size, &got, &err), &err, IMSAT_EFORMAT, "incorrect data check");
    packed[0] ^= 0xff;
    assert_refused(read_zlib(size, &got, &err), &err, IMSAT_EFORMAT,
                   "the zlib stream is damaged");
}

/* The codecs one after the other, each with all tests of the first kind. */
int main(void)
{
    static const struct CMUnitTest each[] = {
        cmocka_unit_test(any_amount_is_read_at_a_time),
        cmocka_unit_test(the_end_stays_the_end),
        cmocka_unit_test(members_are_joined),
        cmocka_unit_test(what_is_behind_is_not_ignored),
        cmocka_unit_test(a_cut_is_noticed_wherever_it_is),
        cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(every_allocation_may_fail),
    };
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(a_codec_is_known_by_the_first_bytes),
        cmocka_unit_test(the_checks_of_gzip_are_told_apart),
        cmocka_unit_test(what_is_not_compressed_is_refused),
        cmocka_unit_test(what_was_not_built_is_refused),
        cmocka_unit_test(what_needs_too_much_memory_is_refused),
        cmocka_unit_test(frames_of_zstd_are_skipped),
        cmocka_unit_test(a_stream_of_zlib_is_read_from_memory),
    };
    enum { EACH = sizeof each / sizeof *each };
    int failed = cmocka_run_group_tests_name("unpack", others, make_content, folder_teardown);
    for (size_t p = 0; p < packer_count; p++) {
        struct CMUnitTest tests[EACH];
        for (size_t i = 0; i < EACH; i++) {
            tests[i] = each[i];
            tests[i].initial_state = (void *)(uintptr_t)&packers[p];
        }
        failed +=
            cmocka_run_group_tests_name(packers[p].name, tests, make_content, folder_teardown);
    }
    return failed;
}
