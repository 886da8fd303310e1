/* SPDX-License-Identifier: MIT
 * Arrays of MATLAB as blocks; see mat.h. */
#include "core/alloc.h"
#include "data/mat.h"
#include "data/pixels.h"

bool im_mat_is_vector(const size_t *shape, size_t ndim)
{
    size_t longer = 0;
    for (size_t i = 0; i < ndim; i++)
        longer += shape[i] > 1;
    return longer < 2;
}

imsat_status im_mat_set_shape(im_block *block, const size_t *shape, size_t ndim,
                              const char *path, imsat_error *err)
{
    const size_t images[IM_SHAPE_MAX] = {shape[ndim - 1], shape[0], shape[1], shape[2]};
    const imsat_status st =
        im_block_set_shape(block, ndim == 2 ? shape : images, ndim, path, err);
    if (st == IMSAT_OK && ndim == 2)
        im_block_set_fortran(block);
    return st;
}

imsat_status im_mat_suits(im_block *block, const im_read_request *request, imsat_error *err)
{
    if (!request->suits)
        return IMSAT_OK;
    if (block->rows == 1 && block->ndim == 2 &&
        request->suits(block, request, NULL) != IMSAT_OK) {
        const imsat_status st =
            im_block_set_shape(block, &(const size_t){block->dim}, 1, request->path, err);
        if (st != IMSAT_OK)
            return st;
    }
    return request->suits(block, request, err);
}

imsat_status im_mat_set_order(im_block *block, const size_t *shape, size_t ndim,
                              const char *path, imsat_error *err)
{
    const size_t down = im_dtype_size(block->dtype), right = down * shape[0];
    if (ndim == 2)
        return IMSAT_OK;
    return im_pixels_set(block, (im_pixels_order){down, right, right * shape[1]}, path, err);
}

imsat_status im_mat_set_sparse(im_block *block, const im_csr_arrays *arrays, const char *name,
                               const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_csr csr = {0};
    IM_TRY(im_csr_arrays_read(&csr, arrays, request->path, err));
    im_block_set_csr(block, &csr);
    IM_TRY(im_block_describe(block, err, "mat '%s': sparse (%zu, %zu), %zu elements", name,
                             arrays->rows, arrays->columns,
                             arrays->array[IM_CSR_VALUES].rows));
    if (request->suits)
        IM_TRY(request->suits(block, request, err));

cleanup:
    im_csr_clear(&csr);
    return st;
}
