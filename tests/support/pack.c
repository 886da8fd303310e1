/* SPDX-License-Identifier: MIT
 * See pack.h. */
#include "pack.h"

#include "support.h"

#include <zlib.h>

static size_t pack_gzip(unsigned char *to, size_t room, const unsigned char *from, size_t size)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)from,
                  .avail_in = (unsigned)size,
                  .next_out = to,
                  .avail_out = (unsigned)room};
    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    const size_t made = z.total_out;
    assert_int_equal(deflateEnd(&z), Z_OK);
    return made;
}

#if IM_HAVE_ZSTD
#include <zstd.h>

static size_t pack_zstd(unsigned char *to, size_t room, const unsigned char *from, size_t size)
{
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    assert_non_null(zstd);
    assert_false(ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1)));
    const size_t made = ZSTD_compress2(zstd, to, room, from, size);
    assert_false(ZSTD_isError(made));
    ZSTD_freeCCtx(zstd);
    return made;
}
#endif

#if IM_HAVE_XZ
#include <lzma.h>

static size_t pack_xz(unsigned char *to, size_t room, const unsigned char *from, size_t size)
{
    size_t made = 0;
    assert_int_equal(
        lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, from, size, to, &made, room),
        LZMA_OK);
    return made;
}
#endif

#if IM_HAVE_BZIP2
#include <bzlib.h>

static size_t pack_bzip2(unsigned char *to, size_t room, const unsigned char *from,
                         size_t size)
{
    unsigned made = (unsigned)room;
    assert_int_equal(BZ2_bzBuffToBuffCompress((char *)to, &made, (char *)(uintptr_t)from,
                                              (unsigned)size, 1, 0, 0),
                     BZ_OK);
    return made;
}
#endif

const packer packers[] = {
    {"gzip", ".gz", pack_gzip},
#if IM_HAVE_ZSTD
    {"zstd", ".zst", pack_zstd},
#endif
#if IM_HAVE_XZ
    {"xz", ".xz", pack_xz},
#endif
#if IM_HAVE_BZIP2
    {"bzip2", ".bz2", pack_bzip2},
#endif
};

const size_t packer_count = sizeof packers / sizeof *packers;
