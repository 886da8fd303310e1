/* SPDX-License-Identifier: MIT
 * Variables of MATLAB 7.3; see hdf5_matlab.h. */
#include "data/hdf5_matlab.h"

#if IM_HDF5_BUILT

#include "core/alloc.h"
#include "data/csr_arrays.h"
#include "data/mat.h"

#include <stdio.h>
#include <string.h>

enum { CLASS_ROOM = 32, NAME_ROOM = 512 };

/* What the attributes of a variable say. */
typedef struct attributes {
    char class[CLASS_ROOM]; /* "" if it has none */
    size_t sparse_rows;     /* of a sparse matrix; else 0 */
    bool empty;
} attributes;

/* ---- attributes ------------------------------------------------------------------------ */

static void read_class(char class[CLASS_ROOM], hid_t object)
{
    const hid_t attribute = H5Aopen(object, "MATLAB_class", H5P_DEFAULT);
    const hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    const hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
        H5Tis_variable_str(type) == 0 && H5Tget_size(type) < CLASS_ROOM &&
        H5Sget_simple_extent_npoints(space) == 1)
        H5Aread(attribute, type, class);
    class[CLASS_ROOM - 1] = '\0';
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (attribute >= 0)
        H5Aclose(attribute);
}

static size_t read_sparse_rows(hid_t object)
{
    uint64_t rows = 0;
    const hid_t attribute = H5Aopen(object, "MATLAB_sparse", H5P_DEFAULT);
    const hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    if (space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
        H5Aread(attribute, H5T_NATIVE_UINT64, &rows) < 0)
        rows = 0;
    if (space >= 0)
        H5Sclose(space);
    if (attribute >= 0)
        H5Aclose(attribute);
    return rows;
}

/* False: there is nothing of that name. */
static bool look(attributes *out, hid_t group, const char *name)
{
    *out = (attributes){.sparse_rows = 0};
    const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0)
        return false;
    read_class(out->class, object);
    if (H5Aexists(object, "MATLAB_sparse") > 0)
        out->sparse_rows = read_sparse_rows(object);
    out->empty = H5Aexists(object, "MATLAB_empty") > 0;
    H5Oclose(object);
    return true;
}

static bool is_numbers(const char *class)
{
    static const char *const classes[] = {"double", "single", "logical", "int8",
                                          "uint8",  "int16",  "uint16",  "int32",
                                          "uint32", "int64",  "uint64"};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(class, classes[i]) == 0)
            return true;
    return false;
}

/* The shape of a dataset as MATLAB has it. */
static void turn_shape(size_t shape[IM_SHAPE_MAX], const im_hdf5_dataset *set)
{
    memset(shape, 0, IM_SHAPE_MAX * sizeof *shape);
    for (size_t i = 0; i < set->ndim; i++)
        shape[i] = set->shape[set->ndim - 1 - i];
}

bool im_hdf5_matlab_holds(hid_t group, const char *name, bool *vector)
{
    attributes has;
    im_hdf5_dataset set;
    size_t shape[IM_SHAPE_MAX];
    if (name[0] == '#' || !look(&has, group, name) || !is_numbers(has.class) || has.empty)
        return false;
    *vector = false;
    if (has.sparse_rows)
        return true;
    if (!im_hdf5_dataset_open(&set, group, name))
        return false;
    turn_shape(shape, &set);
    *vector = im_mat_is_vector(shape, set.ndim);
    const bool fits = set.ndim >= 2;
    im_hdf5_dataset_close(&set);
    return fits;
}

imsat_status im_hdf5_matlab_check(hid_t file, const char *name, const char *path,
                                  imsat_error *err)
{
    attributes has;
    bool vector;
    if (!name || im_hdf5_matlab_holds(file, name, &vector) || !look(&has, file, name))
        return IMSAT_OK;
    return im_fail(err, IMSAT_EFORMAT, "%s: the variable '%s' is %s%s; " IM_MAT_READS, path,
                   name,
                   has.empty               ? "empty, of class "
                   : is_numbers(has.class) ? "complex or has too many dimensions, of class "
                                           : "of class ",
                   *has.class ? has.class : "unknown");
}

/* ---- dense ------------------------------------------------------------------------------ */

static imsat_status read_dense(im_block *block, const im_hdf5_dataset *set, const char *class,
                               const im_bytes *bytes, const im_read_request *request,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const bool is_bool = strcmp(class, "logical") == 0 && set->type.dtype == IM_U8;
    size_t shape[IM_SHAPE_MAX];
    char text[IM_SHAPE_TEXT];
    turn_shape(shape, set);
    block->dtype = is_bool ? IM_BOOL : set->type.dtype;
    IM_TRY(im_mat_set_shape(block, shape, set->ndim, request->path, err));
    im_block_shape_text(text, shape, set->ndim);
    IM_TRY(im_block_describe(block, err, "mat '%s': %s %s", set->name, class, text));
    IM_TRY(im_mat_suits(block, request, err));
    IM_TRY(im_hdf5_dataset_fill(block, set, bytes, true, request->path, err));
    IM_TRY(im_mat_set_order(block, shape, set->ndim, request->path, err));
    IM_TRY(im_block_describe(block, err, "mat '%s': %s %s, %s", set->name, class, text,
                             im_bytes_held(&block->bytes)));

cleanup:
    return st;
}

/* ---- sparse ----------------------------------------------------------------------------- */

static const char *const names[IM_CSR_ARRAYS] = {
    [IM_CSR_VALUES] = "data", [IM_CSR_INDICES] = "ir", [IM_CSR_STARTS] = "jc"};

/* One of the arrays of a sparse matrix. */
static imsat_status read_array(im_block *block, hid_t file, const char *name,
                               const char *array, const im_bytes *bytes, const char *path,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_hdf5_dataset set;
    char whole[NAME_ROOM];
    snprintf(whole, sizeof whole, "%s/%s", name, array);
    if (!im_hdf5_dataset_open(&set, file, whole))
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: a sparse matrix without an array '%s'; it has no elements, or is "
                       "damaged",
                       path, array);
    block->dtype = set.type.dtype;
    IM_TRY(im_block_set_shape(block, set.shape, set.ndim, path, err));
    IM_TRY(im_hdf5_dataset_fill(block, &set, bytes, true, path, err));

cleanup:
    im_hdf5_dataset_close(&set);
    return st;
}

static imsat_status read_sparse(im_block *block, hid_t file, const char *name, size_t rows,
                                const im_bytes *bytes, const im_read_request *request,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_csr_arrays m = {
        .names = names, .rows = rows, .by_columns = true, .most_rows = bytes->size};
    for (int i = 0; i < IM_CSR_ARRAYS; i++) {
        IM_TRY(read_array(&m.array[i], file, name, names[i], bytes, request->path, err));
        m.most_rows += m.array[i].bytes.heap ? m.array[i].bytes.size : 0;
    }
    m.columns = m.array[IM_CSR_STARTS].rows - 1;
    IM_TRY(im_mat_set_sparse(block, &m, name, request, err));

cleanup:
    im_csr_arrays_clear(&m);
    return st;
}

/* ---- both ------------------------------------------------------------------------------- */

imsat_status im_hdf5_matlab_read(im_block *out, hid_t file, const char *name,
                                 const im_bytes *bytes, const im_read_request *request,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    attributes has;
    im_hdf5_dataset set = {.id = -1};
    im_block block = {0};
    if (!look(&has, file, name) ||
        (!has.sparse_rows && !im_hdf5_dataset_open(&set, file, name)))
        return im_fail(err, IMSAT_EFORMAT, "%s: cannot be opened", request->path);
    IM_TRY(has.sparse_rows
               ? read_sparse(&block, file, name, has.sparse_rows, bytes, request, err)
               : read_dense(&block, &set, has.class, bytes, request, err));
    *out = block;
    block = (im_block){0};

cleanup:
    im_block_clear(&block);
    im_hdf5_dataset_close(&set);
    return st;
}

#endif
