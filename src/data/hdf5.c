/* SPDX-License-Identifier: MIT
 *
 * HDF5: a file of datasets in groups. The only file that knows libhdf5.
 *
 * A dataset that lies in one piece and is not compressed is used where it lies in the file,
 * which is mapped; libhdf5 only says where that is. Of any other, rows are read as they are
 * asked for, through libhdf5's cache of chunks, one thread at a time (hdf5.h). Chunks must all
 * be there: one that was never written takes no room in the file, so that a small file could
 * claim any number of rows.
 *
 * Names are paths, "images" or "group/images". Links to other files are not followed. A file
 * of ann-benchmarks has the datasets train, test, neighbors and distances; without a name it
 * is train.
 */
#if IM_HAVE_HDF5 /* before core/alloc.h, which takes the name free away */
#define H5_USE_110_API
#include <hdf5.h>
#endif

#include "data/hdf5.h"

#include "core/alloc.h"
#include "core/feature.h"
#include "data/inside.h"

#include <string.h>

static const unsigned char SIGNATURE[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

/* The signature is at the start, or behind a block of the user's at 512, 1024, 2048, ... */
static bool hdf5_holds(const im_bytes *bytes)
{
    for (size_t at = 0; at < bytes->size && bytes->size - at >= sizeof SIGNATURE;
         at = at ? 2 * at : 512)
        if (memcmp(bytes->data + at, SIGNATURE, sizeof SIGNATURE) == 0)
            return true;
    return false;
}

#if IM_HAVE_HDF5

enum { MOST_DATASETS = 4096, CACHE_LEAST = 1 << 24, CACHE_MOST = 1 << 28, SLOTS = 12421 };

/* The file being read. */
typedef struct container {
    hid_t file;
    char **names; /* (count) owned; of datasets that can be rows */
    size_t count;
    bool lacks_memory;
    im_bytes *bytes; /* the reader's, all of them here */
} container;

/* ---- types ------------------------------------------------------------------------ */

/* The type of our own that holds elements of a dataset, the type of libhdf5 that it is read
 * by, and whether the file's elements are that type as they lie, in one byte order or the
 * other. */
typedef struct element_type {
    im_dtype dtype;
    hid_t memory;
    bool as_it_lies, swapped;
    const char *name;
} element_type;

static bool find_integer(element_type *out, hid_t type, size_t size)
{
    const bool has_sign = H5Tget_sign(type) == H5T_SGN_2;
    switch (size) {
    case 1:
        *out = has_sign ? (element_type){IM_I8, H5T_NATIVE_INT8, 0, 0, "int8"}
                        : (element_type){IM_U8, H5T_NATIVE_UINT8, 0, 0, "uint8"};
        return true;
    case 2:
        *out = has_sign ? (element_type){IM_I16, H5T_NATIVE_INT16, 0, 0, "int16"}
                        : (element_type){IM_U16, H5T_NATIVE_UINT16, 0, 0, "uint16"};
        return true;
    case 4:
        *out = has_sign ? (element_type){IM_I32, H5T_NATIVE_INT32, 0, 0, "int32"}
                        : (element_type){IM_U32, H5T_NATIVE_UINT32, 0, 0, "uint32"};
        return true;
    case 8:
        *out = has_sign ? (element_type){IM_I64, H5T_NATIVE_INT64, 0, 0, "int64"}
                        : (element_type){IM_U64, H5T_NATIVE_UINT64, 0, 0, "uint64"};
        return true;
    default: return false;
    }
}

/* Half precision is widened, since libhdf5 has no name for it. */
static bool find_float(element_type *out, size_t size)
{
    switch (size) {
    case 2: *out = (element_type){IM_F32, H5T_NATIVE_FLOAT, 0, 0, "float16"}; return true;
    case 4: *out = (element_type){IM_F32, H5T_NATIVE_FLOAT, 0, 0, "float32"}; return true;
    case 8: *out = (element_type){IM_F64, H5T_NATIVE_DOUBLE, 0, 0, "float64"}; return true;
    default: return false;
    }
}

/* False: it is no plain number of a size that is known. */
static bool find_type(element_type *out, hid_t type)
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

/* ---- the list ----------------------------------------------------------------------- */

/* A dataset, opened, and what it is. */
typedef struct dataset {
    hid_t id;
    element_type type;
    size_t shape[IM_SHAPE_MAX], ndim;
} dataset;

/* The shape of a dataset; false if it cannot be rows. */
static bool find_shape(dataset *set)
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

/* False: there is no such dataset, or it cannot be rows. */
static bool open_dataset(dataset *set, hid_t file, const char *name, hid_t access)
{
    set->id = H5Dopen2(file, name, access);
    const hid_t type = set->id < 0 ? -1 : H5Dget_type(set->id);
    const bool good = type >= 0 && find_type(&set->type, type) && find_shape(set);
    if (type >= 0)
        H5Tclose(type);
    if (!good && set->id >= 0)
        H5Dclose(set->id);
    return good;
}

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    container *c = context;
    dataset set;
    if (info->type != H5L_TYPE_HARD || c->count == MOST_DATASETS)
        return 0;
    const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    const bool is_dataset = object >= 0 && H5Iget_type(object) == H5I_DATASET;
    if (object >= 0)
        H5Oclose(object);
    if (!is_dataset || !open_dataset(&set, group, name, H5P_DEFAULT))
        return 0;
    H5Dclose(set.id);
    c->names[c->count] = im_strdup(name);
    c->lacks_memory = !c->names[c->count];
    c->count += !c->lacks_memory;
    return c->lacks_memory;
}

static imsat_status list_datasets(container *c, const char *path, imsat_error *err)
{
    c->names = im_alloc(MOST_DATASETS, sizeof *c->names);
    if (!c->names)
        return im_fail_memory(err, path);
    const herr_t visited = H5Lvisit(c->file, H5_INDEX_NAME, H5_ITER_INC, visit_link, c);
    if (c->lacks_memory)
        return im_fail_memory(err, path);
    if (visited < 0)
        return im_fail(err, IMSAT_EFORMAT, "%s: the list of its datasets is damaged", path);
    return IMSAT_OK;
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

static bool measure_chunks(chunking *out, const dataset *set, hid_t plist)
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
static imsat_status check_chunks(chunking *c, const dataset *set, hid_t plist,
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
static imsat_status check_plain(const dataset *set, hid_t plist, const im_bytes *bytes,
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
static bool find_place(size_t *place, const dataset *set, hid_t plist, const im_bytes *bytes,
                       size_t total)
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
static hid_t open_cached(const container *c, const char *name, const chunking *k)
{
    size_t bytes;
    if (!im_size_mul(&bytes, k->bytes, 2 * k->across) || bytes > CACHE_MOST)
        bytes = CACHE_MOST;
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, SLOTS, bytes < CACHE_LEAST ? CACHE_LEAST : bytes, 1);
    const hid_t id = H5Dopen2(c->file, name, access);
    H5Pclose(access);
    return id;
}

/* A block whose rows libhdf5 reads. */
static imsat_status set_source(im_block *block, const container *c, const char *name,
                               const dataset *set, const chunking *k, const char *path,
                               imsat_error *err)
{
    rows *r = im_alloc(1, sizeof *r);
    char *own_path = im_strdup(path);
    if (!r || !own_path) {
        im_free(r);
        im_free(own_path);
        return im_fail_memory(err, path);
    }
    *r = (rows){.id = open_cached(c, name, k),
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

/* The elements of a block that has its shape. */
static imsat_status fill(im_block *block, const container *c, const char *name,
                         const dataset *set, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t row = block->dim * im_dtype_size(block->dtype);
    chunking k = {1, 1, 1};
    size_t place = 0;
    const hid_t plist = H5Dget_create_plist(set->id);
    if (plist < 0)
        return im_fail(err, IMSAT_EFORMAT, "%s: its layout is damaged", path);
    if (H5Pget_layout(plist) == H5D_CHUNKED)
        IM_TRY(check_chunks(&k, set, plist, path, err));
    else
        IM_TRY(check_plain(set, plist, c->bytes, block->rows * block->dim, path, err));
    if (find_place(&place, set, plist, c->bytes, block->rows * row)) {
        block->base = c->bytes->data + place;
        block->swapped = set->type.swapped;
        block->bytes = im_bytes_borrow(c->bytes, 0, c->bytes->size);
    } else {
        IM_TRY(im_unpack_afford_size(row, path, err));
        IM_TRY(set_source(block, c, name, set, &k, path, err));
    }

cleanup:
    H5Pclose(plist);
    return st;
}

static imsat_status read_dataset(im_block *out, void *context, size_t i,
                                 const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const container *c = context;
    dataset set;
    im_block block = {0};
    char text[IM_SHAPE_TEXT];
    if (!open_dataset(&set, c->file, c->names[i], H5P_DEFAULT))
        return im_fail(err, IMSAT_EFORMAT, "%s: cannot be opened", request->path);
    block.dtype = set.type.dtype;
    IM_TRY(im_block_set_shape(&block, set.shape, set.ndim, request->path, err));
    im_block_shape_text(text, set.shape, set.ndim);
    IM_TRY(
        im_block_describe(&block, err, "hdf5 '%s': %s %s", c->names[i], set.type.name, text));
    if (request->suits)
        IM_TRY(request->suits(&block, request, err));
    IM_TRY(fill(&block, c, c->names[i], &set, request->path, err));
    IM_TRY(im_block_describe(&block, err, "hdf5 '%s': %s %s, %s", c->names[i], set.type.name,
                             text, block.kind == IM_BLOCK_ARRAY ? "mapped" : "by rows"));
    *out = block;
    block = (im_block){0};

cleanup:
    im_block_clear(&block);
    H5Dclose(set.id);
    return st;
}

static bool has(const container *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->names[i], name) == 0)
            return true;
    return false;
}

/* What an opened file is asked for. */
static imsat_status read_container(im_block *out, container *c, const im_read_request *request,
                                   imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_read_request wanted = *request;
    const im_inside inside = {.what = im_hdf5_reader.format.inside,
                              .names = (const char *const *)c->names,
                              .count = c->count,
                              .read = read_dataset,
                              .context = c};
    if (!request->inside && has(c, "train") && has(c, "test") && has(c, "neighbors"))
        wanted.inside = "train";
    IM_TRY(im_inside_read(out, &inside, &wanted, err));
    if (c->bytes->mapped) { /* the block keeps them, also to know if the file is cut short */
        out->bytes = *c->bytes;
        *c->bytes = (im_bytes){0};
    }

cleanup:
    return st;
}

static void clear(container *c)
{
    if (c->file >= 0)
        H5Fclose(c->file);
    for (size_t i = 0; i < c->count; i++)
        im_free(c->names[i]);
    im_free(c->names);
}

static imsat_status hdf5_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    container c = {.file = -1, .bytes = bytes};
    im_hdf5_path path = {.temporary = false};
    im_hdf5_enter();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    IM_TRY(im_hdf5_path_find(&path, request->file, bytes, err));
    c.file = H5Fopen(path.name, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (c.file < 0) {
        st = im_fail(err, IMSAT_EFORMAT,
                     "%s: libhdf5 cannot open it: it is damaged, was cut "
                     "short, or is being written",
                     request->path);
        goto cleanup;
    }
    IM_TRY(list_datasets(&c, request->path, err));
    IM_TRY(read_container(out, &c, request, err));

cleanup:
    clear(&c);
    im_hdf5_path_clear(&path);
    im_hdf5_leave();
    return st;
}

#else

static imsat_status hdf5_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                              imsat_error *err)
{
    (void)out;
    (void)bytes;
    return im_feature_refuse(IM_FEATURE_HDF5, request->path, err);
}

#endif

const im_reader im_hdf5_reader = {
    .format = {"hdf5", "datasets in groups, those of ann-benchmarks among them", ".h5 .hdf5",
               "dataset"},
    .lists = true,
    .holds = hdf5_holds,
    .read = hdf5_read};
