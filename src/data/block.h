/* SPDX-License-Identifier: MIT
 *
 * A block: the rows of one file, or of the caller's memory. Its elements stay as they are
 * stored, and a row becomes float when it is asked for.
 */
#ifndef IM_DATA_BLOCK_H
#define IM_DATA_BLOCK_H

#include "core/bytes.h"
#include "core/path.h"
#include "core/status.h"
#include "data/element.h"

/* Element (i, j) is at base + i * row_stride + j * col_stride. Only block.c counts on that:
 * others get the rows by the functions below, and readers set the strides by them. */
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
    im_path_file file;             /* that it was read from; all 0: a view */
} im_block;

void im_block_clear(im_block *block);

/* Row `row` of the block (counted in the block) as a run of elements. */
im_elements im_block_row(const im_block *block, size_t row);

/* The elements of all rows as the file holds them, if they lie in C order without gaps; else
 * NULL. */
const unsigned char *im_block_whole(const im_block *block);

/* out (count) = columns first .. first + count - 1 of a row, as float or as double;
 * thread-safe. */
void im_block_floats(float *out, const im_block *block, size_t row, size_t first,
                     size_t count);
void im_block_doubles(double *out, const im_block *block, size_t row, size_t first,
                      size_t count);

/* Ask the processor to fetch a row into its cache, where that is worth the while. */
void im_block_prefetch(const im_block *block, size_t row);

/* Give back the memory of a mapped file that holds rows first .. first + count - 1. They can
 * still be read. */
void im_block_release(const im_block *block, size_t first, size_t count);

/* How many rows a pass in order over rows of dim values should read between two releases. */
size_t im_block_piece(size_t dim);

/* Call it in a pass over all rows in order, after each row: it releases what was read, a piece
 * at a time, so that the pass leaves no pages of the file in memory. */
void im_block_pass(const im_block *block, size_t row);

enum { IM_SHAPE_MAX = 4, IM_SHAPE_TEXT = 128 };

/* "(70000, 28, 28)"; text has room for IM_SHAPE_TEXT bytes. */
void im_block_shape_text(char *text, const size_t *shape, size_t ndim);

/* For readers: rows, dim, image and C-order strides of a block that has its dtype, from an
 * array's shape, 1 to IM_SHAPE_MAX long: (n), (n, dim), (n, h, w) or (n, h, w, c). An empty
 * shape and one that overflows are refused. */
imsat_status im_block_set_shape(im_block *block, const size_t *shape, size_t ndim,
                                const char *path, imsat_error *err);

/* For readers: the elements of a block that has its shape are the bytes of a file behind its
 * first `header` ones, to its end. A file that has fewer or more is refused. Of a compressed
 * file no more is decompressed than that takes. The bytes are the block's on success. */
imsat_status im_block_fill(im_block *block, im_bytes *bytes, size_t header, const char *path,
                           imsat_error *err);

/* For readers: the elements of a block that has its shape, (rows) or (rows, dim), are in
 * Fortran order: the file holds column after column. */
void im_block_set_fortran(im_block *block);

/* For readers: set the description, as printf. */
__attribute__((format(printf, 3, 4))) imsat_status im_block_describe(im_block *block,
                                                                     imsat_error *err,
                                                                     const char *format, ...);

#endif
