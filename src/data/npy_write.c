/* SPDX-License-Identifier: MIT
 *
 * Writing .npy, version 1.0, C order, whole or piece by piece. The header is padded to 128
 * bytes, so that the elements are aligned and the number of rows can be put in at the end.
 * Elements keep this machine's byte order, and the header says which.
 */
#include "core/alloc.h"
#include "core/writer.h"
#include "data/element.h"

#include <stdio.h>
#include <string.h>

enum { PREFIX = 10, HEADER = 128 }; /* bytes; every shape fits, and none needs less */

static const struct {
    const char *name;
    size_t size;
} TYPES[] = {
    [IMSAT_NPY_INT32] = {"i4", 4},
    [IMSAT_NPY_FLOAT32] = {"f4", 4},
    [IMSAT_NPY_UINT8] = {"u1", 1},
    [IMSAT_NPY_INT64] = {"i8", 8},
};

/* The file up to its elements. cols 0: the shape is (rows). */
static void build_header(char header[HEADER], imsat_npy_type type, size_t rows, size_t cols)
{
    char shape[64] = "", text[HEADER + 1];
    const char order = TYPES[type].size == 1 ? '|' : im_element_little_endian() ? '<' : '>';
    if (cols)
        snprintf(shape, sizeof shape, "%zu", cols);
    const int length = snprintf(
        text, sizeof text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (%zu,%s%s), }",
        order, TYPES[type].name, rows, cols ? " " : "", shape);
    memcpy(header, "\x93NUMPY\1\0", 8);
    header[8] = HEADER - PREFIX;
    header[9] = 0;
    memset(header + PREFIX, ' ', HEADER - PREFIX);
    memcpy(header + PREFIX, text, (size_t)length);
    header[HEADER - 1] = '\n';
}

static imsat_status too_large(const char *path, size_t rows, size_t cols, imsat_error *err)
{
    return im_fail(err, IMSAT_EINVAL, "%s: %zu rows of %zu are more than memory holds", path,
                   rows, cols);
}

struct imsat_npy {
    im_writer writer;
    imsat_npy_type type;
    size_t row_bytes, cols; /* of a row */
    size_t announced, rows; /* rows there shall be, and are */
    bool ended;             /* committed, or something failed: nothing more can be written */
};

static imsat_status check_open(const imsat_npy *file, imsat_error *err)
{
    if (!file->ended)
        return IMSAT_OK;
    return im_fail(err, IMSAT_EINVAL,
                   "%s: is committed, or could not be written; nothing can be added",
                   file->writer.path);
}

imsat_status imsat_npy_create(imsat_npy **out, const char *path, imsat_npy_type type,
                              size_t rows, size_t cols, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE_PATH(path);
    imsat_status st = IMSAT_OK;
    const size_t width = cols ? cols : 1;
    size_t row_bytes, bytes;
    char header[HEADER];
    if ((unsigned)type >= sizeof TYPES / sizeof *TYPES)
        return im_fail(err, IMSAT_EINVAL, "%s: %d is not a type of elements", path, (int)type);
    if (!im_size_mul(&row_bytes, width, TYPES[type].size) ||
        (rows != IMSAT_NPY_ANY_ROWS && !im_size_mul(&bytes, rows, row_bytes)))
        return too_large(path, rows, width, err);
    imsat_npy *file = im_alloc(1, sizeof *file);
    if (!file)
        return im_fail_memory(err, path);
    file->type = type;
    file->row_bytes = row_bytes;
    file->cols = cols;
    file->announced = rows;
    build_header(header, type, rows, cols);
    IM_TRY(rows == IMSAT_NPY_ANY_ROWS ? im_writer_open_over(&file->writer, path, err)
                                      : im_writer_open(&file->writer, path, err));
    IM_TRY(im_writer_put(&file->writer, header, sizeof header, err));
    *out = file;
    file = NULL;

cleanup:
    imsat_npy_free(file);
    return st;
}

imsat_status imsat_npy_append(imsat_npy *file, const void *x, size_t rows, imsat_error *err)
{
    IM_REQUIRE(file);
    IM_REQUIRE_ARRAY(x, rows);
    imsat_status st = check_open(file, err);
    if (st != IMSAT_OK)
        return st;
    if (rows > file->announced - file->rows)
        return im_fail(err, IMSAT_EINVAL, "%s: %zu rows more than were announced",
                       file->writer.path, rows - (file->announced - file->rows));
    size_t bytes;
    if (!im_size_mul(&bytes, rows, file->row_bytes))
        return too_large(file->writer.path, rows, file->cols, err);
    st = im_writer_put(&file->writer, x, bytes, err);
    file->ended = st != IMSAT_OK; /* a part of the rows may be in the file */
    file->rows += st == IMSAT_OK ? rows : 0;
    return st;
}

imsat_status imsat_npy_commit(imsat_npy *file, imsat_error *err)
{
    IM_REQUIRE(file);
    imsat_status st = IMSAT_OK;
    char header[HEADER];
    IM_TRY(check_open(file, err));
    if (file->announced != IMSAT_NPY_ANY_ROWS && file->rows < file->announced)
        return im_fail(err, IMSAT_EINVAL, "%s: %zu rows are missing", file->writer.path,
                       file->announced - file->rows);
    file->ended = true;
    if (file->announced == IMSAT_NPY_ANY_ROWS) {
        build_header(header, file->type, file->rows, file->cols);
        IM_TRY(im_writer_over(&file->writer, header, sizeof header, err));
    }
    IM_TRY(im_writer_commit(&file->writer, err));

cleanup:
    return st;
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
    if (rows == IMSAT_NPY_ANY_ROWS)
        return too_large(path, rows, cols, err);
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
    IM_REQUIRE_PATH(path);
    IM_REQUIRE_ARRAY(x, n);
    return write_array(path, IMSAT_NPY_INT32, x, n, 0, err);
}

imsat_status imsat_npy_write_float(const char *path, const float *x, size_t rows, size_t cols,
                                   imsat_error *err)
{
    IM_REQUIRE_PATH(path);
    IM_REQUIRE_ARRAY(x, rows);
    return write_array(path, IMSAT_NPY_FLOAT32, x, rows, cols, err);
}
