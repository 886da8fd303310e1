/* SPDX-License-Identifier: MIT
 *
 * See png.h. A file is a signature and three chunks, each a length, a name, contents and a
 * checksum: the header, the rows by zlib, and the end. Every row begins with a byte that says
 * how it was filtered: 0, not at all, which is best for pictures as small and plain as these.
 */
#include "plot/png.h"

#include "core/alloc.h"

#include <zlib.h>

static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
enum { HEADER = 13, FRAME = 12 }; /* bytes of the header; of a chunk beside its contents */

static void put_word(unsigned char *at, size_t word)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(word >> (24 - 8 * i));
}

/* The contents are in place, 8 bytes behind `at`; returns where the next chunk begins. */
static unsigned char *close_chunk(unsigned char *at, const char *name, size_t size)
{
    put_word(at, size);
    memcpy(at + 4, name, 4);
    put_word(at + 8 + size, crc32(0, at + 4, (uInt)(4 + size)));
    return at + FRAME + size;
}

static imsat_status compress_rows(unsigned char *to, size_t *size, const uint8_t *pixels,
                                  size_t rows, size_t row, imsat_error *err)
{
    unsigned char *filtered = im_alloc(rows, row + 1);
    uLongf used = (uLongf)*size;
    if (!filtered)
        return im_fail_memory(err, "a picture");
    for (size_t i = 0; i < rows; i++)
        memcpy(filtered + i * (row + 1) + 1, pixels + i * row, row);
    const int code = compress2(to, &used, filtered, (uLong)(rows * (row + 1)), 9);
    im_free(filtered);
    *size = used;
    return code == Z_OK ? IMSAT_OK : im_fail_memory(err, "a picture");
}

imsat_status im_png_encode(unsigned char **out, size_t *size, const uint8_t *pixels,
                           size_t height, size_t width, size_t channels, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t row = width * channels;
    size_t room = compressBound((uLong)(height * (row + 1)));
    unsigned char *file = im_alloc(sizeof signature + 3 * FRAME + HEADER + room, 1);
    if (!file)
        return im_fail_memory(err, "a picture");
    unsigned char *at = file + sizeof signature;
    memcpy(file, signature, sizeof signature);
    put_word(at + 8, width);
    put_word(at + 12, height);
    at[16] = 8;                     /* bits of a value */
    at[17] = channels == 3 ? 2 : 0; /* RGB, gray */
    at = close_chunk(at, "IHDR", HEADER);
    IM_TRY(compress_rows(at + 8, &room, pixels, height, row, err));
    at = close_chunk(at, "IDAT", room);
    at = close_chunk(at, "IEND", 0);
    *size = (size_t)(at - file);
    *out = file;
    file = NULL;

cleanup:
    im_free(file);
    return st;
}
