/* SPDX-License-Identifier: MIT
 * See unpackers.h. */
#include "unpackers.h"

#include <string.h>
#include <zlib.h>

/* The member at `in`, to at most `room` bytes at `out`; *used and *made are its sizes. */
typedef bool unpacker(uint8_t *out, size_t room, const uint8_t *in, size_t size, size_t *used,
                      size_t *made);

/* `window` is zlib's: 31 for gzip, -15 for what is within. */
static bool inflate_whole(int window, uint8_t *out, size_t room, const uint8_t *in,
                          size_t size, size_t *used, size_t *made)
{
    z_stream zlib = {.next_in = (uint8_t *)(uintptr_t)in,
                     .avail_in = (unsigned)size,
                     .next_out = out,
                     .avail_out = (unsigned)room};
    REQUIRE(inflateInit2(&zlib, window) == Z_OK, "zlib does not begin");
    const int code = inflate(&zlib, Z_FINISH);
    *used = zlib.total_in;
    *made = zlib.total_out;
    inflateEnd(&zlib);
    return code == Z_STREAM_END;
}

static bool unpack_gzip(uint8_t *out, size_t room, const uint8_t *in, size_t size,
                        size_t *used, size_t *made)
{
    return inflate_whole(31, out, room, in, size, used, made);
}

#if IM_HAVE_ZSTD
#include <zstd.h>

static bool unpack_zstd(uint8_t *out, size_t room, const uint8_t *in, size_t size,
                        size_t *used, size_t *made)
{
    *used = ZSTD_findFrameCompressedSize(in, size);
    if (ZSTD_isError(*used))
        return false;
    *made = ZSTD_decompress(out, room, in, *used);
    return !ZSTD_isError(*made);
}
#else
#define unpack_zstd NULL
#endif

#if IM_HAVE_XZ
#include <lzma.h>

static bool unpack_xz(uint8_t *out, size_t room, const uint8_t *in, size_t size, size_t *used,
                      size_t *made)
{
    uint64_t limit = UINT64_MAX;
    *used = *made = 0;
    return lzma_stream_buffer_decode(&limit, 0, NULL, in, used, size, out, made, room) ==
           LZMA_OK;
}
#else
#define unpack_xz NULL
#endif

#if IM_HAVE_BZIP2
#include <bzlib.h>

static bool unpack_bzip2(uint8_t *out, size_t room, const uint8_t *in, size_t size,
                         size_t *used, size_t *made)
{
    bz_stream bzip2 = {.next_in = (char *)(uintptr_t)in,
                       .avail_in = (unsigned)size,
                       .next_out = (char *)out,
                       .avail_out = (unsigned)room};
    REQUIRE(BZ2_bzDecompressInit(&bzip2, 0, 1) == BZ_OK, "bzip2 does not begin");
    const int code = BZ2_bzDecompress(&bzip2);
    *used = size - bzip2.avail_in;
    *made = room - bzip2.avail_out;
    BZ2_bzDecompressEnd(&bzip2);
    return code == BZ_STREAM_END;
}
#else
#define unpack_bzip2 NULL
#endif

/* By the first byte; zstd has several, of frames and of those to skip. */
static unpacker *find_unpacker(uint8_t first)
{
    switch (first) {
    case 0x1f: return unpack_gzip;
    case 0xfd: return unpack_xz;
    case 'B': return unpack_bzip2;
    default: return unpack_zstd;
    }
}

bool unpackers_unpack(uint8_t *out, size_t room, size_t *total, const uint8_t *input,
                      size_t size)
{
    unpacker *unpack = find_unpacker(input[0]);
    size_t used = 0, made = 0;
    REQUIRE(unpack, "there is no library for a file that was accepted");
    *total = 0;
    for (size_t at = 0; at < size; at += used) {
        used = 1;
        if (input[at] == 0)
            continue;
        if (!unpack(out + *total, room - *total, input + at, size - at, &used, &made))
            return false;
        *total += made;
    }
    return true;
}

static void put_little(uint8_t *to, uLong number)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

/* Ten bytes of a header without flags, deflated data, its CRC and its size. */
void unpackers_correct_gzip(uint8_t *input, size_t size)
{
    static uint8_t out[1 << 16];
    size_t used = 0, made = 0;
    if (size < 18 || memcmp(input, "\x1f\x8b\x08", 4) != 0 ||
        !inflate_whole(-15, out, sizeof out, input + 10, size - 18, &used, &made))
        return;
    put_little(input + 10 + used, crc32(0, out, (unsigned)made));
    put_little(input + 10 + used + 4, (uLong)made);
}
