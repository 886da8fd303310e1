/* SPDX-License-Identifier: MIT
 *
 * The index file: safetensors with one flat tensor for each array of the index
 * (search/index.h) and the metadata
 *
 *     bit_order bits distinct format largest_id rows tables version checksum
 *
 * Each array starts at a multiple of 64 bytes: where one does not end there, a tensor of zero
 * bytes named pad.NAME follows it. The file is sealed (data/seal.h). The largest id is what an
 * append must know, and would have to read all ids for; files of before do not state it.
 * Behind all this may be a journal.
 *
 * Opening maps the file, compares the checksum, and has the arrays checked: the search trusts
 * them, and a checksum stops accidents, not malice. If memory is limited, and the file is more
 * than pages may take (core/map.h), the tables, which are read here and there, are left alone
 * and the codes are scanned. The journal is read, not mapped: a writer
 * may cut off what is behind its end.
 */
#define _GNU_SOURCE
#include "search/index_file.h"

#include "core/alloc.h"
#include "core/lock.h"
#include "data/record.h"
#include "data/seal.h"
#include "search/index_build.h"
#include "search/index_edit.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define FORMAT_NAME "imsat-index-"
#define FORMAT      FORMAT_NAME "1"
#define BIT_ORDER   "msb"

enum {
    ALIGN = 64,
    PARTS = 2 * IM_INDEX_ARRAYS,
    ENTRIES = 8,    /* of metadata, without the largest id */
    CHUNK = 1 << 16 /* bytes of a compressed journal, to begin with */
};

static const char LARGEST[] = "largest_id";

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
    im_safetensors file = {.origin = &index->memory};
    part parts[PARTS];
    const size_t count = list_parts(parts, index);
    IM_TRY(im_safetensors_set(&file, "bit_order", BIT_ORDER, err));
    IM_TRY(im_record_count(&file, "bits", index->bits, err));
    IM_TRY(im_record_count(&file, "distinct", index->distinct, err));
    IM_TRY(im_safetensors_set(&file, "format", FORMAT, err));
    IM_TRY(im_record_integer(&file, LARGEST, im_index_largest(index), err));
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

imsat_status im_index_save_locked(const imsat_index *index, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_index *merged = NULL;
    if (index->tail)
        IM_TRY(im_index_merge(&merged, index, err));
    IM_TRY(save_part(merged ? merged : index, path, err));

cleanup:
    imsat_index_free(merged);
    return st;
}

imsat_status imsat_index_save(const imsat_index *index, const char *path, imsat_error *err)
{
    IM_REQUIRE(index);
    IM_REQUIRE_PATH(path);
    int lock = -1;
    imsat_status st = im_lock_take(&lock, path, IM_LOCK_REPLACE, err);
    if (st == IMSAT_OK)
        st = im_index_save_locked(index, path, err);
    im_lock_drop(lock);
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
    const size_t entries = ENTRIES + (im_safetensors_value(file, LARGEST) != NULL);
    if (file->count != count || file->entries != entries)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: holds %zu tensors and %zu entries of metadata, not %zu and %zu",
                       path, file->count, file->entries, count, entries);
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

#define NO_INDEX   "it is not an index, or is cut short or damaged: make it from its codes"
#define MAKE_AGAIN "the index is damaged: make it again from its codes"

/* What follows the base, of a file that is not mapped. */
static imsat_status read_rest(im_index_front *front, size_t end, const char *path,
                              imsat_error *err)
{
    im_bytes *bytes = &front->file.bytes;
    size_t room = bytes->size - end, got = 0;
    front->rest = im_alloc(room, 1);
    if (!front->rest)
        return im_fail_memory(err, path);
    memcpy(front->rest, bytes->data + end, room);
    front->rest_size = room;
    while (bytes->stream) { /* which ends with the file */
        if (front->rest_size == room) {
            const size_t larger = room < CHUNK ? CHUNK : 2 * room;
            unsigned char *grown = im_grow(front->rest, room, larger, 1);
            if (!grown)
                return im_fail_memory(err, path);
            front->rest = grown;
            room = larger;
        }
        const imsat_status st = im_bytes_read(bytes, front->rest + front->rest_size,
                                              room - front->rest_size, &got, err);
        if (st != IMSAT_OK)
            return st;
        front->rest_size += got;
    }
    return IMSAT_OK;
}

static imsat_status read_base(im_index_front *front, im_bytes *bytes, const char *path,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t end = 0;
    IM_TRY(im_safetensors_parse(&front->file, &end, bytes, path, err));
    if (front->file.bytes.mapped)
        front->file.bytes.size = end; /* a writer may cut off what is behind it */
    else
        IM_TRY(read_rest(front, end, path, err));
    front->base.base = front->base.end = end;
    front->appendable = front->file.bytes.mapped && end % ALIGN == 0;

cleanup:
    return st;
}

/* The parts of the base, in place; *count receives how many. */
static imsat_status locate(part parts[PARTS], size_t *count, const im_index_front *front,
                           const char *path, imsat_error *err)
{
    *count = list_parts(parts, &front->shape);
    return find_parts(parts, *count, &front->file, path, err);
}

/* What a journal must know of the base. */
static imsat_status read_numbers_and_ids(im_index_front *front, const char *path,
                                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    part parts[PARTS];
    size_t count;
    IM_TRY(read_numbers(&front->shape, &front->file, path, err));
    IM_TRY(locate(parts, &count, front, path, err));
    for (size_t i = 0; i < count; i++)
        if (strcmp(parts[i].name, "ids") == 0)
            front->ids = parts[i].data;
    front->base.bits = front->shape.bits;
    front->base.rows = front->shape.rows;
    if (im_safetensors_value(&front->file, LARGEST)) {
        IM_TRY(im_record_get_integer(&front->base.largest, &front->file, path, LARGEST, err));
    } else {
        const imsat_index ids = {.rows = front->shape.rows, .ids = front->ids};
        front->base.largest = im_index_largest(&ids);
    }

cleanup:
    return st;
}

imsat_status im_index_front_open(im_index_front *out, im_bytes *bytes, const char *path,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_index_front front = {0};
    IM_TRY(im_fail_advise(read_base(&front, bytes, path, err), err, NO_INDEX));
    IM_TRY(check_format(&front.file, path, err));
    IM_TRY(im_fail_advise(read_numbers_and_ids(&front, path, err), err, MAKE_AGAIN));

cleanup:
    st = im_bytes_check(&front.file.bytes, st, err);
    if (st == IMSAT_OK) {
        *out = front;
        front = (im_index_front){0};
    }
    im_index_front_clear(&front);
    return st;
}

imsat_status im_index_front_open_fd(im_index_front *out, int fd, const char *path,
                                    imsat_error *err)
{
    im_bytes bytes = {0};
    const imsat_status st =
        im_fail_advise(im_bytes_open_fd(&bytes, fd, path, err), err, NO_INDEX);
    return st == IMSAT_OK ? im_index_front_open(out, &bytes, path, err) : st;
}

void im_index_front_clear(im_index_front *front)
{
    im_safetensors_clear(&front->file);
    im_free(front->rest);
    *front = (im_index_front){0};
}

imsat_status im_index_front_journal(im_journal *out, im_journal_state *state,
                                    const im_index_front *front, int fd, const char *path,
                                    imsat_error *err)
{
    *state = front->base;
    if (front->file.bytes.mapped)
        return im_journal_read(out, state, fd, path, err);
    return im_journal_parse(out, state, front->rest, front->rest_size, path, err);
}

/* The base as an index, every byte of it checked. */
static imsat_status check_arrays(imsat_index *index, const im_index_front *front,
                                 const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    part parts[PARTS];
    const void *arrays[IM_INDEX_ARRAYS];
    size_t count, placed = 0;
    imsat_error why;
    IM_TRY(locate(parts, &count, front, path, err));
    IM_TRY(im_seal_check(&front->file, path, err));
    for (size_t i = 0; i < count; i++)
        if (parts[i].is_array)
            arrays[placed++] = parts[i].data;
    *index = front->shape;
    index->scanned = front->file.bytes.mapped && im_map_is_read(front->file.bytes.mapped);
    im_index_place(index, arrays);
    st = im_index_check(index, &why);
    if (st != IMSAT_OK)
        im_fail(err, st, "%s: %.900s", path, why.message);
    else if (front->base.largest != im_index_largest(index))
        st = im_fail(err, IMSAT_EFORMAT,
                     "%s: the largest id is said to be %" PRId64 ", and is %" PRId64, path,
                     front->base.largest, im_index_largest(index));

cleanup:
    return st;
}

/* The journal as a tail of the index, if there is one. */
static imsat_status read_tail(imsat_index *index, const im_index_front *front, int fd,
                              const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_journal journal = {0};
    im_journal_state state;
    imsat_error why;
    IM_TRY(im_index_front_journal(&journal, &state, front, fd, path, err));
    if (!journal.rows)
        goto cleanup;
    st = im_index_build(&index->tail, journal.codes, journal.ids, journal.rows, index->bits,
                        &why);
    if (st == IMSAT_OK)
        st = im_index_check(index->tail, &why);
    if (st == IMSAT_EINVAL || st == IMSAT_EFORMAT)
        st = im_fail(err, IMSAT_EFORMAT, "%s: what was appended to it: %.800s; " MAKE_AGAIN,
                     path, why.message);
    else if (st != IMSAT_OK)
        im_fail(err, st, "%s", why.message);

cleanup:
    im_journal_clear(&journal);
    return st;
}

imsat_status im_index_open_bytes(imsat_index **out, im_bytes *bytes, int fd, const char *path,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_index_front front = {0};
    imsat_index *index = NULL;
    IM_TRY(im_index_front_open(&front, bytes, path, err));
    index = im_alloc(1, sizeof *index);
    if (!index) {
        st = im_fail_memory(err, "the index");
        goto cleanup;
    }
    IM_TRY(im_fail_advise(check_arrays(index, &front, path, err), err, MAKE_AGAIN));
    IM_TRY(read_tail(index, &front, fd, path, err));

cleanup:
    st = im_bytes_check(&front.file.bytes, st, err);
    if (st == IMSAT_OK) {
        index->memory = front.file.bytes;
        front.file.bytes = (im_bytes){0};
        *out = index;
        index = NULL;
    }
    imsat_index_free(index);
    im_index_front_clear(&front);
    return st;
}

imsat_status imsat_index_open(imsat_index **out, const char *path, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE_PATH(path);
    im_bytes bytes = {0};
    int fd = -1;
    imsat_status st =
        im_fail_advise(im_bytes_open_kept(&bytes, &fd, path, err), err, NO_INDEX);
    if (st == IMSAT_OK)
        st = im_index_open_bytes(out, &bytes, fd, path, err);
    if (fd >= 0)
        close(fd);
    return st;
}
