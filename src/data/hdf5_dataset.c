/* SPDX-License-Identifier: MIT
 * Datasets of HDF5; see hdf5_dataset.h. */
#include "data/hdf5_dataset.h"

#if IM_HDF5_BUILT

#include "core/alloc.h"
#include "data/hdf5.h"

#include <string.h>

enum { CACHE_LEAST = 1 << 24, CACHE_MOST = 1 << 28, SLOTS = 12421 };

/* ---- types ------------------------------------------------------------------------ */

static bool find_integer(im_hdf5_type *out, hid_t type, size_t size)
{
    const bool has_sign = H5Tget_sign(type) == H5T_SGN_2;
    switch (size) {
    case 1:
        *out = has_sign ? (im_hdf5_type){IM_I8, H5T_NATIVE_INT8, 0, 0, "int8"}
                        : (im_hdf5_type){IM_U8, H5T_NATIVE_UINT8, 0, 0, "uint8"};
        return true;
    case 2:
        *out = has_sign ? (im_hdf5_type){IM_I16, H5T_NATIVE_INT16, 0, 0, "int16"}
                        : (im_hdf5_type){IM_U16, H5T_NATIVE_UINT16, 0, 0, "uint16"};
        return true;
    case 4:
        *out = has_sign ? (im_hdf5_type){IM_I32, H5T_NATIVE_INT32, 0, 0, "int32"}
                        : (im_hdf5_type){IM_U32, H5T_NATIVE_UINT32, 0, 0, "uint32"};
        return true;
    case 8:
        *out = has_sign ? (im_hdf5_type){IM_I64, H5T_NATIVE_INT64, 0, 0, "int64"}
                        : (im_hdf5_type){IM_U64, H5T_NATIVE_UINT64, 0, 0, "uint64"};
        return true;
    default: return false;
    }
}

/* Half precision is widened, since libhdf5 has no name for it. */
static bool find_float(im_hdf5_type *out, size_t size)
{
    switch (size) {
    case 2: *out = (im_hdf5_type){IM_F32, H5T_NATIVE_FLOAT, 0, 0, "float16"}; return true;
    case 4: *out = (im_hdf5_type){IM_F32, H5T_NATIVE_FLOAT, 0, 0, "float32"}; return true;
    case 8: *out = (im_hdf5_type){IM_F64, H5T_NATIVE_DOUBLE, 0, 0, "float64"}; return true;
    default: return false;
    }
}

/* False: it is no plain number of a size that is known. */
static bool find_type(im_hdf5_type *out, hid_t type)
{
    const H5T_class_t class = H5Tget_class(type);
    const size_t size = H5Tget_size(type);
    if (!(class == H5T_INTEGER ? find_integer(out, type, size)
                               : class == H5T_FLOAT && find_float(out, size)))
        return false;
    const hid_t other = H5Tcopy(out->memory);
    if (other >= 0) {
        H5Tset_order(other,
                     H5Tget_order(out->memory) == H5T_ORDER_LE ? H5T_ORDER_BE : H5T_ORDER_LE);
        out->swapped = size > 1 && H5Tequal(type, other) > 0;
        H5Tclose(other);
    }
    out->as_it_lies = out->swapped || H5Tequal(type, out->memory) > 0;
    return true;
}

/* ---- datasets ------------------------------------------------------------------------ */

/* The shape of a dataset; false if it cannot be rows. */
static bool find_shape(im_hdf5_dataset *set)
{
    hsize_t dims[H5S_MAX_RANK];
    const hid_t space = H5Dget_space(set->id);
    if (space < 0)
        return false;
    const int ndim = H5Sget_simple_extent_ndims(space);
    const bool fits = ndim >= 1 && ndim <= IM_SHAPE_MAX &&
                      H5Sget_simple_extent_dims(space, dims, NULL) == ndim;
    for (int i = 0; fits && i < ndim; i++)
        set->shape[i] = (size_t)dims[i];
    set->ndim = fits ? (size_t)ndim : 0;
    H5Sclose(space);
    return fits;
}

void im_hdf5_dataset_close(im_hdf5_dataset *set)
{
    if (set->id >= 0)
        H5Dclose(set->id);
    set->id = -1;
}

bool im_hdf5_dataset_open(im_hdf5_dataset *set, hid_t file, const char *name)
{
    set->id = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t type = set->id < 0 ? -1 : H5Dget_type(set->id);
    const bool good = type >= 0 && find_type(&set->type, type) && find_shape(set);
    if (type >= 0)
        H5Tclose(type);
    set->file = file;
    set->name = name;
    if (!good)
        im_hdf5_dataset_close(set);
    return good;
}

/* ---- rows that libhdf5 reads ------------------------------------------------------------ */

typedef struct rows {
    hid_t id, memory; /* the dataset, which keeps the file open, and the type to read by */
    size_t shape[IM_SHAPE_MAX], ndim, dim, size;
    char *path; /* owned */
} rows;

/* out (dim) = a row. */
static bool read_row(const rows *r, void *out, size_t row)
{
    hsize_t start[IM_SHAPE_MAX] = {row}, count[IM_SHAPE_MAX] = {1};
    const hsize_t length = r->dim;
    for (size_t i = 1; i < r->ndim; i++)
        count[i] = r->shape[i];
    const hid_t space = H5Dget_space(r->id), memory = H5Screate_simple(1, &length, NULL);
    const bool read =
        space >= 0 && memory >= 0 &&
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Dread(r->id, r->memory, memory, space, H5P_DEFAULT, out) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (memory >= 0)
        H5Sclose(memory);
    return read;
}

/* Rows are read as a whole: a part of one may cut through its dimensions. */
static imsat_status read_elements(void *context, void *out, size_t row, size_t first,
                                  size_t count, imsat_error *err)
{
    const rows *r = context;
    const bool whole = count == r->dim;
    unsigned char *buffer = whole ? out : im_alloc_unset(r->dim, r->size);
    if (!buffer)
        return im_fail_memory(err, r->path);
    im_hdf5_enter();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* each thread has its own */
    const bool read = read_row(r, buffer, row);
    im_hdf5_leave();
    if (!whole) {
        memcpy(out, buffer + first * r->size, read ? count * r->size : 0);
        im_free(buffer);
    }
    if (read)
        return IMSAT_OK;
    return im_fail(
        err, IMSAT_EFORMAT,
        "%s: row %zu (from 0) cannot be read: it is damaged, or compressed in a way "
        "that libhdf5 does not know",
        r->path, row);
}

static void close_rows(void *context)
{
    rows *r = context;
    im_hdf5_enter();
    H5Dclose(r->id);
    im_hdf5_leave();
    im_free(r->path);
    im_free(r);
}

/* ---- what libhdf5 may be asked to read ------------------------------------------------- */

/* Bytes of a chunk, how many of them a row goes through, and how many there must be. */
typedef struct chunking {
    size_t bytes, across, wanted;
} chunking;

static bool measure_chunks(chunking *out, const im_hdf5_dataset *set, hid_t plist)
{
    hsize_t sides[IM_SHAPE_MAX];
    *out = (chunking){im_dtype_size(set->type.dtype), 1, 1};
    if (H5Pget_chunk(plist, IM_SHAPE_MAX, sides) != (int)set->ndim)
        return false;
    for (size_t i = 0; i < set->ndim; i++) {
        const size_t side = (size_t)sides[i];
        const size_t pieces = side ? set->shape[i] / side + (set->shape[i] % side != 0) : 0;
        if (!im_size_mul(&out->bytes, out->bytes, side) ||
            !im_size_mul(&out->wanted, out->wanted, pieces) || out->wanted == 0)
            return false;
        out->across *= i ? pieces : 1;
    }
    return true;
}

/* All chunks are there, and one is no larger than what is decompressed may be. */
static imsat_status check_chunks(chunking *c, const im_hdf5_dataset *set, hid_t plist,
                                 const char *path, imsat_error *err)
{
    hsize_t there = 0;
    if (!measure_chunks(c, set, plist))
        return im_fail(err, IMSAT_EFORMAT, "%s: its division into chunks is damaged", path);
    const hid_t space = H5Dget_space(set->id);
    const herr_t counted = H5Dget_num_chunks(set->id, space, &there);
    H5Sclose(space);
    if (counted < 0 || there != c->wanted)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: of its %zu chunks only %llu were ever written; write all rows",
                       path, c->wanted, (unsigned long long)there);
    return im_unpack_afford_size(c->bytes, path, err);
}

/* What is not in chunks is in the file as it is. */
static imsat_status check_plain(const im_hdf5_dataset *set, hid_t plist, const im_bytes *bytes,
                                size_t elements, const char *path, imsat_error *err)
{
    const H5D_layout_t layout = H5Pget_layout(plist);
    if ((layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) ||
        H5Pget_external_count(plist) != 0)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: its values are in other files, which imsat does not read", path);
    const hsize_t stored = H5Dget_storage_size(set->id);
    if (stored < elements || stored > bytes->size) /* an element has a byte at least */
        return im_fail(err, IMSAT_EFORMAT, "%s: has %llu bytes in the file for %zu values",
                       path, (unsigned long long)stored, elements);
    return IMSAT_OK;
}

/* ---- reading ------------------------------------------------------------------------- */

/* Where the elements lie in the file as they are; false if they do not. */
static bool find_place(size_t *place, const im_hdf5_dataset *set, hid_t plist,
                       const im_bytes *bytes, size_t total)
{
    if (!set->type.as_it_lies || !bytes->mapped || H5Pget_layout(plist) != H5D_CONTIGUOUS ||
        H5Pget_nfilters(plist) != 0)
        return false;
    const haddr_t offset = H5Dget_offset(set->id);
    if (offset == HADDR_UNDEF || offset > bytes->size || total > bytes->size - offset)
        return false;
    *place = (size_t)offset;
    return true;
}

/* Open a dataset once more, with a cache that holds the chunks of some rows. */
static hid_t open_cached(const im_hdf5_dataset *set, const chunking *k)
{
    size_t bytes;
    if (!im_size_mul(&bytes, k->bytes, 2 * k->across) || bytes > CACHE_MOST)
        bytes = CACHE_MOST;
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, SLOTS, bytes < CACHE_LEAST ? CACHE_LEAST : bytes, 1);
    const hid_t id = H5Dopen2(set->file, set->name, access);
    H5Pclose(access);
    return id;
}

/* A block whose rows libhdf5 reads. */
static imsat_status set_source(im_block *block, const im_hdf5_dataset *set, const chunking *k,
                               const char *path, imsat_error *err)
{
    rows *r = im_alloc(1, sizeof *r);
    char *own_path = im_strdup(path);
    if (!r || !own_path) {
        im_free(r);
        im_free(own_path);
        return im_fail_memory(err, path);
    }
    *r = (rows){.id = open_cached(set, k),
                .memory = set->type.memory,
                .ndim = set->ndim,
                .dim = block->dim,
                .size = im_dtype_size(block->dtype),
                .path = own_path};
    memcpy(r->shape, set->shape, sizeof r->shape);
    block->kind = IM_BLOCK_SOURCE;
    block->source = (im_row_source){r, read_elements, NULL, close_rows};
    return r->id >= 0 ? IMSAT_OK
                      : im_fail(err, IMSAT_EFORMAT, "%s: cannot be opened twice", path);
}

/* A block of all the elements in memory. */
static imsat_status read_whole(im_block *block, const im_hdf5_dataset *set, size_t total,
                               const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    unsigned char *heap = NULL;
    IM_TRY(im_unpack_afford_size(total, path, err));
    heap = im_alloc_unset(total, 1);
    if (!heap)
        return im_fail_memory(err, path);
    if (H5Dread(set->id, set->type.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, heap) < 0) {
        im_free(heap);
        return im_fail(
            err, IMSAT_EFORMAT,
            "%s: cannot be read: it is damaged, or compressed in a way that libhdf5 "
            "does not know",
            path);
    }
    block->bytes = (im_bytes){.data = heap, .size = total, .heap = heap};
    block->base = heap;

cleanup:
    return st;
}

imsat_status im_hdf5_dataset_fill(im_block *block, const im_hdf5_dataset *set,
                                  const im_bytes *bytes, bool whole, const char *path,
                                  imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t row = block->dim * im_dtype_size(block->dtype), total = block->rows * row;
    chunking k = {1, 1, 1};
    size_t place = 0;
    const hid_t plist = H5Dget_create_plist(set->id);
    if (plist < 0)
        return im_fail(err, IMSAT_EFORMAT, "%s: its layout is damaged", path);
    if (H5Pget_layout(plist) == H5D_CHUNKED)
        IM_TRY(check_chunks(&k, set, plist, path, err));
    else
        IM_TRY(check_plain(set, plist, bytes, block->rows * block->dim, path, err));
    if (find_place(&place, set, plist, bytes, total)) {
        block->base = bytes->data + place;
        block->swapped = set->type.swapped;
        block->bytes = im_bytes_borrow(bytes, 0, bytes->size);
    } else if (whole) {
        IM_TRY(read_whole(block, set, total, path, err));
    } else {
        IM_TRY(im_unpack_afford_size(row, path, err));
        IM_TRY(set_source(block, set, &k, path, err));
    }

cleanup:
    H5Pclose(plist);
    return st;
}

#endif
