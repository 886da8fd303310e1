/* SPDX-License-Identifier: MIT
 *
 * xz; see unpack_codec.h. The only file that knows liblzma.
 *
 * A member is what the format calls a stream: a header, blocks, an index and a footer, each
 * with a checksum.
 */
#include "core/unpack_codec.h"

#if IM_HAVE_XZ
#include <lzma.h> /* has a member `free`, and so comes before alloc.h */
#endif

#include "core/alloc.h"

static const unsigned char MAGIC[] = {0xfd, '7', 'z', 'X', 'Z', 0};

static bool xz_knows(const unsigned char *head, size_t size)
{
    return size >= sizeof MAGIC && memcmp(head, MAGIC, sizeof MAGIC) == 0;
}

static bool xz_may_begin(unsigned char byte)
{
    return byte == MAGIC[0];
}

#if IM_HAVE_XZ

static void *take_memory(void *opaque, size_t count, size_t size)
{
    (void)opaque;
    return im_alloc_unset(count, size);
}

static void give_memory(void *opaque, void *block)
{
    (void)opaque;
    im_free(block);
}

static const lzma_allocator allocator = {take_memory, give_memory, NULL};

static void *xz_start(void)
{
    const uint64_t limit = (uint64_t)IM_UNPACK_MEMORY_MIB << 20;
    lzma_stream *lzma = im_alloc(1, sizeof *lzma);
    if (!lzma)
        return NULL;
    *lzma = (lzma_stream)LZMA_STREAM_INIT;
    lzma->allocator = &allocator;
    if (lzma_stream_decoder(lzma, limit, 0) != LZMA_OK) {
        lzma_end(lzma);
        im_free(lzma);
        return NULL;
    }
    return lzma;
}

static im_unpack_step xz_step(void *decoder, im_unpack_flow *flow)
{
    lzma_stream *lzma = decoder;
    lzma->next_in = flow->in;
    lzma->avail_in = flow->in_size;
    lzma->next_out = flow->out;
    lzma->avail_out = flow->out_size;
    const lzma_ret code = lzma_code(lzma, LZMA_RUN);
    flow->in = lzma->next_in;
    flow->in_size = lzma->avail_in;
    flow->out = lzma->next_out;
    flow->out_size = lzma->avail_out;
    switch (code) {
    case LZMA_STREAM_END: return IM_UNPACK_ENDED;
    case LZMA_OK:
    case LZMA_BUF_ERROR: return IM_UNPACK_GOES_ON; /* nothing to do: no input */
    case LZMA_MEM_ERROR: return IM_UNPACK_NO_MEMORY;
    case LZMA_MEMLIMIT_ERROR: return IM_UNPACK_TOO_LARGE;
    case LZMA_FORMAT_ERROR: flow->why = "it does not begin as one"; return IM_UNPACK_DAMAGED;
    case LZMA_OPTIONS_ERROR:
        flow->why = "it has options that liblzma does not know";
        return IM_UNPACK_DAMAGED;
    default: flow->why = "a check failed"; return IM_UNPACK_DAMAGED;
    }
}

static void xz_end(void *decoder)
{
    lzma_end(decoder);
    im_free(decoder);
}

#endif

const im_unpack_codec im_unpack_xz = {.name = "xz",
                                      .feature = IM_FEATURE_XZ,
                                      .knows = xz_knows,
                                      .may_begin = xz_may_begin,
#if IM_HAVE_XZ
                                      .start = xz_start,
                                      .step = xz_step,
                                      .end = xz_end,
                                      .smaller = "xz -9 or less"
#endif
};
