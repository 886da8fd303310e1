/* SPDX-License-Identifier: MIT
 *
 * Writing .npy, version 1.0, C order. The header is padded so that the elements start at a
 * multiple of 64 bytes. Elements keep this machine's byte order, and the header says which.
 */
#include "core/alloc.h"
#include "core/file.h"
#include "data/element.h"

#include <stdio.h>
#include <string.h>

enum { PREFIX = 10, HEADER_ROOM = 192 };

/* The file up to its elements; shape is the inside of the tuple. Returns its length. */
static size_t build_header(char header[HEADER_ROOM], const char *type, const char *shape)
{
    char text[HEADER_ROOM - 64]; /* room for the prefix and the padding */
    const int length = snprintf(text, sizeof text,
                                "{'descr': '%c%s', 'fortran_order': False, 'shape': (%s), }",
                                im_little_endian() ? '<' : '>', type, shape);
    const size_t used = PREFIX + (size_t)length + 1;
    const size_t total = (used + 63) / 64 * 64;
    memcpy(header, "\x93NUMPY\1\0", 8);
    header[8] = (char)((total - PREFIX) & 0xff);
    header[9] = (char)((total - PREFIX) >> 8);
    memcpy(header + PREFIX, text, (size_t)length);
    memset(header + PREFIX + length, ' ', total - used);
    header[total - 1] = '\n';
    return total;
}

static imsat_status write_array(const char *path, const char *type, const char *shape,
                                const void *data, size_t bytes, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_writer writer = {0};
    char header[HEADER_ROOM];
    const size_t length = build_header(header, type, shape);
    IM_TRY(im_writer_open(&writer, path, err));
    IM_TRY(im_writer_put(&writer, header, length, err));
    IM_TRY(im_writer_put(&writer, data, bytes, err));
    IM_TRY(im_writer_commit(&writer, err));

cleanup:
    im_writer_clear(&writer);
    return st;
}

imsat_status imsat_npy_write_int32(const char *path, const int32_t *x, size_t n,
                                   imsat_error *err)
{
    char shape[64];
    size_t bytes;
    if (!im_size_mul(&bytes, n, sizeof *x))
        return im_fail(err, IMSAT_EINVAL, "%s: %zu numbers are more than memory holds", path,
                       n);
    snprintf(shape, sizeof shape, "%zu,", n);
    return write_array(path, "i4", shape, x, bytes, err);
}

imsat_status imsat_npy_write_float(const char *path, const float *x, size_t rows, size_t cols,
                                   imsat_error *err)
{
    char shape[64];
    size_t count, bytes;
    if (!im_size_mul(&count, rows, cols ? cols : 1) || !im_size_mul(&bytes, count, sizeof *x))
        return im_fail(err, IMSAT_EINVAL, "%s: %zu rows of %zu are more than memory holds",
                       path, rows, cols);
    if (cols)
        snprintf(shape, sizeof shape, "%zu, %zu", rows, cols);
    else
        snprintf(shape, sizeof shape, "%zu,", rows);
    return write_array(path, "f4", shape, x, bytes, err);
}
