/* SPDX-License-Identifier: MIT
 * Writing safetensors files; see safetensors.h, and safetensors.c for the format. */
#include "core/alloc.h"
#include "core/writer.h"
#include "data/safetensors.h"

#include <jansson.h>
#include <stdint.h>

enum { DATA_ALIGN = 64 };

/* {"dtype": ..., "shape": [...], "data_offsets": [begin, end]}, or NULL without memory. */
static json_t *describe_tensor(const im_tensor *tensor, size_t begin)
{
    json_t *shape = json_array();
    for (size_t i = 0; i < tensor->dims; i++)
        if (json_array_append_new(shape, json_integer((json_int_t)tensor->shape[i])) != 0) {
            json_decref(shape);
            return NULL;
        }
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", im_safetensors_type(tensor->type),
                     "shape", shape, "data_offsets", (json_int_t)begin,
                     (json_int_t)(begin + im_safetensors_bytes(tensor)));
}

/* The header as JSON, metadata first; NULL without memory. */
static json_t *describe_file(const im_safetensors *file)
{
    json_t *header = json_object(), *metadata = json_object();
    bool good = header && metadata;
    for (size_t i = 0; good && i < file->entries; i++)
        good = json_object_set_new(metadata, file->keys[i], json_string(file->values[i])) == 0;
    if (good && file->entries)
        good = json_object_set(header, IM_SAFETENSORS_METADATA, metadata) == 0;
    json_decref(metadata);
    size_t begin = 0;
    for (size_t i = 0; good && i < file->count; i++) {
        const im_tensor *tensor = &file->tensors[i];
        good = json_object_set_new(header, tensor->name, describe_tensor(tensor, begin)) == 0;
        begin += im_safetensors_bytes(tensor);
    }
    if (good)
        return header;
    json_decref(header);
    return NULL;
}

/* The file's first part: length and padded header, *size bytes, freed by the caller. */
static imsat_status encode_header(char **out, size_t *size, const im_safetensors *file,
                                  imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    char *bytes = NULL;
    json_t *header = describe_file(file);
    const size_t length = header ? json_dumpb(header, NULL, 0, JSON_COMPACT) : 0;
    const size_t start =
        (IM_SAFETENSORS_LENGTH + length + DATA_ALIGN - 1) / DATA_ALIGN * DATA_ALIGN;
    const uint64_t padded = start - IM_SAFETENSORS_LENGTH;
    if (length)
        bytes = im_alloc(start, 1);
    if (!bytes) {
        st = im_fail_memory(err, "a file's header");
        goto cleanup;
    }
    if (padded > IM_SAFETENSORS_HEADER_MAX) {
        st = im_fail(err, IMSAT_EINVAL, "the header would take %zu bytes, more than %d", start,
                     IM_SAFETENSORS_HEADER_MAX);
        goto cleanup;
    }
    memcpy(bytes, &padded, IM_SAFETENSORS_LENGTH);
    memset(bytes + IM_SAFETENSORS_LENGTH, ' ', padded);
    if (json_dumpb(header, bytes + IM_SAFETENSORS_LENGTH, length, JSON_COMPACT) != length) {
        st = im_fail_memory(err, "a file's header");
        goto cleanup;
    }
    *out = bytes;
    *size = start;
    bytes = NULL;

cleanup:
    im_free(bytes);
    json_decref(header);
    return st;
}

imsat_status im_safetensors_write(const im_safetensors *file, const char *path,
                                  imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_writer writer = {0};
    char *header = NULL;
    size_t size = 0;
    IM_TRY(encode_header(&header, &size, file, err));
    IM_TRY(im_writer_open(&writer, path, err));
    IM_TRY(im_writer_put(&writer, header, size, err));
    for (size_t i = 0; i < file->count && st == IMSAT_OK; i++)
        st = im_writer_put(&writer, file->tensors[i].data,
                           im_safetensors_bytes(&file->tensors[i]), err);
    if (file->origin) /* a write() of what is lost fails as well, and would blame this file */
        st = im_bytes_check(file->origin, st, err);
    if (st == IMSAT_OK)
        st = im_writer_commit(&writer, err);

cleanup:
    im_writer_clear(&writer);
    im_free(header);
    return st;
}
