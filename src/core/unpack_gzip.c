/* SPDX-License-Identifier: MIT
 *
 * gzip (RFC 1952), zlib (RFC 1950), and what is inside of both and of zip archives, deflate
 * (RFC 1951); see unpack_codec.h. The only file that knows the library zlib.
 */
#include "core/unpack_codec.h"

#include "core/alloc.h"
#include "core/unpack.h"

#include <zlib.h>

enum {
    GZIP_WINDOW = 16 + MAX_WBITS,
    ZLIB_WINDOW = MAX_WBITS,
    BARE_WINDOW = -MAX_WBITS,
    MOST_AT_ONCE = 1 << 30
};

static const unsigned char MAGIC[] = {0x1f, 0x8b};

static bool gzip_knows(const unsigned char *head, size_t size)
{
    return size >= sizeof MAGIC && memcmp(head, MAGIC, sizeof MAGIC) == 0;
}

static bool gzip_may_begin(unsigned char byte)
{
    return byte == MAGIC[0];
}

static void *take_memory(void *opaque, unsigned count, unsigned size)
{
    (void)opaque;
    return im_alloc_unset(count, size);
}

static void give_memory(void *opaque, void *block)
{
    (void)opaque;
    im_free(block);
}

static void *start(int window)
{
    z_stream *zlib = im_alloc(1, sizeof *zlib);
    if (!zlib)
        return NULL;
    zlib->zalloc = take_memory;
    zlib->zfree = give_memory;
    if (inflateInit2(zlib, window) != Z_OK) {
        im_free(zlib);
        return NULL;
    }
    return zlib;
}

static void *gzip_start(void)
{
    return start(GZIP_WINDOW);
}

static im_unpack_step gzip_step(void *decoder, im_unpack_flow *flow)
{
    z_stream *zlib = decoder;
    const unsigned in = (unsigned)im_size_min(flow->in_size, MOST_AT_ONCE);
    const unsigned out = (unsigned)im_size_min(flow->out_size, MOST_AT_ONCE);
    zlib->next_in = (unsigned char *)(uintptr_t)flow->in; /* it is only read */
    zlib->avail_in = in;
    zlib->next_out = flow->out;
    zlib->avail_out = out;
    const int code = inflate(zlib, Z_NO_FLUSH);
    flow->in += in - zlib->avail_in;
    flow->in_size -= in - zlib->avail_in;
    flow->out += out - zlib->avail_out;
    flow->out_size -= out - zlib->avail_out;
    flow->why = zlib->msg ? zlib->msg : "no dictionary";
    switch (code) {
    case Z_STREAM_END: return IM_UNPACK_ENDED;
    case Z_OK:
    case Z_BUF_ERROR: return IM_UNPACK_GOES_ON; /* nothing to do: no input */
    case Z_MEM_ERROR: return IM_UNPACK_NO_MEMORY;
    default: return IM_UNPACK_DAMAGED;
    }
}

static void gzip_end(void *decoder)
{
    inflateEnd(decoder);
    im_free(decoder);
}

const im_unpack_codec im_unpack_gzip = {.name = "gzip",
                                        .feature = IM_FEATURES,
                                        .knows = gzip_knows,
                                        .may_begin = gzip_may_begin,
                                        .start = gzip_start,
                                        .step = gzip_step,
                                        .end = gzip_end};

/* ---- what is known by what is around it ------------------------------------------- */

static bool knows_none(const unsigned char *head, size_t size)
{
    (void)head;
    (void)size;
    return false;
}

static bool begins_none(unsigned char byte)
{
    (void)byte;
    return false;
}

static void *deflate_start(void)
{
    return start(BARE_WINDOW);
}

const im_unpack_codec im_unpack_deflate = {.name = "deflate",
                                           .feature = IM_FEATURES,
                                           .knows = knows_none,
                                           .may_begin = begins_none,
                                           .start = deflate_start,
                                           .step = gzip_step,
                                           .end = gzip_end};

static void *zlib_start(void)
{
    return start(ZLIB_WINDOW);
}

const im_unpack_codec im_unpack_zlib = {.name = "zlib",
                                        .feature = IM_FEATURES,
                                        .knows = knows_none,
                                        .may_begin = begins_none,
                                        .start = zlib_start,
                                        .step = gzip_step,
                                        .end = gzip_end};

uint32_t im_unpack_crc(uint32_t crc, const void *bytes, size_t size)
{
    return (uint32_t)crc32_z(crc, bytes, size);
}

uint32_t im_unpack_crc_join(uint32_t first, uint32_t behind, uint64_t size)
{
    return (uint32_t)crc32_combine(first, behind, (z_off_t)size);
}
