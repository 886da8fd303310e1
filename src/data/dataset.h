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
#include "data/element.h"
#include "data/label_list.h"

#include <stdbool.h>

/* Rows of one file. Element (i, j) is at base + i * row_stride + j * col_stride. */
typedef struct im_block {
    im_bytes bytes; /* owned; what base points into (empty for a view) */
    const unsigned char *base;
    im_dtype dtype;
    bool swapped; /* the file's byte order is not this machine's */
    size_t first; /* the number its row 0 has in the data set */
    size_t rows, dim;
    size_t ndim;                   /* of the file's array; 0: it has none */
    size_t row_stride, col_stride; /* in bytes */
    imsat_image image;             /* all 0: not known to be images */
    char *description;             /* owned: "npy <f4 (70000, 784), mapped" */
} im_block;

void im_block_clear(im_block *block);

/* Row `row` of the block (counted in the block) as a run of elements. */
im_elements im_block_row(const im_block *block, size_t row);

/* What a reader is asked for. */
typedef struct im_read_request {
    const char *path;
    const char *label_column; /* or NULL; only CSV has columns to name */
    im_label_list *labels;    /* where the label column goes; needed with label_column */
    bool doubles;             /* numbers of a text file are kept as double, not float */
} im_read_request;

/* One per format. `holds` looks at the contents, `named` at the path: contents decide, and
 * a name only where they do not. `read` fills a block from the bytes, which it takes over
 * on success only. */
typedef struct im_reader {
    const char *name;
    bool (*holds)(const im_bytes *bytes);
    bool (*named)(const char *path);
    imsat_status (*read)(im_block *out, im_bytes *bytes, const im_read_request *request,
                         imsat_error *err);
} im_reader;

extern const im_reader im_npy_reader, im_idx_reader, im_csv_reader;

/* The reader of a file; CSV takes text that no other knows. Other contents are refused. */
imsat_status im_reader_find(const im_reader **out, const char *path, const im_bytes *bytes,
                            imsat_error *err);

/* Open a file and read it by the reader that knows it. */
imsat_status im_block_read(im_block *out, const im_read_request *request, imsat_error *err);

/* Whether the path ends in `suffix` or `suffix`.gz, in any case. */
bool im_path_ends(const char *path, const char *suffix);

enum { IM_SHAPE_MAX = 4, IM_SHAPE_TEXT = 128 };

/* "(70000, 28, 28)"; text has room for IM_SHAPE_TEXT bytes. */
void im_shape_text(char *text, const size_t *shape, size_t ndim);

/* For readers: rows, dim, image and C-order strides of a block that has its dtype, from an
 * array's shape, 1 to IM_SHAPE_MAX long: (n), (n, dim), (n, h, w) or (n, h, w, c). An empty
 * shape, one that overflows, and one that does not take exactly `bytes` bytes are refused. */
imsat_status im_block_set_shape(im_block *block, const size_t *shape, size_t ndim,
                                size_t bytes, const char *path, imsat_error *err);

/* For readers: set the description, as printf. */
__attribute__((format(printf, 3, 4))) imsat_status im_block_describe(im_block *block,
                                                                     imsat_error *err,
                                                                     const char *format, ...);

struct imsat_data {
    im_block *blocks; /* (nblocks) owned */
    size_t nblocks;
    size_t rows, dim;
    imsat_image image;
    int32_t *labels; /* (rows) owned, or NULL */
};

/* Row `row` as dim floats, no preprocessing. Any row of any block; thread-safe. */
void im_data_row(float *out, const imsat_data *data, size_t row);

/* A row will be read soon: for those who read rows in no order, which no processor foresees.
 */
void im_data_expect(const imsat_data *data, size_t row);

/* Rows first .. first + count - 1 will not be read soon: memory of mapped files that holds
 * them is given back. They can still be read. */
void im_data_release(const imsat_data *data, size_t first, size_t count);

/* How many rows a pass over the data in order should read before it releases them. */
size_t im_data_piece(const imsat_data *data);

/* A 64-bit fingerprint of shape and contents, the same however the rows are stored: two
 * files that hold the same float values have the same one. Reads everything once. */
uint64_t im_data_fingerprint(const imsat_data *data);

#endif
