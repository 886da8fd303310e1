/* SPDX-License-Identifier: MIT
 *
 * Which reader takes a file, and what the readers of arrays share: an array's shape becomes
 * rows, and the description of a block.
 */
#include "core/alloc.h"
#include "data/dataset.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Binary formats; text goes to im_csv_reader. A new format is a new line. */
static const im_reader *const binary_readers[] = {&im_npy_reader, &im_idx_reader};

enum { BINARY_READERS = sizeof binary_readers / sizeof *binary_readers };

static imsat_status refuse_unknown(const char *path, const im_bytes *bytes, imsat_error *err)
{
    const bool zip = bytes->size >= 4 && memcmp(bytes->data, "PK\3\4", 4) == 0;
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: binary data that is neither npy nor idx%s; imsat reads .npy, .csv, "
                   ".tsv and idx (ubyte) files, each also gzipped",
                   path,
                   zip ? " but a zip archive, as .npz is (write one array by np.save)" : "");
}

imsat_status im_reader_find(const im_reader **out, const char *path, const im_bytes *bytes,
                            imsat_error *err)
{
    for (size_t i = 0; i < BINARY_READERS; i++)
        if (binary_readers[i]->holds(bytes)) {
            *out = binary_readers[i];
            return IMSAT_OK;
        }
    for (size_t i = 0; i < BINARY_READERS; i++)
        if (binary_readers[i]->named(path)) {
            *out = binary_readers[i]; /* which will say what is wrong with the contents */
            return IMSAT_OK;
        }
    if (!im_csv_reader.holds(bytes))
        return refuse_unknown(path, bytes, err);
    *out = &im_csv_reader;
    return IMSAT_OK;
}

imsat_status im_block_read(im_block *out, const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {0};
    const im_reader *reader = NULL;
    IM_TRY(im_bytes_open(&bytes, request->path, err));
    IM_TRY(im_reader_find(&reader, request->path, &bytes, err));
    IM_TRY(reader->read(out, &bytes, request, err));

cleanup:
    im_bytes_clear(&bytes);
    return st;
}

static bool ends(const char *path, size_t length, const char *suffix)
{
    const size_t size = strlen(suffix);
    return length >= size && strncasecmp(path + length - size, suffix, size) == 0;
}

bool im_path_ends(const char *path, const char *suffix)
{
    const size_t length = strlen(path);
    return ends(path, ends(path, length, ".gz") ? length - 3 : length, suffix);
}

void im_shape_text(char *text, const size_t *shape, size_t ndim)
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
                                size_t bytes, const char *path, imsat_error *err)
{
    char text[IM_SHAPE_TEXT];
    const size_t size = im_dtype_size(block->dtype);
    size_t total, row;
    im_shape_text(text, shape, ndim);
    for (size_t i = 0; i < ndim; i++)
        if (shape[i] == 0)
            return im_fail(err, IMSAT_EFORMAT, "%s: holds nothing: its shape is %s", path,
                           text);
    if (!measure(&total, &row, shape, ndim, size))
        return im_fail(err, IMSAT_EFORMAT, "%s: its shape %s is more than memory can address",
                       path, text);
    if (bytes < total)
        return im_fail(err, IMSAT_EFORMAT, "%s: ends after %zu of %zu bytes of data", path,
                       bytes, total);
    if (bytes > total)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: goes on for %zu bytes after the %zu that its shape %s takes", path,
                       bytes - total, total, text);
    block->ndim = ndim;
    block->rows = shape[0];
    block->dim = row / size;
    block->row_stride = row;
    block->col_stride = size;
    if (ndim >= 3)
        block->image = (imsat_image){shape[1], shape[2], ndim == 4 ? shape[3] : 1};
    return IMSAT_OK;
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
