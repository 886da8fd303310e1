/* SPDX-License-Identifier: MIT
 *
 * Formats that are little more than the elements: those of vectors to search, and idx.
 *
 *     .fvecs .bvecs .ivecs          each row: u32 dim, then dim elements (f32, u8, i32)
 *     .fbin .u8bin .i8bin .ibin     u32 rows, u32 dim, then all elements (f32, u8, i8, i32)
 *     .idx                          0, 0, type, dimensions; a u32 for each; all elements
 *
 * idx is big-endian, the others are little-endian.
 */
#include "data/output.h"

#include <string.h>

enum { NUMBER = 4, BUFFER = 1 << 12, MOST_DIMENSIONS = 4 };

static bool is_idx(const imsat_output *out)
{
    return out->format == &im_idx_output;
}

/* Whether elements must be turned round on this machine. */
static bool is_swapped(const imsat_output *out)
{
    return is_idx(out) == im_element_little_endian();
}

static imsat_status put_elements(imsat_output *out, const unsigned char *at, size_t count,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    unsigned char turned[BUFFER];
    const size_t size = im_dtype_size(out->columns[0].type);
    if (size == 1 || !is_swapped(out))
        return im_writer_put(&out->writer, at, count * size, err);
    while (count > 0) {
        const size_t now = count < BUFFER / size ? count : BUFFER / size;
        for (size_t i = 0; i < now * size; i++)
            turned[i] = at[i / size * size + size - 1 - i % size];
        IM_TRY(im_writer_put(&out->writer, turned, now * size, err));
        at += now * size;
        count -= now;
    }

cleanup:
    return st;
}

/* A number of the head, low byte first or last. */
static void store_u32(unsigned char *to, size_t value, bool big_endian)
{
    for (size_t i = 0; i < NUMBER; i++)
        to[big_endian ? NUMBER - 1 - i : i] = (unsigned char)(value >> 8 * i);
}

static imsat_status check_u32(const imsat_output *out, size_t value, const char *what,
                              imsat_error *err)
{
    if (value <= UINT32_MAX)
        return IMSAT_OK;
    return im_fail(err, IMSAT_EINVAL, "%s: %zu %s; the format %s counts them by 32 bits",
                   out->writer.path, value, what, out->format->shown.name);
}

/* ---- rows behind their dimension -------------------------------------------------- */

static imsat_status begin_vecs(imsat_output *out, imsat_error *err)
{
    return check_u32(out, out->columns[0].width, "values in a row", err);
}

static imsat_status put_vecs(imsat_output *out, const im_output_piece *piece, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t dim = out->columns[0].width;
    const unsigned char *at = piece->values[0];
    unsigned char head[NUMBER];
    store_u32(head, dim, false);
    for (size_t i = 0; i < piece->count; i++) {
        IM_TRY(im_writer_put(&out->writer, head, sizeof head, err));
        IM_TRY(put_elements(out, at, dim, err));
        at += dim * im_dtype_size(out->columns[0].type);
    }

cleanup:
    return st;
}

/* ---- all elements behind the shape -------------------------------------------------- */

static unsigned char idx_type(im_dtype type)
{
    switch (type) {
    case IM_U8: return 0x08;
    case IM_I8: return 0x09;
    case IM_I16: return 0x0B;
    case IM_I32: return 0x0C;
    case IM_F32: return 0x0D;
    default: return 0x0E; /* IM_F64 */
    }
}

/* The shape of a row: none, a width, or the sides of an image. How many numbers that is. */
static size_t row_shape(size_t shape[MOST_DIMENSIONS - 1], const im_output_column *column)
{
    const imsat_image image = column->image;
    if (!column->width)
        return 0;
    shape[0] = image.height ? image.height : column->width;
    shape[1] = image.width;
    shape[2] = image.channels;
    return !image.height ? 1 : image.channels > 1 ? 3 : 2;
}

/* The head of a file of so many rows; how long it is. */
static size_t build_head(unsigned char *head, const imsat_output *out, size_t rows)
{
    size_t shape[MOST_DIMENSIONS - 1];
    const bool idx = is_idx(out);
    const size_t dimensions = row_shape(shape, out->columns);
    unsigned char *at = head;
    if (idx) {
        const unsigned char magic[] = {0, 0, idx_type(out->columns[0].type),
                                       (unsigned char)(1 + dimensions)};
        memcpy(at, magic, sizeof magic);
        at += sizeof magic;
    }
    store_u32(at, rows, idx);
    at += NUMBER;
    for (size_t d = 0; idx ? d < dimensions : d < 1; d++, at += NUMBER)
        store_u32(at, idx ? shape[d] : out->columns[0].width, idx);
    return (size_t)(at - head);
}

static imsat_status begin_array(imsat_output *out, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    unsigned char head[NUMBER * (1 + MOST_DIMENSIONS)];
    const size_t rows = out->announced == IMSAT_NPY_ANY_ROWS ? 0 : out->announced;
    IM_TRY(check_u32(out, rows, "rows", err));
    IM_TRY(check_u32(out, out->columns[0].width, "values in a row", err));
    IM_TRY(im_writer_put(&out->writer, head, build_head(head, out, rows), err));

cleanup:
    return st;
}

static imsat_status put_array(imsat_output *out, const im_output_piece *piece,
                              imsat_error *err)
{
    return put_elements(out, piece->values[0], piece->count * im_output_width(out->columns),
                        err);
}

static imsat_status end_array(imsat_output *out, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    unsigned char head[NUMBER * (1 + MOST_DIMENSIONS)];
    if (out->announced != IMSAT_NPY_ANY_ROWS)
        return IMSAT_OK;
    IM_TRY(check_u32(out, out->rows, "rows", err));
    IM_TRY(im_writer_over(&out->writer, head, build_head(head, out, out->rows), err));

cleanup:
    return st;
}

/* ---- the formats ---------------------------------------------------------------- */

#define VECS(ID, WHAT, TYPE)                                                                  \
    {                                                                                         \
        .shown = {.name = ID,                                                                 \
                  .summary = WHAT ", each row behind its dimension",                          \
                  .endings = "." ID},                                                         \
        .most_columns = 1, .lists = true, .types = 1U << (TYPE), .begin = begin_vecs,         \
        .put = put_vecs                                                                       \
    }
#define BIN(ID, WHAT, TYPE)                                                                   \
    {                                                                                         \
        .shown = {.name = ID, .summary = WHAT " behind their shape", .endings = "." ID},      \
        .most_columns = 1, .lists = true, .types = 1U << (TYPE), .head = IM_HEAD_ROWS,        \
        .begin = begin_array, .put = put_array, .end = end_array                              \
    }

const im_output_format im_fvecs_output = VECS("fvecs", "vectors of float32", IM_F32);
const im_output_format im_bvecs_output = VECS("bvecs", "vectors of uint8", IM_U8);
const im_output_format im_ivecs_output = VECS("ivecs", "vectors of int32", IM_I32);
const im_output_format im_fbin_output = BIN("fbin", "vectors of float32", IM_F32);
const im_output_format im_u8bin_output = BIN("u8bin", "vectors of uint8", IM_U8);
const im_output_format im_i8bin_output = BIN("i8bin", "vectors of int8", IM_I8);
const im_output_format im_ibin_output = BIN("ibin", "vectors of int32", IM_I32);

const im_output_format im_idx_output = {
    .shown = {.name = "idx", .summary = "an array as MNIST has it", .endings = ".idx"},
    .most_columns = 1,
    .types =
        1U << IM_U8 | 1U << IM_I8 | 1U << IM_I16 | 1U << IM_I32 | 1U << IM_F32 | 1U << IM_F64,
    .head = IM_HEAD_ROWS,
    .begin = begin_array,
    .put = put_array,
    .end = end_array};
