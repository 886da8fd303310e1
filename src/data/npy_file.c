/* SPDX-License-Identifier: MIT
 *
 * The part of the public interface that knows .npy files alone: a file of rows (output.h) of
 * one column in that format.
 */
#include "data/output.h"

imsat_status imsat_npy_create(imsat_npy **out, const char *path, imsat_npy_type type,
                              size_t rows, size_t cols, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE_PATH(path);
    im_output_column column = {.name = "", .width = cols};
    if (!im_output_type(&column.type, type))
        return im_fail(err, IMSAT_EINVAL, "%s: %d is not a type of elements", path, (int)type);
    return im_output_open(out, path, &im_npy_output, &column, 1, rows, err);
}

imsat_status imsat_npy_append(imsat_npy *file, const void *x, size_t rows, imsat_error *err)
{
    IM_REQUIRE(file);
    IM_REQUIRE_ARRAY(x, rows);
    return imsat_output_append(file, &x, rows, err);
}

imsat_status imsat_npy_commit(imsat_npy *file, imsat_error *err)
{
    IM_REQUIRE(file);
    return imsat_output_commit(file, err);
}

void imsat_npy_free(imsat_npy *file)
{
    imsat_output_free(file);
}

static imsat_status write_array(const char *path, imsat_npy_type type, const void *x,
                                size_t rows, size_t cols, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_npy *file = NULL;
    if (rows == IMSAT_NPY_ANY_ROWS)
        return im_fail(err, IMSAT_EINVAL, "%s: %zu rows of %zu are more than memory holds",
                       path, rows, cols);
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
