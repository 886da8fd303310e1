/* SPDX-License-Identifier: MIT
 *
 * bzip2; see unpack_codec.h. The only file that knows libbz2.
 *
 * A decoder takes 4 MiB at most, whatever the file says.
 */
#include "core/unpack_codec.h"

#include "core/alloc.h"

static bool bzip2_knows(const unsigned char *head, size_t size)
{
    return size >= 4 && memcmp(head, "BZh", 3) == 0 && head[3] >= '1' && head[3] <= '9';
}

static bool bzip2_may_begin(unsigned char byte)
{
    return byte == 'B';
}

#if IM_HAVE_BZIP2

#include <bzlib.h>

enum { MOST_AT_ONCE = 1 << 30 };

static void *take_memory(void *opaque, int count, int size)
{
    (void)opaque;
    return im_alloc_unset((size_t)count, (size_t)size);
}

static void give_memory(void *opaque, void *block)
{
    (void)opaque;
    im_free(block);
}

static void *bzip2_start(void)
{
    bz_stream *bz = im_alloc(1, sizeof *bz);
    if (!bz)
        return NULL;
    bz->bzalloc = take_memory;
    bz->bzfree = give_memory;
    if (BZ2_bzDecompressInit(bz, 0, 0) != BZ_OK) {
        im_free(bz);
        return NULL;
    }
    return bz;
}

static im_unpack_step bzip2_step(void *decoder, im_unpack_flow *flow)
{
    bz_stream *bz = decoder;
    const unsigned in = (unsigned)im_size_min(flow->in_size, MOST_AT_ONCE);
    const unsigned out = (unsigned)im_size_min(flow->out_size, MOST_AT_ONCE);
    bz->next_in = (char *)(uintptr_t)flow->in; /* it is only read */
    bz->avail_in = in;
    bz->next_out = (char *)flow->out;
    bz->avail_out = out;
    const int code = BZ2_bzDecompress(bz);
    flow->in += in - bz->avail_in;
    flow->in_size -= in - bz->avail_in;
    flow->out += out - bz->avail_out;
    flow->out_size -= out - bz->avail_out;
    switch (code) {
    case BZ_STREAM_END: return IM_UNPACK_ENDED;
    case BZ_OK: return IM_UNPACK_GOES_ON;
    case BZ_MEM_ERROR: return IM_UNPACK_NO_MEMORY;
    case BZ_DATA_ERROR_MAGIC: flow->why = "it does not begin as one"; return IM_UNPACK_DAMAGED;
    default: flow->why = "a check failed"; return IM_UNPACK_DAMAGED;
    }
}

static void bzip2_end(void *decoder)
{
    BZ2_bzDecompressEnd(decoder);
    im_free(decoder);
}

#endif

const im_unpack_codec im_unpack_bzip2 = {.name = "bzip2",
                                         .feature = IM_FEATURE_BZIP2,
                                         .knows = bzip2_knows,
                                         .may_begin = bzip2_may_begin,
#if IM_HAVE_BZIP2
                                         .start = bzip2_start,
                                         .step = bzip2_step,
                                         .end = bzip2_end
#endif
};
