/* SPDX-License-Identifier: MIT
 *
 * Writing .npy, version 1.0, C order. The header is padded to 128 bytes, so that the elements
 * are aligned and the number of rows can be put in at the end. Elements keep this machine's
 * byte order, and the header says which.
 */
#include "data/npy_write.h"

#include <stdio.h>
#include <string.h>

enum { PREFIX = 10, SHAPE_ROOM = 72 };

static const char *const NAMES[] = {
    [IM_BOOL] = "b1", [IM_I8] = "i1",  [IM_U8] = "u1",  [IM_I16] = "i2",
    [IM_U16] = "u2",  [IM_I32] = "i4", [IM_U32] = "u4", [IM_I64] = "i8",
    [IM_U64] = "u8",  [IM_F16] = "f2", [IM_F32] = "f4", [IM_F64] = "f8",
};

/* What follows the rows in the shape: "", " 784", " 28, 28" or " 32, 32, 3". */
static void row_shape(char shape[SHAPE_ROOM], const im_output_column *column)
{
    const imsat_image image = column->image;
    shape[0] = '\0';
    if (image.height && image.channels > 1)
        snprintf(shape, SHAPE_ROOM, " %zu, %zu, %zu", image.height, image.width,
                 image.channels);
    else if (image.height)
        snprintf(shape, SHAPE_ROOM, " %zu, %zu", image.height, image.width);
    else if (column->width)
        snprintf(shape, SHAPE_ROOM, " %zu", column->width);
}

void im_npy_write_header(char header[IM_NPY_HEADER], const im_output_column *column,
                         size_t rows)
{
    char shape[SHAPE_ROOM], text[2 * IM_NPY_HEADER];
    const char order = im_dtype_size(column->type) == 1 ? '|'
                       : im_element_little_endian()     ? '<'
                                                        : '>';
    row_shape(shape, column);
    const int length = snprintf(
        text, sizeof text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (%zu,%s), }",
        order, NAMES[column->type], rows, shape);
    memcpy(header, "\x93NUMPY\1\0", 8);
    header[8] = IM_NPY_HEADER - PREFIX;
    header[9] = 0;
    memset(header + PREFIX, ' ', IM_NPY_HEADER - PREFIX);
    memcpy(header + PREFIX, text, (size_t)length);
    header[IM_NPY_HEADER - 1] = '\n';
}

static imsat_status begin(imsat_output *out, imsat_error *err)
{
    char header[IM_NPY_HEADER];
    im_npy_write_header(header, out->columns, out->announced);
    return im_writer_put(&out->writer, header, sizeof header, err);
}

static imsat_status put(imsat_output *out, const im_output_piece *piece, imsat_error *err)
{
    const im_output_column *column = out->columns;
    const size_t bytes = piece->count * im_output_width(column) * im_dtype_size(column->type);
    return im_writer_put(&out->writer, piece->values[0], bytes, err);
}

static imsat_status end(imsat_output *out, imsat_error *err)
{
    char header[IM_NPY_HEADER];
    if (out->announced != IMSAT_NPY_ANY_ROWS)
        return IMSAT_OK;
    im_npy_write_header(header, out->columns, out->rows);
    return im_writer_over(&out->writer, header, sizeof header, err);
}

const im_output_format im_npy_output = {
    .shown = {.name = "npy", .summary = "an array of numpy", .endings = ".npy", .results = 1},
    .most_columns = 1,
    .types = IM_NPY_TYPES,
    .head = IM_HEAD_ROWS,
    .begin = begin,
    .put = put,
    .end = end};
