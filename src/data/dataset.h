/* SPDX-License-Identifier: MIT
 *
 * A data set is a list of blocks, one per file, that look like one matrix. A block keeps
 * the elements as its file holds them (mapped if it can be) and rows become float, one
 * batch at a time, when they are asked for: uint8 images cost one byte a pixel, and a
 * float32 .npy costs no memory at all.
 */
#ifndef IM_DATA_DATASET_H
#define IM_DATA_DATASET_H

#include "core/file.h"
#include "core/status.h"

#include <stdbool.h>

typedef enum im_dtype {
    IM_BOOL, IM_I8, IM_U8, IM_I16, IM_U16, IM_I32, IM_U32, IM_I64, IM_U64, IM_F16, IM_F32, IM_F64
} im_dtype;

size_t im_dtype_size(im_dtype dtype);

/* Rows of one file. Element (i, j) is at base + i * row_stride + j * col_stride. */
typedef struct im_block {
    im_bytes bytes;      /* owned; what base points into (empty for a view) */
    const unsigned char *base;
    im_dtype dtype;
    bool swapped;        /* the file's byte order is not this machine's */
    size_t rows, dim;
    size_t row_stride, col_stride; /* in bytes */
    imsat_image image;   /* all 0: not known to be images */
    int32_t *labels;     /* (rows) owned, or NULL */
    char *description;   /* owned: "npy <f4 (70000, 784), mapped" */
} im_block;

void im_block_clear(im_block *block);

/* What a reader is asked for. */
typedef struct im_read_request {
    const char *path;
    const char *label_column; /* or NULL; only CSV has columns to name */
} im_read_request;

/* One per format. `knows` looks at the path and the first bytes; `read` fills a block from
 * the bytes, of which it takes ownership only on success. The readers are tried in the order
 * of im_readers; the last one (CSV) takes what no other knows. */
typedef struct im_reader {
    const char *name;
    bool (*knows)(const char *path, const im_bytes *bytes);
    imsat_status (*read)(im_block *out, im_bytes *bytes, const im_read_request *request,
                         imsat_error *err);
} im_reader;

extern const im_reader im_npy_reader, im_idx_reader, im_csv_reader;

struct imsat_data {
    im_block *blocks; /* (nblocks) owned */
    size_t nblocks;
    size_t rows, dim;
    imsat_image image;
    int32_t *labels;  /* (rows) owned, or NULL */
};

/* Row `row` as dim floats, no preprocessing. Any row of any block; thread-safe. */
void im_data_row(float *out, const imsat_data *data, size_t row);

/* A 64-bit fingerprint of shape and contents, the same however the rows are stored: two
 * files that hold the same float values have the same one. Reads everything once. */
uint64_t im_data_fingerprint(const imsat_data *data);

#endif
