/* SPDX-License-Identifier: MIT
 *
 * Files of MATLAB of version 4 and 5 (whose compressed form is called 7): the variables in
 * them, and where their values are. Version 7.3 is HDF5. */
#ifndef IM_DATA_MAT_H
#define IM_DATA_MAT_H

#include "data/csr_arrays.h"
#include "data/reader.h"

enum { IM_MAT_NAME = 64 }; /* MATLAB's names have at most 63 letters */

typedef struct im_mat_variable {
    char name[IM_MAT_NAME];
    const char *type; /* "double", "logical"; of what cannot be rows "a cell array" */
    bool usable;      /* real numbers, some of them, of at most IM_SHAPE_MAX dimensions */
    bool sparse, is_bool;
    size_t shape[IM_SHAPE_MAX], ndim; /* as MATLAB has it, columns first */
    size_t at, size; /* the bytes of the file that hold it, its header included */
    bool packed;     /* compressed by zlib */
    bool big_endian;
    size_t values;  /* how far behind its start, when it is not packed, its values are */
    bool is_old;    /* of version 4, whose values have no header of their own, but */
    im_dtype dtype; /* this type */
} im_mat_variable;

typedef struct im_mat {
    const im_bytes *bytes;      /* of the file, all of them here */
    im_mat_variable *variables; /* (count) owned */
    size_t count;
} im_mat;

/* Whether a file begins as one of version 5, or as one of 7.3 before its HDF5. */
bool im_mat_is_5(const im_bytes *bytes);
bool im_mat_is_73(const im_bytes *bytes);

/* All variables that have a name. A file that is cut is refused, wherever that is. */
imsat_status im_mat_list(im_mat *out, const im_bytes *bytes, const char *path,
                         imsat_error *err);
void im_mat_clear(im_mat *file);

/* The bytes of a variable from its start; of one that is packed, the first of them. */
imsat_status im_mat_open(im_bytes *out, const im_mat *file, const im_mat_variable *variable,
                         const char *path, imsat_error *err);

/* An array among those bytes: its values are at start .. start + size - 1, and another one may
 * be at `next`. */
typedef struct im_mat_array {
    im_dtype dtype;
    size_t start, size, next;
} im_mat_array;

/* The array at `at`, of real numbers, and then have its values here. */
imsat_status im_mat_array_head(im_mat_array *out, im_bytes *bytes,
                               const im_mat_variable *variable, size_t at, const char *path,
                               imsat_error *err);
imsat_status im_mat_array_need(im_bytes *bytes, const im_mat_array *array, const char *path,
                               imsat_error *err);

/* ---- arrays of any version as blocks ------------------------------------------------ */

/* The end of a message on a variable that cannot be rows. */
#define IM_MAT_READS "imsat reads arrays of real numbers, of 2 to 4 dimensions"

/* Whether a shape, of `ndim` sizes as MATLAB has them, is that of a vector or of one number.
 */
bool im_mat_is_vector(const size_t *shape, size_t ndim);

/* Rows and columns of a block that has its type: of a matrix, or of images, which the last
 * dimension counts. shape has room for IM_SHAPE_MAX, and ndim is 2 or more. */
imsat_status im_mat_set_shape(im_block *block, const size_t *shape, size_t ndim,
                              const char *path, imsat_error *err);

/* Whether the block is what is wanted. A row vector becomes values one a row, if a row is not.
 */
imsat_status im_mat_suits(im_block *block, const im_read_request *request, imsat_error *err);

/* The values of a block that has them, column after column, are rows or images of the shape.
 */
imsat_status im_mat_set_order(im_block *block, const size_t *shape, size_t ndim,
                              const char *path, imsat_error *err);

/* A sparse matrix as the block, of arrays that fit together; asks whether it suits. */
imsat_status im_mat_set_sparse(im_block *block, const im_csr_arrays *arrays, const char *name,
                               const im_read_request *request, imsat_error *err);

#endif
