/* SPDX-License-Identifier: MIT
 *
 * Data sets whose elements are in the caller's memory: arrays of any type and layout, and
 * sparse rows. Nothing is copied; a row becomes float when it is asked for, as of a file.
 */
#include "data/dataset.h"

#include "core/alloc.h"

/* By imsat_element. */
static const struct {
    im_dtype dtype;
    const char *name;
} elements[IMSAT_ELEMENTS] = {
    [IMSAT_ELEMENT_BOOL] = {IM_BOOL, "bool"},
    [IMSAT_ELEMENT_INT8] = {IM_I8, "int8"},
    [IMSAT_ELEMENT_UINT8] = {IM_U8, "uint8"},
    [IMSAT_ELEMENT_INT16] = {IM_I16, "int16"},
    [IMSAT_ELEMENT_UINT16] = {IM_U16, "uint16"},
    [IMSAT_ELEMENT_INT32] = {IM_I32, "int32"},
    [IMSAT_ELEMENT_UINT32] = {IM_U32, "uint32"},
    [IMSAT_ELEMENT_INT64] = {IM_I64, "int64"},
    [IMSAT_ELEMENT_UINT64] = {IM_U64, "uint64"},
    [IMSAT_ELEMENT_FLOAT16] = {IM_F16, "float16"},
    [IMSAT_ELEMENT_BFLOAT16] = {IM_BF16, "bfloat16"},
    [IMSAT_ELEMENT_FLOAT32] = {IM_F32, "float32"},
    [IMSAT_ELEMENT_FLOAT64] = {IM_F64, "float64"},
};

const char *imsat_element_name(imsat_element element)
{
    return (unsigned)element < IMSAT_ELEMENTS ? elements[element].name : NULL;
}

/* Whether the last element of the array has an address. */
static bool fits_memory(const imsat_array *a, size_t size)
{
    size_t rows, row;
    return im_size_mul(&rows, a->rows, a->row_stride) &&
           im_size_mul(&row, a->dim, a->col_stride) && rows <= SIZE_MAX - row &&
           rows + row <= SIZE_MAX - size;
}

static imsat_status check_array(const imsat_array *a, imsat_error *err)
{
    if ((unsigned)a->type >= IMSAT_ELEMENTS)
        return im_fail(err, IMSAT_EINVAL, "view: there is no type %d of elements",
                       (int)a->type);
    if (a->rows == 0 || a->dim == 0)
        return im_fail(err, IMSAT_EINVAL, "view: %zu rows of %zu values; there must be some",
                       a->rows, a->dim);
    if (!fits_memory(a, im_dtype_size(elements[a->type].dtype)))
        return im_fail(err, IMSAT_EINVAL,
                       "view: %zu rows, %zu bytes apart, are more than memory holds", a->rows,
                       a->row_stride);
    return IMSAT_OK;
}

imsat_status imsat_data_array(imsat_data **out, const imsat_array *array, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(array);
    IM_REQUIRE(array->elements);
    imsat_status st = IMSAT_OK;
    imsat_data *data = NULL;
    im_block block = {0};
    IM_TRY(check_array(array, err));
    block.dtype = elements[array->type].dtype;
    block.rows = array->rows;
    block.dim = array->dim;
    block.base = array->elements;
    block.row_stride = array->row_stride;
    block.col_stride = array->col_stride;
    IM_TRY(im_block_describe(&block, err, "%s (%zu, %zu) in the caller's memory",
                             elements[array->type].name, array->rows, array->dim));
    IM_TRY(im_data_check_values(&block, "view", err));
    IM_TRY(im_data_new(&data, &block, err));
    IM_TRY(im_data_set_image(data, array->image, "view", err));
    *out = data;
    data = NULL;

cleanup:
    im_block_clear(&block);
    imsat_data_free(data);
    return st;
}

imsat_status imsat_data_view(imsat_data **out, const float *x, size_t n, size_t dim,
                             size_t stride, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(x);
    size_t row_bytes;
    if (n > 0 && dim > 0 && stride < dim)
        return im_fail(err, IMSAT_EINVAL,
                       "view: stride %zu is less than the %zu values of a row", stride, dim);
    if (!im_size_mul(&row_bytes, stride, sizeof *x))
        return im_fail(err, IMSAT_EINVAL,
                       "view: rows that are %zu values apart are more than memory holds",
                       stride);
    const imsat_array array = {.elements = x,
                               .type = IMSAT_ELEMENT_FLOAT32,
                               .rows = n,
                               .dim = dim,
                               .row_stride = row_bytes,
                               .col_stride = sizeof *x};
    return imsat_data_array(out, &array, err);
}

imsat_status imsat_data_csr(imsat_data **out, const int64_t *indptr, const int32_t *indices,
                            const float *values, size_t n, size_t dim, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(indptr);
    IM_REQUIRE(indices);
    IM_REQUIRE(values);
    imsat_status st = IMSAT_OK;
    im_csr csr = {0};
    im_block block = {0};
    IM_TRY(im_csr_view(&csr, indptr, indices, values, n, dim, "csr", err));
    im_block_set_csr(&block, &csr);
    IM_TRY(im_block_describe(
        &block, err, "float32 (%zu, %zu), sparse, %lld elements, in the caller's memory", n,
        dim, (long long)indptr[n]));
    IM_TRY(im_data_new(out, &block, err));

cleanup:
    im_csr_clear(&csr);
    im_block_clear(&block);
    return st;
}
