/* SPDX-License-Identifier: MIT
 *
 * The formats of vectors to search, which begin like nothing in particular and go by the
 * ending of their names. All numbers are little-endian.
 *
 *     .fvecs .bvecs .ivecs          each row: u32 dim, then dim elements (f32, u8, i32)
 *     .fbin .u8bin .i8bin .ibin     u32 rows, u32 dim, then all elements (f32, u8, i8, i32)
 *
 * Nothing is copied.
 */
#include "data/reader.h"

#include <string.h>

typedef struct kind {
    const char *ending;
    const char *type;
    im_dtype dtype;
} kind;

static const kind by_rows[] = {
    {".fvecs", "float32", IM_F32}, {".bvecs", "uint8", IM_U8}, {".ivecs", "int32", IM_I32}};

static const kind at_once[] = {{".fbin", "float32", IM_F32},
                               {".u8bin", "uint8", IM_U8},
                               {".i8bin", "int8", IM_I8},
                               {".ibin", "int32", IM_I32}};

enum {
    BY_ROWS = sizeof by_rows / sizeof *by_rows,
    AT_ONCE = sizeof at_once / sizeof *at_once,
    NUMBER = 4, /* bytes of a dimension or a count */
    PAIR = 2 * NUMBER
};

/* The kind of a file, which has one of these endings. */
static const kind *find_kind(const kind *kinds, size_t count, const char *file)
{
    size_t i = 0;
    while (i + 1 < count && !im_path_ends(file, kinds[i].ending))
        i++;
    return &kinds[i];
}

static size_t load_u32(const unsigned char *p)
{
    return (size_t)p[3] << 24 | (size_t)p[2] << 16 | (size_t)p[1] << 8 | p[0];
}

static imsat_status describe(im_block *block, const kind *k, const im_bytes *bytes,
                             imsat_error *err)
{
    block->swapped = !im_element_little_endian() && im_dtype_size(block->dtype) > 1;
    return im_block_describe(block, err, "%s %s (%zu, %zu), %s", k->ending + 1, k->type,
                             block->rows, block->dim, im_bytes_held(bytes));
}

/* ---- a dimension before each row ------------------------------------------------ */

/* The shape of a file that is all here. */
static imsat_status measure(im_block *block, const im_bytes *bytes, const char *path,
                            imsat_error *err)
{
    if (bytes->size < NUMBER)
        return im_fail(err, IMSAT_EFORMAT, "%s: ends after %zu bytes, before its first row",
                       path, bytes->size);
    const size_t dim = load_u32(bytes->data);
    const size_t row = NUMBER + dim * im_dtype_size(block->dtype); /* below 2^34 */
    if (dim == 0 || bytes->size % row != 0)
        return im_fail(
            err, IMSAT_EFORMAT,
            "%s: has %zu bytes; its first row says that it has %zu values, and such "
            "rows take %zu bytes each",
            path, bytes->size, dim, row);
    const size_t shape[] = {bytes->size / row, dim};
    const imsat_status st = im_block_set_shape(block, shape, 2, path, err);
    block->row_stride = row;
    return st;
}

/* Every row has as many values as the first. */
static imsat_status check_rows(const im_block *block, const char *path, imsat_error *err)
{
    for (size_t i = 0; i < block->rows; i++) {
        const unsigned char *start = block->base + i * block->row_stride - NUMBER;
        const size_t dim = load_u32(start);
        if (dim != block->dim)
            return im_fail(err, IMSAT_EFORMAT,
                           "%s: row %zu (from 0) has %zu values, but those before it %zu",
                           path, i, dim, block->dim);
        im_bytes_touched(&block->bytes, start, NUMBER);
        im_block_pass(block, i);
    }
    return IMSAT_OK;
}

static imsat_status vecs_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *path = request->path;
    const kind *k = find_kind(by_rows, BY_ROWS, request->file);
    im_block block = {.dtype = k->dtype};
    IM_TRY(im_bytes_all(bytes, err));
    IM_TRY(measure(&block, bytes, path, err));
    IM_TRY(describe(&block, k, bytes, err));
    if (request->suits)
        IM_TRY(request->suits(&block, request, err));
    block.base = bytes->data + NUMBER;
    block.bytes = im_bytes_borrow(bytes, 0, bytes->size);
    IM_TRY(check_rows(&block, path, err));
    block.bytes = *bytes;
    *bytes = (im_bytes){0};
    *out = block;
    block = (im_block){0};

cleanup:
    im_block_clear(&block);
    return st;
}

const im_reader im_vecs_reader = {
    .format = {"vecs", "vectors to search, each with its dimension before it",
               ".fvecs .bvecs .ivecs", NULL},
    .read = vecs_read};

/* ---- both numbers at the start ----------------------------------------------------- */

static imsat_status bin_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *path = request->path;
    const kind *k = find_kind(at_once, AT_ONCE, request->file);
    im_block block = {.dtype = k->dtype};
    if (bytes->size < PAIR)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: ends after %zu of the %d bytes that say rows and columns", path,
                       bytes->size, PAIR);
    const size_t shape[] = {load_u32(bytes->data), load_u32(bytes->data + NUMBER)};
    IM_TRY(im_block_set_shape(&block, shape, 2, path, err));
    IM_TRY(describe(&block, k, bytes, err));
    if (request->suits)
        IM_TRY(request->suits(&block, request, err));
    IM_TRY(im_block_fill(&block, bytes, PAIR, path, err));
    *out = block;
    block = (im_block){0};

cleanup:
    im_block_clear(&block);
    return st;
}

const im_reader im_bin_reader = {
    .format = {"bin", "vectors to search, rows and columns before all of them",
               ".fbin .u8bin .i8bin .ibin", NULL},
    .read = bin_read};
