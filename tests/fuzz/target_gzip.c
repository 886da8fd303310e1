/* SPDX-License-Identifier: MIT
 *
 * Compressed files, read from the system: what is accepted has the bytes that zlib finds in
 * it, member by member. The input is the file; what is not compressed is also tried so. */
#define _GNU_SOURCE
#include "core/bytes.h"
#include "core/unpack.h"
#include "fuzz.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

enum { MOST = 1024, ROOM = 1 << 20 };

static int file = -1;
static char path[64];

static size_t compress_to(uint8_t *out, size_t room, const uint8_t *input, size_t size)
{
    z_stream stream = {.next_in = (uint8_t *)(uintptr_t)input, .avail_in = (unsigned)size};
    stream.next_out = out;
    stream.avail_out = (unsigned)room;
    REQUIRE(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 1, Z_DEFAULT_STRATEGY) == Z_OK &&
                deflate(&stream, Z_FINISH) == Z_STREAM_END,
            "zlib does not compress");
    deflateEnd(&stream);
    return stream.total_out;
}

static void begin(void)
{
    uint8_t packed[MOST];
    const uint8_t text[] = "1,2,3\n4,5,6\n4,5,6\n4,5,6\n4,5,6\n";
    file = memfd_create("fuzzed", 0);
    REQUIRE(file >= 0, "no file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    size_t size = compress_to(packed, sizeof packed, text, sizeof text - 1);
    fuzz_seed(packed, size);
    size += compress_to(packed + size, sizeof packed - size, text, 5);
    fuzz_seed(packed, size);
    fuzz_seed(text, sizeof text - 1);
}

static bool open_file(im_bytes *bytes, const uint8_t *input, size_t size)
{
    imsat_error err = {{0}};
    REQUIRE(ftruncate(file, 0) == 0 && pwrite(file, input, size, 0) == (ssize_t)size,
            "the file in memory cannot be written");
    const imsat_status st = im_bytes_open(bytes, path, &err);
    if (st == IMSAT_OK)
        return true;
    fuzz_refused(st, &err, path);
    REQUIRE(!bytes->data, "bytes after a failure");
    return false;
}

/* Compressed and read, it is the same. */
static void check_compressed(const uint8_t *input, size_t size)
{
    uint8_t packed[2 * MOST];
    im_bytes bytes = {0};
    REQUIRE(open_file(&bytes, packed, compress_to(packed, sizeof packed, input, size)),
            "what was compressed is refused");
    REQUIRE(bytes.size == size && memcmp(bytes.data, input, size) == 0,
            "%zu bytes that were compressed are %zu others", size, bytes.size);
    im_bytes_clear(&bytes);
}

/* What zlib finds: the members, with zeros between and behind them. */
static size_t inflate_all(uint8_t *out, const uint8_t *input, size_t size)
{
    size_t total = 0;
    z_stream stream = {.next_in = (uint8_t *)(uintptr_t)input, .avail_in = (unsigned)size};
    while (stream.avail_in > 0) {
        if (*stream.next_in == 0) {
            stream.next_in++;
            stream.avail_in--;
            continue;
        }
        REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK, "zlib does not begin");
        stream.next_out = out + total;
        stream.avail_out = (unsigned)(ROOM - total);
        const int code = inflate(&stream, Z_FINISH);
        total += stream.total_out;
        inflateEnd(&stream);
        REQUIRE(code == Z_STREAM_END, "zlib refuses what was accepted");
    }
    return total;
}

static bool is_gzip(const uint8_t *input, size_t size)
{
    return size >= 2 && input[0] == 0x1f && input[1] == 0x8b;
}

static bool run(const uint8_t *input, size_t size)
{
    static uint8_t expected[ROOM];
    im_bytes bytes = {0};
    const bool plain = !im_unpack_knows(input, size);
    if (size && plain)
        check_compressed(input, size);
    if (!open_file(&bytes, input, size))
        return false;
    const bool packed = is_gzip(input, size);
    const size_t total = packed ? inflate_all(expected, input, size) : size;
    REQUIRE((!plain && !packed) || (bytes.size == total &&
                                    memcmp(bytes.data, packed ? expected : input, total) == 0),
            "%zu bytes, not %zu", bytes.size, total);
    im_bytes_clear(&bytes);
    return true;
}

const fuzz_target fuzz_this = {"gzip", MOST, begin, run, NULL};
