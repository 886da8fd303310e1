/* SPDX-License-Identifier: MIT
 *
 * safetensors files; see safetensors.h. With safetensors_write.c the only file of the library
 * that knows Jansson.
 *
 *     u64 n, little-endian | JSON header of n bytes, padded with spaces | tensors
 *
 * data_offsets [begin, end) count from the end of the header. A file of ours starts its
 * tensors at a multiple of 64; others promise nothing, so a file with a tensor that is not
 * aligned for its type is copied to memory once.
 *
 * Models of ours have no half precision and no integers of 8 and 16 bits but U8; files of
 * others do, and are data (safetensors_data.c).
 */
#include "data/safetensors.h"

#include "core/alloc.h"
#include "core/utf8.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdint.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "tensors are written and mapped as they lie in memory: little-endian only");
_Static_assert(sizeof(size_t) == 8, "offsets of a file are held in size_t");

enum { MESSAGE = 700 };

static const struct {
    const char *name;
    size_t size;
} TYPES[] = {
    [IM_TENSOR_F32] = {"F32", 4},   [IM_TENSOR_F64] = {"F64", 8},
    [IM_TENSOR_I32] = {"I32", 4},   [IM_TENSOR_I64] = {"I64", 8},
    [IM_TENSOR_U8] = {"U8", 1},     [IM_TENSOR_U32] = {"U32", 4},
    [IM_TENSOR_U64] = {"U64", 8},   [IM_TENSOR_BOOL] = {"BOOL", 1},
    [IM_TENSOR_I8] = {"I8", 1},     [IM_TENSOR_I16] = {"I16", 2},
    [IM_TENSOR_U16] = {"U16", 2},   [IM_TENSOR_F16] = {"F16", 2},
    [IM_TENSOR_BF16] = {"BF16", 2},
};
enum { TYPE_COUNT = sizeof TYPES / sizeof *TYPES };

/* IMSAT_EFORMAT with "path: ...". */
__attribute__((format(printf, 3, 4))) static imsat_status fail_format(imsat_error *err,
                                                                      const char *path,
                                                                      const char *format, ...)
{
    char what[MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return im_fail(err, IMSAT_EFORMAT, "%s: %s", path, what);
}

static bool shape_bytes(size_t *bytes, im_tensor_type type, size_t dims, const size_t *shape)
{
    *bytes = TYPES[type].size;
    for (size_t i = 0; i < dims; i++)
        if (!im_size_mul(bytes, *bytes, shape[i]))
            return false;
    return true;
}

const char *im_safetensors_type(im_tensor_type type)
{
    return TYPES[type].name;
}

size_t im_safetensors_bytes(const im_tensor *tensor)
{
    size_t bytes = 0;
    (void)shape_bytes(&bytes, tensor->type, tensor->dims, tensor->shape);
    return bytes;
}

static im_tensor *find_tensor(const im_safetensors *file, const char *name)
{
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->tensors[i].name, name) == 0)
            return &file->tensors[i];
    return NULL;
}

/* The place of a key, or file->entries. */
static size_t find_key(const im_safetensors *file, const char *key)
{
    size_t i = 0;
    while (i < file->entries && strcmp(file->keys[i], key) != 0)
        i++;
    return i;
}

/* ---- building -------------------------------------------------------------- */

/* Room for one more element: arrays double when their count reaches a power of two. */
static bool grow_array(void **array, size_t count, size_t size)
{
    if (count & (count - 1))
        return true;
    void *grown = im_grow(*array, count, count ? 2 * count : 1, size);
    if (!grown)
        return false;
    *array = grown;
    return true;
}

imsat_status im_safetensors_add(im_safetensors *file, const char *name, im_tensor_type type,
                                const void *data, size_t dims, const size_t *shape,
                                imsat_error *err)
{
    size_t bytes;
    if (!im_utf8_valid(name) || strcmp(name, IM_SAFETENSORS_METADATA) == 0)
        return im_fail(err, IMSAT_EINVAL, "'%s' cannot be the name of a tensor", name);
    if (find_tensor(file, name))
        return im_fail(err, IMSAT_EINVAL, "tensor '%s' is there already", name);
    if (dims > IM_TENSOR_MAX_DIMS || !shape_bytes(&bytes, type, dims, shape))
        return im_fail(err, IMSAT_EINVAL,
                       "tensor '%s' has %zu dimensions (at most %d) or too many elements",
                       name, dims, IM_TENSOR_MAX_DIMS);
    im_tensor tensor = {.name = im_strdup(name), .type = type, .dims = dims, .data = data};
    void *tensors = file->tensors;
    if (!tensor.name || !grow_array(&tensors, file->count, sizeof tensor)) {
        im_free(tensor.name);
        return im_fail_memory(err, "a tensor's name");
    }
    for (size_t i = 0; i < dims; i++)
        tensor.shape[i] = shape[i];
    file->tensors = tensors;
    file->tensors[file->count++] = tensor;
    return IMSAT_OK;
}

/* Room for one more entry in both arrays of the metadata. */
static bool grow_entries(im_safetensors *file)
{
    void *keys = file->keys, *values = file->values;
    const bool grown = grow_array(&keys, file->entries, sizeof *file->keys);
    file->keys = keys;
    if (!grown || !grow_array(&values, file->entries, sizeof *file->values))
        return false;
    file->values = values;
    return true;
}

imsat_status im_safetensors_set(im_safetensors *file, const char *key, const char *value,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t place = find_key(file, key);
    const bool is_new = place == file->entries;
    if (!im_utf8_valid(key) || !im_utf8_valid(value))
        return im_fail(err, IMSAT_EINVAL, "metadata '%s' is not UTF-8", key);
    char *own_key = is_new ? im_strdup(key) : NULL, *own_value = im_strdup(value);
    if (!own_value || (is_new && (!own_key || !grow_entries(file)))) {
        st = im_fail_memory(err, "metadata");
        goto cleanup;
    }
    if (is_new) {
        file->keys[place] = own_key;
        own_key = NULL;
        file->entries++;
    } else {
        im_free(file->values[place]);
    }
    file->values[place] = own_value;
    own_value = NULL;

cleanup:
    im_free(own_key);
    im_free(own_value);
    return st;
}

/* ---- reading --------------------------------------------------------------- */

/* The tensors' part of a file. */
typedef struct source {
    const char *path;
    size_t start; /* in the file */
    const unsigned char *data;
    size_t size;
} source;

static imsat_status parse_header(json_t **out, source *src, im_bytes *bytes, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    json_error_t why;
    uint64_t length;
    if (bytes->size < IM_SAFETENSORS_LENGTH)
        return fail_format(err, src->path, "%zu bytes are too few for a safetensors file",
                           bytes->size);
    memcpy(&length, bytes->data, IM_SAFETENSORS_LENGTH);
    if (length <= IM_SAFETENSORS_HEADER_MAX)
        IM_TRY(im_bytes_need(bytes, IM_SAFETENSORS_LENGTH + length, err));
    if (length > IM_SAFETENSORS_HEADER_MAX || length > bytes->size - IM_SAFETENSORS_LENGTH)
        return fail_format(err, src->path,
                           "not a safetensors file: its first 8 bytes give a header of %llu "
                           "bytes, more than the file or the limit of %d",
                           (unsigned long long)length, IM_SAFETENSORS_HEADER_MAX);
    const char *text = (const char *)bytes->data + IM_SAFETENSORS_LENGTH;
    if (length == 0 || text[0] != '{')
        return fail_format(err, src->path, "the header is not a JSON object");
    json_t *header = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    if (!header && (!why.text[0] || json_error_code(&why) == json_error_out_of_memory))
        return im_fail_memory(err, src->path);
    if (!header)
        return fail_format(err, src->path, "header, byte %d: %s", why.position, why.text);
    *out = header;
    src->start = IM_SAFETENSORS_LENGTH + length;

cleanup:
    return st;
}

/* A count or an offset. Jansson keeps integers as 64 bits, so they are exact, and refuses
 * larger ones while parsing. */
static bool get_size(size_t *out, const json_t *value)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *out = (size_t)json_integer_value(value);
    return true;
}

/* Have the bytes of the tensors here, as far as the file has them. */
static imsat_status take_data(source *src, im_bytes *bytes, json_t *header, imsat_error *err)
{
    const char *name;
    json_t *value;
    size_t end = 0, here = 0;
    json_object_foreach(
        header, name,
        value) if (get_size(&here, json_array_get(json_object_get(value, "data_offsets"), 1)))
        end = here > end ? here : end;
    const imsat_status st = im_bytes_need(bytes, src->start + end, err);
    src->data = bytes->data + src->start;
    src->size = bytes->size - src->start;
    return st;
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static imsat_status read_metadata(im_safetensors *file, json_t *metadata, const char *path,
                                  imsat_error *err)
{
    const char *key;
    json_t *value;
    if (!json_is_object(metadata))
        return fail_format(err, path, "%s is not an object", IM_SAFETENSORS_METADATA);
    const size_t entries = json_object_size(metadata);
    file->keys = im_alloc(entries, sizeof *file->keys);
    file->values = im_alloc(entries, sizeof *file->values);
    if (!file->keys || !file->values)
        return im_fail_memory(err, path);
    json_object_foreach(metadata, key, value)
    {
        if (!json_is_string(value))
            return fail_format(err, path, "metadata '%s' is not a string", key);
        char *copy = im_strdup(key);
        if (!copy)
            return im_fail_memory(err, path);
        file->keys[file->entries++] = copy;
    }
    qsort(file->keys, entries, sizeof *file->keys, compare_keys);
    for (size_t i = 0; i < entries; i++) {
        file->values[i] =
            im_strdup(json_string_value(json_object_get(metadata, file->keys[i])));
        if (!file->values[i])
            return im_fail_memory(err, path);
    }
    return IMSAT_OK;
}

static imsat_status read_type(im_tensor *tensor, const json_t *dtype, const source *src,
                              imsat_error *err)
{
    const char *name = json_string_value(dtype);
    for (int i = 0; name && i < (int)TYPE_COUNT; i++)
        if (strcmp(name, TYPES[i].name) == 0) {
            tensor->type = (im_tensor_type)i;
            return IMSAT_OK;
        }
    return fail_format(err, src->path,
                       "tensor '%.64s' has dtype '%.16s', which imsat does not know",
                       tensor->name, name ? name : "(no text)");
}

static imsat_status read_shape(im_tensor *tensor, const json_t *shape, const source *src,
                               imsat_error *err)
{
    tensor->dims = json_array_size(shape);
    if (!json_is_array(shape) || tensor->dims > IM_TENSOR_MAX_DIMS)
        return fail_format(err, src->path,
                           "tensor '%.64s': the shape must be an array of at most %d numbers",
                           tensor->name, IM_TENSOR_MAX_DIMS);
    for (size_t i = 0; i < tensor->dims; i++)
        if (!get_size(&tensor->shape[i], json_array_get(shape, i)))
            return fail_format(err, src->path,
                               "tensor '%.64s': dimension %zu of the shape is not a count",
                               tensor->name, i);
    return IMSAT_OK;
}

static imsat_status read_place(im_tensor *tensor, const json_t *offsets, const source *src,
                               imsat_error *err)
{
    size_t begin, end, bytes;
    if (json_array_size(offsets) != 2 || !get_size(&begin, json_array_get(offsets, 0)) ||
        !get_size(&end, json_array_get(offsets, 1)))
        return fail_format(err, src->path, "tensor '%.64s': data_offsets must be two offsets",
                           tensor->name);
    if (begin > end || end > src->size)
        return fail_format(
            err, src->path,
            "tensor '%.64s' lies from %zu to %zu, outside the %zu bytes of data", tensor->name,
            begin, end, src->size);
    if (!shape_bytes(&bytes, tensor->type, tensor->dims, tensor->shape) ||
        bytes != end - begin)
        return fail_format(err, src->path,
                           "tensor '%.64s' has %zu bytes, which is not what its shape needs",
                           tensor->name, end - begin);
    tensor->data = src->data + begin;
    return IMSAT_OK;
}

/* tensor->name must be set. */
static imsat_status read_tensor(im_tensor *tensor, const json_t *info, const source *src,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const json_t *dtype = json_object_get(info, "dtype");
    const json_t *shape = json_object_get(info, "shape");
    const json_t *offsets = json_object_get(info, "data_offsets");
    if (!dtype || !shape || !offsets || json_object_size(info) != 3)
        return fail_format(err, src->path,
                           "tensor '%.64s' must have dtype, shape and data_offsets, no more",
                           tensor->name);
    IM_TRY(read_type(tensor, dtype, src, err));
    IM_TRY(read_shape(tensor, shape, src, err));
    IM_TRY(read_place(tensor, offsets, src, err));
cleanup:
    return st;
}

static imsat_status read_header(im_safetensors *file, json_t *header, const source *src,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *name;
    json_t *value;
    file->tensors = im_alloc(json_object_size(header), sizeof *file->tensors);
    if (!file->tensors)
        return im_fail_memory(err, src->path);
    json_object_foreach(header, name, value)
    {
        if (strcmp(name, IM_SAFETENSORS_METADATA) == 0) {
            IM_TRY(read_metadata(file, value, src->path, err));
            continue;
        }
        im_tensor *tensor = &file->tensors[file->count];
        tensor->name = im_strdup(name);
        if (!tensor->name)
            return im_fail_memory(err, src->path);
        file->count++;
        IM_TRY(read_tensor(tensor, value, src, err));
    }
cleanup:
    return st;
}

static int compare_places(const void *a, const void *b)
{
    const im_tensor *s = a, *t = b;
    const uintptr_t s_data = (uintptr_t)s->data, t_data = (uintptr_t)t->data;
    if (s_data != t_data)
        return s_data < t_data ? -1 : 1;
    const size_t s_bytes = im_safetensors_bytes(s), t_bytes = im_safetensors_bytes(t);
    if (s_bytes != t_bytes) /* an empty tensor comes before the one that starts there */
        return s_bytes < t_bytes ? -1 : 1;
    return strcmp(s->name, t->name);
}

/* The tensors lie without gaps; *covered receives their bytes. */
static imsat_status check_tiling(size_t *covered, im_safetensors *file, const source *src,
                                 imsat_error *err)
{
    *covered = 0;
    qsort(file->tensors, file->count, sizeof *file->tensors, compare_places);
    for (size_t i = 0; i < file->count; i++) {
        const im_tensor *tensor = &file->tensors[i];
        const size_t begin = (size_t)((const unsigned char *)tensor->data - src->data);
        if (begin != *covered)
            return fail_format(
                err, src->path,
                "tensor '%.64s' starts at %zu, but the one before it ends at %zu",
                tensor->name, begin, *covered);
        *covered += im_safetensors_bytes(tensor);
    }
    return IMSAT_OK;
}

/* Nothing follows the tensors, neither here nor in what is still compressed. */
static imsat_status check_end(size_t covered, im_bytes *bytes, const source *src,
                              imsat_error *err)
{
    bool more = false;
    if (covered != src->size)
        return fail_format(err, src->path, "%zu bytes follow the last tensor",
                           src->size - covered);
    const imsat_status st = im_bytes_end(bytes, &more, err);
    if (st != IMSAT_OK || !more)
        return st;
    return fail_format(err, src->path, "more bytes follow the last tensor");
}

static bool is_aligned(const im_tensor *tensor)
{
    return (uintptr_t)tensor->data % TYPES[tensor->type].size == 0;
}

static bool are_aligned(const im_safetensors *file)
{
    for (size_t i = 0; i < file->count; i++)
        if (!is_aligned(&file->tensors[i]))
            return false;
    return true;
}

/* Copy the tensors to one block, aligned. */
static imsat_status copy_tensors(im_safetensors *file, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_carver carver = {0};
    for (size_t i = 0; i < file->count; i++)
        im_carve(&carver, im_safetensors_bytes(&file->tensors[i]), 1);
    const size_t size = carver.used;
    unsigned char *block = im_alloc(size, 1);
    if (!block)
        return im_fail_memory(err, path);
    carver = (im_carver){(char *)block, 0};
    for (size_t i = 0; i < file->count; i++) {
        im_tensor *tensor = &file->tensors[i];
        const size_t bytes = im_safetensors_bytes(tensor);
        tensor->data = memcpy(im_carve(&carver, bytes, 1), tensor->data, bytes);
    }
    st = im_bytes_check(&file->bytes, IMSAT_OK, err);
    im_bytes_clear(&file->bytes);
    file->bytes = (im_bytes){.data = block, .size = size, .heap = block};
    return st;
}

imsat_status im_safetensors_hold(im_safetensors *file, const char *path, imsat_error *err)
{
    return file->bytes.heap ? IMSAT_OK : copy_tensors(file, path, err);
}

imsat_status im_safetensors_parse(im_safetensors *out, size_t *end, im_bytes *bytes,
                                  const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors file = {.bytes = *bytes};
    source src = {.path = path};
    json_t *header = NULL;
    size_t covered = 0;
    *bytes = (im_bytes){0};
    IM_TRY(parse_header(&header, &src, &file.bytes, err));
    IM_TRY(take_data(&src, &file.bytes, header, err));
    IM_TRY(read_header(&file, header, &src, err));
    IM_TRY(check_tiling(&covered, &file, &src, err));
    const bool aligned = are_aligned(&file);
    if (!end || !aligned)
        IM_TRY(check_end(covered, &file.bytes, &src, err));
    if (!aligned)
        IM_TRY(copy_tensors(&file, path, err));
    if (end)
        *end = aligned ? src.start + covered : file.bytes.size;
    *out = file;
    file = (im_safetensors){0};

cleanup:
    st = im_bytes_check(&file.bytes, st, err);
    json_decref(header);
    im_safetensors_clear(&file);
    return st;
}

imsat_status im_safetensors_read(im_safetensors *out, const char *path, imsat_error *err)
{
    im_bytes bytes = {0};
    const imsat_status st = im_bytes_open(&bytes, path, err);
    return st == IMSAT_OK ? im_safetensors_parse(out, NULL, &bytes, path, err) : st;
}

/* ---- looking up ------------------------------------------------------------ */

/* "F32 (3, 4)" */
static void describe_shape(char *out, size_t room, im_tensor_type type, size_t dims,
                           const size_t *shape)
{
    size_t used = (size_t)snprintf(out, room, "%s (", TYPES[type].name);
    for (size_t i = 0; i < dims && used < room; i++)
        used += (size_t)snprintf(out + used, room - used, i ? ", %zu" : "%zu", shape[i]);
    if (used < room)
        snprintf(out + used, room - used, ")");
}

imsat_status im_safetensors_get(const im_tensor **out, const im_safetensors *file,
                                const char *path, const char *name, im_tensor_type type,
                                size_t dims, const size_t *shape, imsat_error *err)
{
    char has[128], wanted[128];
    const im_tensor *tensor = find_tensor(file, name);
    if (!tensor)
        return fail_format(err, path, "tensor '%s' is missing", name);
    if (tensor->type != type || tensor->dims != dims ||
        (dims && memcmp(tensor->shape, shape, dims * sizeof *shape) != 0)) {
        describe_shape(has, sizeof has, tensor->type, tensor->dims, tensor->shape);
        describe_shape(wanted, sizeof wanted, type, dims, shape);
        return fail_format(err, path, "tensor '%s' is %s, and must be %s", name, has, wanted);
    }
    *out = tensor;
    return IMSAT_OK;
}

const char *im_safetensors_value(const im_safetensors *file, const char *key)
{
    const size_t place = find_key(file, key);
    return place < file->entries ? file->values[place] : NULL;
}

void im_safetensors_clear(im_safetensors *file)
{
    for (size_t i = 0; i < file->count; i++)
        im_free(file->tensors[i].name);
    for (size_t i = 0; i < file->entries; i++) {
        im_free(file->keys[i]);
        im_free(file->values[i]);
    }
    im_free(file->tensors);
    im_free(file->keys);
    im_free(file->values);
    im_bytes_clear(&file->bytes);
    *file = (im_safetensors){0};
}
