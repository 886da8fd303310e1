/* SPDX-License-Identifier: MIT
 *
 * Writing .npy, version 1.0, C order, whole or piece by piece. The header is padded so that
 * the elements start at a multiple of 64 bytes. Elements keep this machine's byte order, and
 * the header says which.
 */
#include "core/alloc.h"
#include "core/file.h"
#include "data/element.h"

#include <stdio.h>
#include <string.h>

enum { PREFIX = 10, HEADER_ROOM = 192 };

static const struct {
    const char *name;
    size_t size;
} TYPES[] = {
    [IMSAT_NPY_INT32] = {"i4", 4},
    [IMSAT_NPY_FLOAT32] = {"f4", 4},
    [IMSAT_NPY_UINT8] = {"u1", 1},
    [IMSAT_NPY_INT64] = {"i8", 8},
};

/* The file up to its elements; shape is the inside of the tuple. Returns its length. */
static size_t build_header(char header[HEADER_ROOM], imsat_npy_type type, const char *shape)
{
    char text[HEADER_ROOM - 64]; /* room for the prefix and the padding */
    const char order = TYPES[type].size == 1 ? '|' : im_little_endian() ? '<' : '>';
    const int length = snprintf(text, sizeof text,
                                "{'descr': '%c%s', 'fortran_order': False, 'shape': (%s), }",
                                order, TYPES[type].name, shape);
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

struct imsat_npy {
    im_writer writer;
    size_t row_bytes, rows; /* of a row; rows still to come */
};

imsat_status imsat_npy_create(imsat_npy **out, const char *path, imsat_npy_type type,
                              size_t rows, size_t cols, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t width = cols ? cols : 1;
    size_t row_bytes, bytes;
    char shape[64], header[HEADER_ROOM];
    if (!im_size_mul(&row_bytes, width, TYPES[type].size) ||
        !im_size_mul(&bytes, rows, row_bytes))
        return im_fail(err, IMSAT_EINVAL, "%s: %zu rows of %zu are more than memory holds",
                       path, rows, width);
    imsat_npy *file = im_alloc(1, sizeof *file);
    if (!file)
        return im_fail_memory(err, path);
    file->row_bytes = row_bytes;
    file->rows = rows;
    if (cols)
        snprintf(shape, sizeof shape, "%zu, %zu", rows, cols);
    else
        snprintf(shape, sizeof shape, "%zu,", rows);
    const size_t length = build_header(header, type, shape);
    IM_TRY(im_writer_open(&file->writer, path, err));
    IM_TRY(im_writer_put(&file->writer, header, length, err));
    *out = file;
    file = NULL;

cleanup:
    imsat_npy_free(file);
    return st;
}

imsat_status imsat_npy_append(imsat_npy *file, const void *x, size_t rows, imsat_error *err)
{
    if (rows > file->rows)
        return im_fail(err, IMSAT_EINVAL, "%s: %zu rows more than were announced",
                       file->writer.path, rows - file->rows);
    const imsat_status st = im_writer_put(&file->writer, x, rows * file->row_bytes, err);
    if (st == IMSAT_OK)
        file->rows -= rows;
    return st;
}

imsat_status imsat_npy_commit(imsat_npy *file, imsat_error *err)
{
    if (file->rows)
        return im_fail(err, IMSAT_EINVAL, "%s: %zu rows are missing", file->writer.path,
                       file->rows);
    return im_writer_commit(&file->writer, err);
}

void imsat_npy_free(imsat_npy *file)
{
    if (!file)
        return;
    im_writer_clear(&file->writer);
    im_free(file);
}

static imsat_status write_array(const char *path, imsat_npy_type type, const void *x,
                                size_t rows, size_t cols, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_npy *file = NULL;
    IM_TRY(imsat_npy_create(&file, path, type, rows, cols, err));
    IM_TRY(imsat_npy_append(file, x, rows, err));
    IM_TRY(imsat_npy_commit(file, err));

cleanup:
    imsat_npy_free(file);
    return st;
}

imsat_status imsat_npy_write_int32(const char *path, const int32_t *x, size_t n,
                                   imsat_error *err)
{
    return write_array(path, IMSAT_NPY_INT32, x, n, 0, err);
}

imsat_status imsat_npy_write_float(const char *path, const float *x, size_t rows, size_t cols,
                                   imsat_error *err)
{
    return write_array(path, IMSAT_NPY_FLOAT32, x, rows, cols, err);
}
