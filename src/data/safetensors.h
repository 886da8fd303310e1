/* SPDX-License-Identifier: MIT
 *
 * safetensors, the container of our models and checkpoints: a little-endian u64 with the
 * length of a JSON header, the header {name: {dtype, shape, data_offsets}, __metadata__:
 * {name: text}}, and the tensors' bytes. Any tool of the field opens it.
 *
 * Files are read as hostile: the header is capped, offsets must tile the buffer exactly (no
 * holes, no overlap), sizes must equal shape times dtype, and names must be unique.
 */
#ifndef IM_DATA_SAFETENSORS_H
#define IM_DATA_SAFETENSORS_H

#include "core/bytes.h"
#include "core/status.h"

typedef enum im_tensor_type {
    IM_TENSOR_F32,
    IM_TENSOR_F64,
    IM_TENSOR_I32,
    IM_TENSOR_I64,
    IM_TENSOR_U8,
    IM_TENSOR_U32,
    IM_TENSOR_U64,
    /* Only in files of others. */
    IM_TENSOR_BOOL,
    IM_TENSOR_I8,
    IM_TENSOR_I16,
    IM_TENSOR_U16,
    IM_TENSOR_F16,
    IM_TENSOR_BF16
} im_tensor_type;

/* The tensor type of im_real. */
#ifdef IM_REAL_DOUBLE
#define IM_TENSOR_REAL IM_TENSOR_F64
#else
#define IM_TENSOR_REAL IM_TENSOR_F32
#endif

enum { IM_TENSOR_MAX_DIMS = 4 };

/* Of the file: bytes that hold the length of the header, and the longest header. The format
 * allows 100 MB. A parsed header takes some 40 times its bytes, so that limit would let a
 * hostile file take gigabytes; 16 MiB is room for 100000 tensors. */
enum { IM_SAFETENSORS_LENGTH = 8, IM_SAFETENSORS_HEADER_MAX = 16 << 20 };

#define IM_SAFETENSORS_METADATA "__metadata__"

typedef struct im_tensor {
    char *name; /* owned by the file */
    im_tensor_type type;
    size_t dims, shape[IM_TENSOR_MAX_DIMS];
    const void *data; /* on reading: into the file's bytes, aligned for its type */
} im_tensor;

typedef struct im_safetensors {
    im_tensor *tensors; /* in the order added; on reading: by offset */
    size_t count;
    char **keys, **values; /* metadata, in the order added; on reading: sorted by key */
    size_t entries;
    im_bytes bytes;         /* of a file read */
    const im_bytes *origin; /* of a file being built: what data points into, if it may be
                               mapped; NULL: memory */
} im_safetensors;

/* Building, from a zeroed struct. Names, keys and values are copied; data is not: it must
 * live until the file is written. A name added twice, text that is not UTF-8, or a shape
 * that overflows is IMSAT_EINVAL. */
imsat_status im_safetensors_add(im_safetensors *file, const char *name, im_tensor_type type,
                                const void *data, size_t dims, const size_t *shape,
                                imsat_error *err);

/* Set a metadata entry; a key set before gets the new value and keeps its place. */
imsat_status im_safetensors_set(im_safetensors *file, const char *key, const char *value,
                                imsat_error *err);

/* Written by way of a temporary name. The header is padded with spaces so that the tensors
 * start at a multiple of 64 bytes; the same contents give the same bytes. IMSAT_EIO if the
 * origin was lost. */
imsat_status im_safetensors_write(const im_safetensors *file, const char *path,
                                  imsat_error *err);

/* Read a file to a struct that owns nothing. */
imsat_status im_safetensors_read(im_safetensors *out, const char *path, imsat_error *err);

/* The same for the bytes of a file, which are taken over: *bytes is empty afterwards, also on
 * failure. With `end`, other bytes may follow the tensors, if these are aligned for their
 * types and so need not be moved: they begin at *end of out->bytes, and of a compressed file
 * not all need be there. Of the tensors then nothing is read. */
imsat_status im_safetensors_parse(im_safetensors *out, size_t *end, im_bytes *bytes,
                                  const char *path, imsat_error *err);

/* Have the tensors in memory of their own, whatever becomes of the file that was read, or of
 * the arrays that were added: they are copied, unless they were decompressed. IMSAT_EIO if a
 * mapped file was lost before (core/map.h). */
imsat_status im_safetensors_hold(im_safetensors *file, const char *path, imsat_error *err);

/* Find a tensor of exactly this type and shape; IMSAT_EFORMAT, naming path, if there is
 * none. */
imsat_status im_safetensors_get(const im_tensor **out, const im_safetensors *file,
                                const char *path, const char *name, im_tensor_type type,
                                size_t dims, const size_t *shape, imsat_error *err);

/* A metadata value, or NULL. */
const char *im_safetensors_value(const im_safetensors *file, const char *key);

/* The name of a type in a file, and the bytes of a tensor whose shape was checked. */
const char *im_safetensors_type(im_tensor_type type);
size_t im_safetensors_bytes(const im_tensor *tensor);

void im_safetensors_clear(im_safetensors *file);

#endif
