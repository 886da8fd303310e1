/* SPDX-License-Identifier: MIT
 * See pack.h. */
#include "pack.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

/* Stops the program: this is for tests of any kind. */
static void require(bool done, const char *library)
{
    if (!done) {
        fprintf(stderr, "%s does not compress\n", library);
        abort();
    }
}

static size_t pack_gzip(unsigned char *to, size_t room, const unsigned char *from, size_t size)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)from,
                  .avail_in = (unsigned)size,
                  .next_out = to,
                  .avail_out = (unsigned)room};
    require(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK &&
                deflate(&z, Z_FINISH) == Z_STREAM_END,
            "zlib");
    const size_t made = z.total_out;
    require(deflateEnd(&z) == Z_OK, "zlib");
    return made;
}

#if IM_HAVE_ZSTD
#include <zstd.h>

static size_t pack_zstd(unsigned char *to, size_t room, const unsigned char *from, size_t size)
{
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    require(zstd && !ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1)),
            "zstd");
    const size_t made = ZSTD_compress2(zstd, to, room, from, size);
    require(!ZSTD_isError(made), "zstd");
    ZSTD_freeCCtx(zstd);
    return made;
}
#endif

#if IM_HAVE_XZ
#include <lzma.h>

static size_t pack_xz(unsigned char *to, size_t room, const unsigned char *from, size_t size)
{
    size_t made = 0;
    require(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, from, size, to, &made, room) ==
                LZMA_OK,
            "lzma");
    return made;
}
#endif

#if IM_HAVE_BZIP2
#include <bzlib.h>

static size_t pack_bzip2(unsigned char *to, size_t room, const unsigned char *from,
                         size_t size)
{
    unsigned made = (unsigned)room;
    require(BZ2_bzBuffToBuffCompress((char *)to, &made, (char *)(uintptr_t)from,
                                     (unsigned)size, 1, 0, 0) == BZ_OK,
            "bzip2");
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
