/* SPDX-License-Identifier: MIT
 *
 * .mat, files of MATLAB: version 5, whose compressed form is called 7, and 4. (Version 7.3 is
 * HDF5, and read by hdf5.c.) mat_list.c says what the bytes are.
 *
 * A matrix is (rows, dim), column after column. It is used where it lies; one that is
 * compressed is decompressed to memory, as far as its header says and within the limits of
 * core/unpack.h. Of three and four dimensions it is images, as MATLAB keeps them: the last
 * dimension counts them, and before it are height, width and channels. A row vector is one
 * row, unless one value a row is wanted, as labels are. A sparse matrix becomes sparse rows.
 *
 * There is a library for such files, libmatio. It was tried and left: it takes files that are
 * cut for whole ones, and is slow on some of few kilobytes that were made to do harm.
 */
#include "data/mat.h"

#include "core/alloc.h"
#include "data/csr_arrays.h"
#include "data/inside.h"

#include <string.h>

/* The file being read, and of its variables those that can be rows. */
typedef struct reading {
    im_mat file;
    const char **names; /* (count) owned */
    size_t *which;      /* (count) owned */
    bool *vectors;      /* (count) owned */
    size_t count;
} reading;

static void clear(reading *r)
{
    im_mat_clear(&r->file);
    im_free(r->names);
    im_free(r->which);
    im_free(r->vectors);
}

/* ---- which variable ------------------------------------------------------------------- */

static imsat_status find_arrays(reading *r, const char *path, imsat_error *err)
{
    r->names = im_alloc(r->file.count, sizeof *r->names);
    r->which = im_alloc(r->file.count, sizeof *r->which);
    r->vectors = im_alloc(r->file.count, sizeof *r->vectors);
    if (!r->names || !r->which || !r->vectors)
        return im_fail_memory(err, path);
    for (size_t i = 0; i < r->file.count; i++) {
        const im_mat_variable *v = &r->file.variables[i];
        if (!v->usable)
            continue;
        r->names[r->count] = v->name;
        r->vectors[r->count] = im_mat_is_vector(v->shape, v->ndim);
        r->which[r->count++] = i;
    }
    return IMSAT_OK;
}

/* A variable that is asked for by its name must be one that can be read. */
static imsat_status check_name(const reading *r, const char *name, const char *path,
                               imsat_error *err)
{
    for (size_t i = 0; name && i < r->file.count; i++) {
        const im_mat_variable *v = &r->file.variables[i];
        if (!v->usable && strcmp(v->name, name) == 0)
            return im_fail(err, IMSAT_EFORMAT, "%s: the variable '%s' is %s; " IM_MAT_READS,
                           path, name, v->type);
    }
    return IMSAT_OK;
}

/* If there is none at all, say of one what it is instead. */
static imsat_status check_some(const reading *r, const char *path, imsat_error *err)
{
    if (r->count || r->file.count == 0)
        return IMSAT_OK;
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: holds no array of real numbers; the variable '%s' is %s", path,
                   r->file.variables[0].name, r->file.variables[0].type);
}

/* ---- dense --------------------------------------------------------------------------- */

/* Behind the values are zeros to a multiple of 8 bytes at the most. */
static imsat_status check_end(im_bytes *bytes, const im_mat_array *array, const char *path,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    bool more = false;
    IM_TRY(im_bytes_need(bytes, array->next, err));
    IM_TRY(im_bytes_end(bytes, &more, err));
    if (more || bytes->size > array->next)
        st = im_fail(err, IMSAT_EFORMAT, "%s: goes on after its values", path);

cleanup:
    return st;
}

/* The values of a block that has its shape: bytes that become the block's. */
static imsat_status fill(im_block *block, im_bytes *bytes, const im_mat_variable *v,
                         const im_mat_array *array, const char *path, imsat_error *err)
{
    block->swapped =
        im_dtype_size(block->dtype) > 1 && v->big_endian == im_element_little_endian();
    block->base = bytes->data + array->start;
    block->bytes = *bytes;
    *bytes = (im_bytes){0};
    return im_mat_set_order(block, v->shape, v->ndim, path, err);
}

static imsat_status read_dense(im_block *block, im_bytes *bytes, const im_mat_variable *v,
                               const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *path = request->path;
    char text[IM_SHAPE_TEXT];
    im_mat_array array = {0};
    IM_TRY(im_mat_array_head(&array, bytes, v, v->values, path, err));
    block->dtype = v->is_bool && array.dtype == IM_U8 ? IM_BOOL : array.dtype;
    block->narrow = array.dtype == IM_U8 && !v->is_bool && strcmp(v->type, "uint8") != 0;
    IM_TRY(im_mat_set_shape(block, v->shape, v->ndim, path, err));
    const size_t total = block->rows * block->dim * im_dtype_size(block->dtype);
    if (total != array.size) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: has %zu bytes of values, where %zu are to be",
                     path, array.size, total);
        goto cleanup;
    }
    im_block_shape_text(text, v->shape, v->ndim);
    IM_TRY(im_block_describe(block, err, "mat '%s': %s %s, %s", v->name, v->type, text,
                             im_bytes_held(bytes)));
    IM_TRY(im_mat_suits(block, request, err));
    IM_TRY(im_mat_array_need(bytes, &array, path, err));
    IM_TRY(check_end(bytes, &array, path, err));
    IM_TRY(fill(block, bytes, v, &array, path, err));

cleanup:
    return st;
}

/* ---- sparse -------------------------------------------------------------------------- */

enum { ROWS_OF = 0, STARTS_OF, VALUES_OF }; /* the order in the file */

static const char *const names[IM_CSR_ARRAYS] = {"values", "rows", "starts of columns"};

static im_block block_of(const im_mat_array *array, const im_bytes *bytes,
                         const im_mat_variable *v)
{
    const size_t size = im_dtype_size(array->dtype);
    return (im_block){.dtype = array->dtype,
                      .rows = array->size / size,
                      .dim = 1,
                      .ndim = 1,
                      .base = bytes->data + array->start,
                      .row_stride = size,
                      .col_stride = size,
                      .swapped = size > 1 && v->big_endian == im_element_little_endian()};
}

/* The three arrays of a sparse matrix. There may be room for more values than there are. */
static imsat_status find_sparse(im_csr_arrays *m, im_bytes *bytes, const im_mat_variable *v,
                                const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_mat_array arrays[IM_CSR_ARRAYS];
    size_t at = v->values, used = 0;
    for (int i = 0; i < IM_CSR_ARRAYS; i++) {
        IM_TRY(im_mat_array_head(&arrays[i], bytes, v, at, path, err));
        IM_TRY(im_mat_array_need(bytes, &arrays[i], path, err));
        at = arrays[i].next;
    }
    IM_TRY(check_end(bytes, &arrays[VALUES_OF], path, err));
    im_block *starts = &m->array[IM_CSR_STARTS];
    m->array[IM_CSR_INDICES] = block_of(&arrays[ROWS_OF], bytes, v);
    m->array[IM_CSR_VALUES] = block_of(&arrays[VALUES_OF], bytes, v);
    *starts = block_of(&arrays[STARTS_OF], bytes, v);
    if (starts->rows)
        IM_TRY(im_csr_arrays_count(&used, starts, names[IM_CSR_STARTS], starts->rows - 1, path,
                                   err));
    m->array[IM_CSR_INDICES].rows = im_size_min(m->array[IM_CSR_INDICES].rows, used);
    m->array[IM_CSR_VALUES].rows = im_size_min(m->array[IM_CSR_VALUES].rows, used);

cleanup:
    return st;
}

static imsat_status read_sparse(im_block *block, im_bytes *bytes, const im_mat_variable *v,
                                const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_csr_arrays m = {
        .names = names, .rows = v->shape[0], .columns = v->shape[1], .by_columns = true};
    IM_TRY(find_sparse(&m, bytes, v, request->path, err));
    m.most_rows = bytes->size;
    IM_TRY(im_mat_set_sparse(block, &m, v->name, request, err));

cleanup:
    im_csr_arrays_clear(&m);
    return st;
}

/* ---- reading ------------------------------------------------------------------------- */

static imsat_status read_variable(im_block *out, void *context, size_t i,
                                  const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const reading *r = context;
    const im_mat_variable *v = &r->file.variables[r->which[i]];
    im_bytes bytes = {0};
    im_block block = {0};
    IM_TRY(im_mat_open(&bytes, &r->file, v, request->path, err));
    IM_TRY((v->sparse ? read_sparse : read_dense)(&block, &bytes, v, request, err));
    *out = block;
    block = (im_block){0};

cleanup:
    im_bytes_clear(&bytes);
    im_block_clear(&block);
    return st;
}

static imsat_status mat_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *path = request->path;
    reading r = {.count = 0};
    im_block block = {0};
    IM_TRY(im_bytes_all(bytes, err));
    IM_TRY(im_mat_list(&r.file, bytes, path, err));
    IM_TRY(find_arrays(&r, path, err));
    IM_TRY(check_name(&r, request->inside, path, err));
    IM_TRY(check_name(&r, request->labels ? request->label_column : NULL, path, err));
    IM_TRY(check_some(&r, path, err));
    const im_inside inside = {.what = im_mat_reader.format.inside,
                              .names = r.names,
                              .count = r.count,
                              .vectors = r.vectors,
                              .read = read_variable,
                              .context = &r};
    IM_TRY(im_inside_read(&block, &inside, request, err));
    IM_TRY(im_bytes_check(bytes, IMSAT_OK, err)); /* of all that was read, labels included */
    if (block.kind != IM_BLOCK_CSR)
        im_block_keep(&block, bytes);
    *out = block;
    block = (im_block){0};

cleanup:
    im_block_clear(&block);
    clear(&r);
    return st;
}

const im_reader im_mat_reader = {.format = {"mat", "variables of MATLAB", ".mat", "variable"},
                                 .holds = im_mat_is_5,
                                 .read = mat_read};
