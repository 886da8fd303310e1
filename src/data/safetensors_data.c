/* SPDX-License-Identifier: MIT
 *
 * Tensors of safetensors files as data: embeddings, say, that a program of the field has
 * written. One is used where it lies in the file, unless it is not aligned there (see
 * safetensors.c).
 */
#include "core/alloc.h"
#include "data/inside.h"
#include "data/safetensors.h"

#include <string.h>

static const im_dtype DTYPES[] = {
    [IM_TENSOR_F32] = IM_F32,   [IM_TENSOR_F64] = IM_F64,   [IM_TENSOR_I32] = IM_I32,
    [IM_TENSOR_I64] = IM_I64,   [IM_TENSOR_U8] = IM_U8,     [IM_TENSOR_U32] = IM_U32,
    [IM_TENSOR_U64] = IM_U64,   [IM_TENSOR_BOOL] = IM_BOOL, [IM_TENSOR_I8] = IM_I8,
    [IM_TENSOR_I16] = IM_I16,   [IM_TENSOR_U16] = IM_U16,   [IM_TENSOR_F16] = IM_F16,
    [IM_TENSOR_BF16] = IM_BF16,
};

/* A length that is no larger than is read, and the brace that every header begins with. */
static bool safetensors_holds(const im_bytes *bytes)
{
    uint64_t length;
    if (bytes->size <= IM_SAFETENSORS_LENGTH || bytes->data[IM_SAFETENSORS_LENGTH] != '{')
        return false;
    memcpy(&length, bytes->data, sizeof length);
    return length <= IM_SAFETENSORS_HEADER_MAX;
}

/* A block that borrows the bytes of the file. */
static imsat_status read_tensor(im_block *out, void *context, size_t i,
                                const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_safetensors *file = context;
    const im_tensor *tensor = &file->tensors[i];
    im_block block = {.dtype = DTYPES[tensor->type]};
    char text[IM_SHAPE_TEXT];
    if (tensor->dims == 0)
        return im_fail(err, IMSAT_EFORMAT, "%s: is a single number, not rows", request->path);
    IM_TRY(im_block_set_shape(&block, tensor->shape, tensor->dims, request->path, err));
    im_block_shape_text(text, tensor->shape, tensor->dims);
    IM_TRY(im_block_describe(&block, err, "safetensors '%s': %s %s, %s", tensor->name,
                             im_safetensors_type(tensor->type), text,
                             im_bytes_held(&file->bytes)));
    if (request->suits)
        IM_TRY(request->suits(&block, request, err));
    block.base = tensor->data;
    block.bytes = im_bytes_borrow(&file->bytes, 0, file->bytes.size);
    *out = block;
    block = (im_block){0};

cleanup:
    im_block_clear(&block);
    return st;
}

static imsat_status safetensors_read(im_block *out, im_bytes *bytes,
                                     const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    const char **names = NULL;
    IM_TRY(im_safetensors_parse(&file, NULL, bytes, request->path, err));
    names = im_alloc(file.count, sizeof *names);
    if (!names) {
        st = im_fail_memory(err, request->path);
        goto cleanup;
    }
    for (size_t i = 0; i < file.count; i++)
        names[i] = file.tensors[i].name;
    const im_inside inside = {.what = im_safetensors_reader.format.inside,
                              .names = names,
                              .count = file.count,
                              .read = read_tensor,
                              .context = &file};
    IM_TRY(im_inside_read(out, &inside, request, err));
    out->bytes = file.bytes; /* which the block keeps from now on */
    file.bytes = (im_bytes){0};

cleanup:
    im_free(names);
    im_safetensors_clear(&file);
    return st;
}

const im_reader im_safetensors_reader = {
    .format = {"safetensors", "tensors, as programs for neural networks keep them",
               ".safetensors", "tensor"},
    .lists = true,
    .holds = safetensors_holds,
    .read = safetensors_read};
