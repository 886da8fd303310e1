/* SPDX-License-Identifier: MIT
 *
 * zstd (RFC 8878); see unpack_codec.h. The only file that knows libzstd.
 *
 * A member is a frame. Frames to be skipped, which other programs put things of their own in,
 * are members without contents; pzstd begins its files with one. Many frames have no checksum,
 * and then some damage is not seen.
 */
#include "core/unpack_codec.h"

#include "core/alloc.h"

static bool zstd_knows(const unsigned char *head, size_t size)
{
    if (size < 4)
        return false;
    return memcmp(head, "\x28\xb5\x2f\xfd", 4) == 0 ||
           ((head[0] & 0xf0) == 0x50 && memcmp(head + 1, "\x2a\x4d\x18", 3) == 0);
}

static bool zstd_may_begin(unsigned char byte)
{
    return byte == 0x28 || (byte & 0xf0) == 0x50;
}

#if IM_HAVE_ZSTD

/* For ZSTD_createDCtx_advanced(), without which the memory would not come from im_alloc().
 * zstd does not promise to keep what is behind this name; this function is as it was in 2017.
 */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#include <zstd_errors.h>

/* A window of 2^27 bytes is 128 MiB, the largest that a level of zstd chooses; its buffer is
 * almost all of the memory that is taken. */
enum { WINDOW_LOG = 27 };

static void *take_memory(void *opaque, size_t size)
{
    (void)opaque;
    return im_alloc_unset(size, 1);
}

static void give_memory(void *opaque, void *block)
{
    (void)opaque;
    im_free(block);
}

static void *zstd_start(void)
{
    const ZSTD_customMem memory = {take_memory, give_memory, NULL};
    ZSTD_DCtx *zstd = ZSTD_createDCtx_advanced(memory);
    if (zstd)
        ZSTD_DCtx_setParameter(zstd, ZSTD_d_windowLogMax, WINDOW_LOG);
    return zstd;
}

static im_unpack_step zstd_step(void *decoder, im_unpack_flow *flow)
{
    ZSTD_inBuffer in = {flow->in, flow->in_size, 0};
    ZSTD_outBuffer out = {flow->out, flow->out_size, 0};
    const size_t code = ZSTD_decompressStream(decoder, &out, &in);
    flow->in += in.pos;
    flow->in_size -= in.pos;
    flow->out += out.pos;
    flow->out_size -= out.pos;
    if (code == 0)
        return IM_UNPACK_ENDED;
    if (!ZSTD_isError(code))
        return IM_UNPACK_GOES_ON;
    flow->why = ZSTD_getErrorName(code);
    switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_memory_allocation: return IM_UNPACK_NO_MEMORY;
    case ZSTD_error_frameParameter_windowTooLarge: return IM_UNPACK_TOO_LARGE;
    default: return IM_UNPACK_DAMAGED;
    }
}

static void zstd_end(void *decoder)
{
    ZSTD_freeDCtx(decoder);
}

#endif

const im_unpack_codec im_unpack_zstd = {.name = "zstd",
                                        .feature = IM_FEATURE_ZSTD,
                                        .knows = zstd_knows,
                                        .may_begin = zstd_may_begin,
#if IM_HAVE_ZSTD
                                        .start = zstd_start,
                                        .step = zstd_step,
                                        .end = zstd_end,
                                        .smaller = "zstd --long=27, or a level alone"
#endif
};
