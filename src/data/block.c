/* SPDX-License-Identifier: MIT
 * Rows as their file holds them; see block.h. */
#include "data/block.h"

#include "core/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void im_block_clear(im_block *block)
{
    if (block->source.close)
        block->source.close(block->source.context);
    im_csr_clear(&block->csr);
    im_bytes_clear(&block->bytes);
    im_free(block->description);
    im_free(block->records);
    *block = (im_block){0};
}

const unsigned char *im_block_whole(const im_block *block)
{
    const size_t size = im_dtype_size(block->dtype);
    const bool c_order = block->col_stride == size && block->row_stride == block->dim * size;
    return block->kind == IM_BLOCK_ARRAY && c_order ? block->base : NULL;
}

/* ---- rows ------------------------------------------------------------------ */

/* Columns of a row of an array. */
static im_elements some_of_row(const im_block *block, size_t row, size_t first, size_t count)
{
    assert(row < block->rows && first <= block->dim && count <= block->dim - first);
    return (im_elements){.base =
                             block->base + row * block->row_stride + first * block->col_stride,
                         .stride = block->col_stride,
                         .count = count,
                         .dtype = block->dtype,
                         .swapped = block->swapped};
}

/* Whether elements come through a buffer: from a function, or from a file that is mapped and
 * yet read, because memory is limited. */
static bool is_passed(const im_block *block)
{
    return block->kind == IM_BLOCK_SOURCE ||
           (block->kind == IM_BLOCK_ARRAY && block->bytes.mapped &&
            im_map_is_read(block->bytes.mapped));
}

/* out (count) = elements of an array as the file holds them, without the gaps. */
static void read_array(unsigned char *out, const im_block *block, size_t row, size_t first,
                       size_t count)
{
    const im_map *map = block->bytes.mapped;
    const size_t size = im_dtype_size(block->dtype);
    const im_elements elements = some_of_row(block, row, first, count);
    const size_t place = (size_t)(elements.base - im_map_data(map));
    if (elements.stride == size)
        im_map_read(map, out, place, count * size);
    for (size_t j = 0; elements.stride != size && j < count; j++)
        im_map_read(map, out + j * size, place + j * elements.stride, size);
}

/* Elements of a block that is passed, as the file holds them. */
static imsat_status pass(void *out, const im_block *block, size_t row, size_t first,
                         size_t count, imsat_error *err)
{
    assert(row < block->rows && first <= block->dim && count <= block->dim - first);
    if (block->kind == IM_BLOCK_SOURCE)
        return block->source.read(block->source.context, out, row, first, count, err);
    read_array(out, block, row, first, count);
    return IMSAT_OK;
}

/* Elements on their way to another type: a row of 784 doubles goes in one piece. */
enum { PASSING_BYTES = 8192 };

/* A piece of what is left of a row, in `buffer`. */
static imsat_status next_piece(im_elements *piece, unsigned char buffer[PASSING_BYTES],
                               const im_block *block, size_t row, size_t first, size_t left,
                               imsat_error *err)
{
    const size_t size = im_dtype_size(block->dtype);
    const size_t count = im_size_min(left, PASSING_BYTES / size);
    *piece = (im_elements){.base = buffer,
                           .stride = size,
                           .count = count,
                           .dtype = block->dtype,
                           .swapped = block->swapped};
    return pass(buffer, block, row, first, count, err);
}

/* What elements become: floats, doubles, or themselves in this machine's byte order. */
typedef void convert_fn(void *out, const im_elements *in);

static void to_floats(void *out, const im_elements *in)
{
    im_elements_float(out, in);
}

static void to_doubles(void *out, const im_elements *in)
{
    im_elements_double(out, in);
}

/* out (count) = elements of a block that is passed; each takes `size` bytes there. same: they
 * are what is wanted if their bytes are in order. */
static imsat_status pass_on(void *out, convert_fn *convert, size_t size, bool same,
                            const im_block *block, size_t row, size_t first, size_t count,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    _Alignas(8) unsigned char buffer[PASSING_BYTES];
    im_elements piece;
    if (same && !block->swapped)
        return pass(out, block, row, first, count, err);
    for (size_t done = 0; done < count; done += piece.count) {
        IM_TRY(next_piece(&piece, buffer, block, row, first + done, count - done, err));
        convert((char *)out + done * size, &piece);
    }

cleanup:
    return st;
}

imsat_status im_block_read(float *out, const im_block *block, size_t row, size_t first,
                           size_t count, imsat_error *err)
{
    if (is_passed(block))
        return pass_on(out, to_floats, sizeof *out, block->dtype == IM_F32, block, row, first,
                       count, err);
    if (block->kind == IM_BLOCK_CSR) {
        im_csr_floats(out, &block->csr, row, first, count);
        return IMSAT_OK;
    }
    const im_elements elements = some_of_row(block, row, first, count);
    if (block->dtype == IM_F32 && !block->swapped && block->col_stride == sizeof *out)
        memcpy(out, elements.base, count * sizeof *out);
    else
        im_elements_float(out, &elements);
    return IMSAT_OK;
}

imsat_status im_block_read_wide(double *out, const im_block *block, size_t row, size_t first,
                                size_t count, imsat_error *err)
{
    if (is_passed(block))
        return pass_on(out, to_doubles, sizeof *out, block->dtype == IM_F64, block, row, first,
                       count, err);
    if (block->kind == IM_BLOCK_CSR) {
        im_csr_doubles(out, &block->csr, row, first, count);
        return IMSAT_OK;
    }
    const im_elements elements = some_of_row(block, row, first, count);
    im_elements_double(out, &elements);
    return IMSAT_OK;
}

imsat_status im_block_read_raw(void *out, const im_block *block, size_t row, size_t first,
                               size_t count, imsat_error *err)
{
    if (is_passed(block))
        return pass_on(out, im_elements_raw, im_dtype_size(block->dtype), true, block, row,
                       first, count, err);
    if (block->kind == IM_BLOCK_CSR) /* float is what they are */
        return im_block_read(out, block, row, first, count, err);
    const im_elements elements = some_of_row(block, row, first, count);
    im_elements_raw(out, &elements);
    return IMSAT_OK;
}

void im_block_floats(float *out, const im_block *block, size_t row, size_t first, size_t count)
{
    if (im_block_read(out, block, row, first, count, NULL) != IMSAT_OK)
        for (size_t j = 0; j < count; j++)
            out[j] = NAN;
}

void im_block_doubles(double *out, const im_block *block, size_t row, size_t first,
                      size_t count)
{
    if (im_block_read_wide(out, block, row, first, count, NULL) != IMSAT_OK)
        for (size_t j = 0; j < count; j++)
            out[j] = NAN;
}

static void prefetch_run(const void *start, size_t bytes)
{
    enum { LINE = 64 };
    for (size_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch((const char *)start + i);
}

/* The lines of a row that lies in one piece. Those of a row in Fortran order are one for each
 * element: to fetch them all would cost more than it saves. */
void im_block_prefetch(const im_block *block, size_t row)
{
    const size_t size = im_dtype_size(block->dtype);
    if (block->kind == IM_BLOCK_CSR) {
        const im_csr_row r = im_csr_at(&block->csr, row);
        prefetch_run(r.column, r.count * sizeof *r.column);
        prefetch_run(r.value, r.count * sizeof *r.value);
    }
    if (block->kind != IM_BLOCK_ARRAY || block->col_stride != size || is_passed(block))
        return;
    prefetch_run(some_of_row(block, row, 0, block->dim).base, block->dim * size);
}

/* ---- memory ---------------------------------------------------------------- */

/* What is released reaches from the first element of the first row to the last element of the
 * last row. In Fortran order that is most of the block. */
static void release_array(const im_block *block, size_t first, size_t count)
{
    if (!block->bytes.mapped)
        return;
    const size_t start = (size_t)(block->base - block->bytes.data);
    im_bytes_release(&block->bytes, start + first * block->row_stride,
                     start + (first + count - 1) * block->row_stride +
                         (block->dim - 1) * block->col_stride + im_dtype_size(block->dtype));
}

void im_block_release(const im_block *block, size_t first, size_t count)
{
    assert(count > 0 && first < block->rows && count <= block->rows - first);
    if (block->kind == IM_BLOCK_ARRAY)
        release_array(block, first, count);
    else if (block->source.release)
        block->source.release(block->source.context, first, count);
}

/* Bytes of rows, as float, between two releases: large beside a call to the system, small
 * beside the memory of a machine. */
enum { PIECE_BYTES = 1 << 24 };

size_t im_block_piece(size_t dim)
{
    const size_t rows = PIECE_BYTES / sizeof(float) / dim;
    return rows ? rows : 1;
}

void im_block_pass(const im_block *block, size_t row)
{
    const size_t piece = im_block_piece(block->dim);
    if ((row + 1) % piece == 0)
        im_block_release(block, row + 1 - piece, piece);
    else if (row + 1 == block->rows)
        im_block_release(block, row / piece * piece, row % piece + 1);
}

/* ---- for readers ----------------------------------------------------------- */

void im_block_shape_text(char *text, const size_t *shape, size_t ndim)
{
    size_t used = (size_t)snprintf(text, IM_SHAPE_TEXT, "(");
    for (size_t i = 0; i < ndim; i++)
        used +=
            (size_t)snprintf(text + used, IM_SHAPE_TEXT - used, i ? ", %zu" : "%zu", shape[i]);
    snprintf(text + used, IM_SHAPE_TEXT - used, ndim == 1 ? ",)" : ")");
}

/* The bytes that `shape` takes, and of them those of a row. */
static bool measure(size_t *total, size_t *row, const size_t *shape, size_t ndim, size_t size)
{
    *row = size;
    for (size_t i = 1; i < ndim; i++)
        if (!im_size_mul(row, *row, shape[i]))
            return false;
    return im_size_mul(total, *row, shape[0]);
}

imsat_status im_block_set_shape(im_block *block, const size_t *shape, size_t ndim,
                                const char *path, imsat_error *err)
{
    char text[IM_SHAPE_TEXT];
    const size_t size = im_dtype_size(block->dtype);
    size_t total, row;
    im_block_shape_text(text, shape, ndim);
    for (size_t i = 0; i < ndim; i++)
        if (shape[i] == 0)
            return im_fail(err, IMSAT_EFORMAT, "%s: holds nothing: its shape is %s", path,
                           text);
    if (!measure(&total, &row, shape, ndim, size))
        return im_fail(err, IMSAT_EFORMAT, "%s: its shape %s is more than memory can address",
                       path, text);
    block->ndim = ndim;
    block->rows = shape[0];
    block->dim = row / size;
    block->row_stride = row;
    block->col_stride = size;
    if (ndim >= 3)
        block->image = (imsat_image){shape[1], shape[2], ndim == 4 ? shape[3] : 1};
    return IMSAT_OK;
}

/* `behind`: bytes of the file behind the elements; 0: nobody knows how many. */
static imsat_status refuse_more(const im_block *block, size_t behind, size_t total,
                                const char *path, imsat_error *err)
{
    char text[IM_SHAPE_TEXT], count[40] = "";
    const imsat_image image = block->image;
    const size_t flat[] = {block->rows, block->dim};
    const size_t images[] = {block->rows, image.height, image.width, image.channels};
    im_block_shape_text(text, block->ndim > 2 ? images : flat, block->ndim);
    if (behind)
        snprintf(count, sizeof count, "for %zu bytes ", behind);
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: goes on %safter the %zu bytes that its shape %s takes", path, count,
                   total, text);
}

imsat_status im_block_fill(im_block *block, im_bytes *bytes, size_t header, const char *path,
                           imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t total = block->rows * block->dim * im_dtype_size(block->dtype);
    size_t end;
    bool more = false;
    if (__builtin_add_overflow(header, total, &end))
        end = SIZE_MAX; /* more than any file has, which is said below */
    IM_TRY(im_bytes_need(bytes, end, err));
    if (bytes->size < end)
        return im_fail(err, IMSAT_EFORMAT, "%s: ends after %zu of %zu bytes of data", path,
                       bytes->size - header, total);
    IM_TRY(im_bytes_end(bytes, &more, err));
    if (more || bytes->size > end)
        return refuse_more(block, more ? 0 : bytes->size - end, total, path, err);
    block->base = bytes->data + header;
    block->bytes = *bytes;
    *bytes = (im_bytes){0};

cleanup:
    return st;
}

void im_block_keep(im_block *block, im_bytes *bytes)
{
    if (block->bytes.heap)
        return;
    im_bytes_narrow(bytes, (size_t)(block->bytes.data - bytes->data), block->bytes.size);
    block->bytes = *bytes;
    *bytes = (im_bytes){0};
}

void im_block_set_fortran(im_block *block)
{
    assert(block->ndim == 1 || block->ndim == 2);
    if (block->ndim == 2) {
        block->row_stride = im_dtype_size(block->dtype);
        block->col_stride = block->row_stride * block->rows;
    }
}

imsat_status im_block_own(im_block *block, void *elements, size_t rows, size_t dim,
                          const char *path, imsat_error *err)
{
    const size_t shape[] = {rows, dim};
    const imsat_status st = im_block_set_shape(block, shape, 2, path, err);
    if (st != IMSAT_OK)
        return st;
    im_bytes_clear(&block->bytes);
    block->bytes.heap = elements;
    block->bytes.size = rows * dim * im_dtype_size(block->dtype);
    block->base = block->bytes.data = block->bytes.heap;
    return IMSAT_OK;
}

void im_block_set_csr(im_block *block, im_csr *csr)
{
    block->kind = IM_BLOCK_CSR;
    block->dtype = IM_F32;
    block->rows = csr->rows;
    block->dim = csr->dim;
    block->ndim = 2;
    block->csr = *csr;
    *csr = (im_csr){0};
}

imsat_status im_block_describe(im_block *block, imsat_error *err, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char *description = im_strdup(text);
    if (!description)
        return im_fail_memory(err, "the description of a file");
    im_free(block->description);
    block->description = description;
    return IMSAT_OK;
}
