/* SPDX-License-Identifier: MIT
 *
 * A compressed file, decompressed from front to back, as much at a time as is asked for. This
 * is all that the rest of the library knows of compression.
 */
#ifndef IM_CORE_UNPACK_H
#define IM_CORE_UNPACK_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct im_unpack im_unpack;

/* Whether a file that begins with these bytes is compressed, in a way that is known: by gzip,
 * zstd, xz or bzip2, also if this library was built without what reads it. */
bool im_unpack_knows(const unsigned char *head, size_t size);

/* Begin at the start of the file that is open as fd, which stays the caller's and may be
 * closed while the stream is in use. `path` begins messages. */
imsat_status im_unpack_open(im_unpack **out, int fd, const char *path, imsat_error *err);

/* Deflated data (RFC 1951) in memory, as zip archives have it. */
typedef struct im_unpack_member {
    const unsigned char *data; /* (packed) the caller's, and stays while it is in use */
    size_t packed;
    size_t size;  /* of what comes out */
    uint32_t crc; /* of that, CRC-32 */
} im_unpack_member;

/* The same of such data. */
imsat_status im_unpack_open_member(im_unpack **out, const im_unpack_member *member,
                                   const char *path, imsat_error *err);

/* A stream of zlib (RFC 1950) in memory, as MATLAB's files have it: deflated data between two
 * bytes of header and a checksum. The bytes are the caller's, and stay while it is in use. */
imsat_status im_unpack_open_zlib(im_unpack **out, const unsigned char *data, size_t size,
                                 const char *path, imsat_error *err);

/* The CRC-32 of bytes behind others whose own is `crc`; that of none is 0. */
uint32_t im_unpack_crc(uint32_t crc, const void *bytes, size_t size);

/* That of bytes and of `size` others behind them, from their own. */
uint32_t im_unpack_crc_join(uint32_t first, uint32_t behind, uint64_t size);

/* The next `size` bytes, or fewer if the end comes before: *got is how many. The whole file
 * was as it must be, checksums included, when *got is below `size`. Bytes behind the
 * compressed data are refused, unless they are zeros, which fill up blocks of a tape. */
imsat_status im_unpack_read(im_unpack *stream, void *to, size_t size, size_t *got,
                            imsat_error *err);

/* IMSAT_ENOMEM, and what to do, if `size` bytes of memory are more than what is decompressed
 * may take (imsat/process.h). Reading more than that is refused in any case. */
imsat_status im_unpack_afford(const im_unpack *stream, size_t size, imsat_error *err);

/* The same of what another library decompresses, from the file `path`. */
imsat_status im_unpack_afford_size(size_t size, const char *path, imsat_error *err);

/* The name it was opened with. */
const char *im_unpack_path(const im_unpack *stream);

void im_unpack_free(im_unpack *stream);

#endif
