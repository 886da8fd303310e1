/* SPDX-License-Identifier: MIT
 *
 * The index file: safetensors with one flat tensor for each array of the index
 * (search/index.h) and the metadata
 *
 *     bit_order bits distinct format rows tables version checksum
 *
 * Each array starts at a multiple of 64 bytes: where one does not end there, a tensor of zero
 * bytes named pad.NAME follows it. The file is sealed (data/seal.h).
 *
 * Opening maps the file, compares the checksum, and has the arrays checked: the search trusts
 * them, and a checksum stops accidents, not malice.
 */
#include "core/alloc.h"
#include "data/record.h"
#include "data/seal.h"
#include "search/index_edit.h"

#include <stdio.h>

#define FORMAT_NAME "imsat-index-"
#define FORMAT      FORMAT_NAME "1"
#define BIT_ORDER   "msb"

enum { ALIGN = 64, PARTS = 2 * IM_INDEX_ARRAYS, ENTRIES = 8 };

static const unsigned char ZEROS[ALIGN];

/* What becomes one tensor: an array, or what pads it. */
typedef struct part {
    char name[40];
    im_tensor_type type;
    size_t count, bytes;
    const void *data;
    bool is_array;
} part;

/* The parts of an index that has its numbers; returns how many. */
static size_t list_parts(part parts[PARTS], const imsat_index *index)
{
    im_index_array arrays[IM_INDEX_ARRAYS];
    size_t n = 0;
    im_index_arrays(arrays, index);
    for (size_t i = 0; i < IM_INDEX_ARRAYS; i++) {
        const im_index_array *array = &arrays[i];
        const bool is_signed = strcmp(array->name, "ids") == 0;
        part *p = &parts[n++];
        *p = (part){.type = array->size == 4 ? IM_TENSOR_U32
                            : is_signed      ? IM_TENSOR_I64
                                             : IM_TENSOR_U64,
                    .count = array->count,
                    .bytes = array->count * array->size,
                    .data = array->data,
                    .is_array = true};
        snprintf(p->name, sizeof p->name, "%s", array->name);
        if (p->bytes % ALIGN == 0)
            continue;
        const size_t pad = ALIGN - p->bytes % ALIGN;
        parts[n] = (part){.type = IM_TENSOR_U8, .count = pad, .bytes = pad, .data = ZEROS};
        snprintf(parts[n].name, sizeof parts[n].name, "pad.%s", array->name);
        n++;
    }
    return n;
}

/* ---- saving ---------------------------------------------------------------- */

static imsat_status save_part(const imsat_index *index, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    part parts[PARTS];
    const size_t count = list_parts(parts, index);
    IM_TRY(im_safetensors_set(&file, "bit_order", BIT_ORDER, err));
    IM_TRY(im_record_count(&file, "bits", index->bits, err));
    IM_TRY(im_record_count(&file, "distinct", index->distinct, err));
    IM_TRY(im_safetensors_set(&file, "format", FORMAT, err));
    IM_TRY(im_record_count(&file, "rows", index->rows, err));
    IM_TRY(im_record_count(&file, "tables", index->tables, err));
    IM_TRY(im_safetensors_set(&file, "version", IMSAT_VERSION, err));
    for (size_t i = 0; i < count; i++)
        IM_TRY(im_safetensors_add(&file, parts[i].name, parts[i].type, parts[i].data, 1,
                                  &parts[i].count, err));
    IM_TRY(im_seal_set(&file, err));
    IM_TRY(im_safetensors_write(&file, path, err));

cleanup:
    im_safetensors_clear(&file);
    return st;
}

imsat_status imsat_index_save(const imsat_index *index, const char *path, imsat_error *err)
{
    IM_REQUIRE(index);
    IM_REQUIRE_PATH(path);
    imsat_status st = IMSAT_OK;
    imsat_index *merged = NULL;
    if (index->tail)
        IM_TRY(im_index_merge(&merged, index, err));
    IM_TRY(save_part(merged ? merged : index, path, err));

cleanup:
    imsat_index_free(merged);
    return st;
}

/* ---- opening --------------------------------------------------------------- */

static imsat_status check_format(const im_safetensors *file, const char *path,
                                 imsat_error *err)
{
    const char *format = im_safetensors_value(file, "format");
    const char *version = im_safetensors_value(file, "version");
    if (!format || strncmp(format, FORMAT_NAME, sizeof FORMAT_NAME - 1) != 0)
        return im_fail(
            err, IMSAT_EFORMAT,
            "%s: is not an index (its format is %.40s); an index is made from codes", path,
            format ? format : "not stated");
    if (strcmp(format, FORMAT) != 0)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: has the format %.40s of imsat %.20s; this is imsat " IMSAT_VERSION
                       ", which reads " FORMAT ": make the index again from its codes",
                       path, format, version ? version : "(not stated)");
    return IMSAT_OK;
}

static imsat_status read_numbers(imsat_index *index, const im_safetensors *file,
                                 const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    uint64_t bits = 0, rows = 0, distinct = 0, tables = 0;
    const char *order = im_safetensors_value(file, "bit_order");
    imsat_error why;
    if (!order || strcmp(order, BIT_ORDER) != 0)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: \"bit_order\" is \"%.10s\", and must be \"%s\"", path,
                       order ? order : "", BIT_ORDER);
    IM_TRY(im_record_get_count(&bits, file, path, "bits", err));
    IM_TRY(im_record_get_count(&rows, file, path, "rows", err));
    IM_TRY(im_record_get_count(&distinct, file, path, "distinct", err));
    IM_TRY(im_record_get_count(&tables, file, path, "tables", err));
    if (im_index_shape(index, bits, rows, distinct, tables, &why) != IMSAT_OK)
        st = im_fail(err, IMSAT_EFORMAT, "%s: %.900s", path, why.message);

cleanup:
    return st;
}

/* Point the parts into the file. */
static imsat_status find_parts(part *parts, size_t count, const im_safetensors *file,
                               const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (file->count != count || file->entries != ENTRIES)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: holds %zu tensors and %zu entries of metadata, not %zu and %d",
                       path, file->count, file->entries, count, ENTRIES);
    for (size_t i = 0; i < count; i++) {
        const im_tensor *tensor = NULL;
        IM_TRY(im_safetensors_get(&tensor, file, path, parts[i].name, parts[i].type, 1,
                                  &parts[i].count, err));
        parts[i].data = tensor->data;
        if (parts[i].is_array && parts[i].bytes && (uintptr_t)tensor->data % ALIGN != 0)
            return im_fail(err, IMSAT_EFORMAT, "%s: tensor '%s' is not at a multiple of %d",
                           path, parts[i].name, ALIGN);
    }

cleanup:
    return st;
}

/* The checks behind the format. */
static imsat_status check_arrays(imsat_index *index, const im_safetensors *file,
                                 const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    part parts[PARTS];
    const void *arrays[IM_INDEX_ARRAYS];
    size_t placed = 0;
    imsat_error why;
    IM_TRY(read_numbers(index, file, path, err));
    const size_t count = list_parts(parts, index);
    IM_TRY(find_parts(parts, count, file, path, err));
    IM_TRY(im_seal_check(file, path, err));
    for (size_t i = 0; i < count; i++)
        if (parts[i].is_array)
            arrays[placed++] = parts[i].data;
    im_index_place(index, arrays);
    st = im_index_check(index, &why);
    if (st != IMSAT_OK)
        im_fail(err, st, "%s: %.900s", path, why.message);

cleanup:
    return st;
}

imsat_status imsat_index_open(imsat_index **out, const char *path, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE_PATH(path);
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    imsat_index *index = im_alloc(1, sizeof *index);
    if (!index)
        return im_fail_memory(err, "the index");
    IM_TRY(im_fail_advise(
        im_safetensors_read(&file, path, err), err,
        "it is not an index, or is cut short or damaged: make it from its codes"));
    IM_TRY(check_format(&file, path, err));
    IM_TRY(im_fail_advise(check_arrays(index, &file, path, err), err,
                          "the index is damaged: make it again from its codes"));
    index->memory = file.bytes;
    file.bytes = (im_bytes){0};
    *out = index;
    index = NULL;

cleanup:
    imsat_index_free(index);
    im_safetensors_clear(&file);
    return st;
}
