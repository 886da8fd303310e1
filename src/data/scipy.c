/* SPDX-License-Identifier: MIT
 * See scipy.h. The arrays are read as any others; csr_arrays.h has how they fit together. */
#include "data/scipy.h"

#include "data/csr_arrays.h"

#include <string.h>

enum { SHAPE = IM_CSR_ARRAYS, FORMAT, ARRAYS };

static const char *const names[ARRAYS] = {
    [IM_CSR_VALUES] = "data", [IM_CSR_INDICES] = "indices", [IM_CSR_STARTS] = "indptr",
    [SHAPE] = "shape",        [FORMAT] = "format",
};

static size_t find(const im_inside *inside, const char *name)
{
    size_t i = 0;
    while (i < inside->count && strcmp(inside->names[i], name) != 0)
        i++;
    return i;
}

bool im_scipy_fits(const im_inside *inside)
{
    for (size_t a = 0; a < ARRAYS; a++)
        if (find(inside, names[a]) == inside->count)
            return false;
    return true;
}

static imsat_status read_array(im_block *out, const im_inside *inside, const char *name,
                               const im_read_request *request, imsat_error *err)
{
    im_read_request plain = *request;
    plain.labels = NULL;
    plain.label_column = NULL;
    plain.suits = NULL;
    return inside->read(out, inside->context, find(inside, name), &plain, err);
}

/* Rows and columns. */
static imsat_status read_shape(im_csr_arrays *m, const im_inside *inside,
                               const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_block shape = {0};
    IM_TRY(read_array(&shape, inside, names[SHAPE], request, err));
    if (shape.rows != 2 || shape.dim != 1) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: 'shape' has %zu values, not 2", request->path,
                     shape.rows * shape.dim);
        goto cleanup;
    }
    IM_TRY(im_csr_arrays_count(&m->rows, &shape, names[SHAPE], 0, request->path, err));
    IM_TRY(im_csr_arrays_count(&m->columns, &shape, names[SHAPE], 1, request->path, err));

cleanup:
    im_block_clear(&shape);
    return st;
}

imsat_status im_scipy_read(im_block *out, const im_inside *inside, const char *format,
                           size_t bytes, const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_csr_arrays m = {
        .names = names, .by_columns = strcmp(format, "csc") == 0, .most_rows = bytes};
    im_csr csr = {0};
    im_block block = {0};
    if (!m.by_columns && strcmp(format, "csr") != 0)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: a sparse matrix of scipy in the format '%s'; write it as csr "
                       "(tocsr())",
                       request->path, format);
    for (int a = 0; a < IM_CSR_ARRAYS; a++)
        IM_TRY(read_array(&m.array[a], inside, names[a], request, err));
    IM_TRY(read_shape(&m, inside, request, err));
    IM_TRY(im_csr_arrays_read(&csr, &m, request->path, err));
    im_block_set_csr(&block, &csr);
    IM_TRY(im_inside_labels(inside, find(inside, names[IM_CSR_VALUES]), m.rows, request, err));
    IM_TRY(im_block_describe(&block, err, "npz, %s of scipy (%zu, %zu), sparse, %zu elements",
                             format, m.rows, m.columns, m.array[IM_CSR_VALUES].rows));
    *out = block;
    block = (im_block){0};

cleanup:
    im_csr_arrays_clear(&m);
    im_csr_clear(&csr);
    im_block_clear(&block);
    return st;
}
