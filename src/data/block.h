/* SPDX-License-Identifier: MIT
 *
 * A block: the rows of one file, or of the caller's memory. Its elements stay as they are
 * stored, and a row becomes float when it is asked for.
 *
 * Blocks are of kinds. Readers say which one it is, by filling in its part of the struct; the
 * functions below are the same for all, and block.c alone tells kinds apart. A new kind is a
 * constant, a part of the struct, and a case in each function of block.c that looks at rows.
 */
#ifndef IM_DATA_BLOCK_H
#define IM_DATA_BLOCK_H

#include "core/bytes.h"
#include "core/path.h"
#include "core/status.h"
#include "data/csr.h"
#include "data/element.h"

typedef enum im_block_kind {
    IM_BLOCK_ARRAY,  /* elements in memory or mapped: (i, j) is at base + i * row_stride + j *
                        col_stride */
    IM_BLOCK_SOURCE, /* rows come from a function */
    IM_BLOCK_CSR     /* sparse rows in memory */
} im_block_kind;

/* Rows of a file that is neither mapped nor in memory as a whole. Any thread may call the
 * functions at any time, also several at once. */
typedef struct im_row_source {
    void *context;

    /* out (count) = elements first .. first + count - 1 of a row, of the type of the block, in
     * this machine's byte order. Refuses what cannot be read, naming the file. */
    imsat_status (*read)(void *context, void *out, size_t row, size_t first, size_t count,
                         imsat_error *err);

    /* Rows first .. first + count - 1 will not be read soon, but may be. NULL: it is all the
     * same. */
    void (*release)(void *context, size_t first, size_t count);

    void (*close)(void *context);
} im_row_source;

typedef struct im_block {
    im_block_kind kind;
    im_dtype dtype; /* of the elements, whatever the kind */
    size_t first;   /* the number its row 0 has in the data set */
    size_t rows, dim;
    size_t ndim;       /* of the file's array; 0: it has none */
    imsat_image image; /* all 0: not known to be images */
    char *description; /* owned: "npy <f4 (70000, 784), mapped" */
    im_path_file file; /* that it was read from; all 0: a view */
    /* IM_BLOCK_ARRAY */
    im_bytes bytes; /* owned; what base points into (empty for a view) */
    const unsigned char *base;
    size_t row_stride, col_stride; /* in bytes */
    size_t *records; /* (rows) owned: which line of data of a table each row is, if some
                        were left out; NULL: all are there */
    bool header;     /* of a table: its first line has names */
    char json;       /* of a table: '{' or '[', what each line is; 0: it is not JSON */
    bool cells;      /* values of a table, as im_schema_finish() finds them */
    bool swapped;    /* the file's byte order is not this machine's */
    bool narrow;     /* the array is of a wider type than its elements here */
    /* IM_BLOCK_SOURCE */
    im_row_source source; /* owned: closed by im_block_clear() */
    /* IM_BLOCK_CSR */
    im_csr csr;    /* owned; the type of the elements is float */
    bool dim_open; /* the file does not say how many columns there are: zeros may follow */
} im_block;

void im_block_clear(im_block *block);

/* The elements of all rows as the file holds them, if they lie in C order without gaps; else
 * NULL. */
const unsigned char *im_block_whole(const im_block *block);

/* out (count) = columns first .. first + count - 1 of a row, as float or as double, or as they
 * are, of the block's type in this machine's byte order; thread-safe. An array cannot fail. */
imsat_status im_block_read(float *out, const im_block *block, size_t row, size_t first,
                           size_t count, imsat_error *err);
imsat_status im_block_read_wide(double *out, const im_block *block, size_t row, size_t first,
                                size_t count, imsat_error *err);
imsat_status im_block_read_raw(void *out, const im_block *block, size_t row, size_t first,
                               size_t count, imsat_error *err);

/* The same for those who read what was read before, when the file was opened: what can then
 * not be read again, because the file was cut or a disk broke, is NaN. */
void im_block_floats(float *out, const im_block *block, size_t row, size_t first,
                     size_t count);
void im_block_doubles(double *out, const im_block *block, size_t row, size_t first,
                      size_t count);

/* Ask the processor to fetch a row into its cache, where that is worth the while. */
void im_block_prefetch(const im_block *block, size_t row);

/* Give back the memory, of a mapped file or of a source, that holds rows first .. first +
 * count - 1. They can still be read. */
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

/* For readers: a block whose bytes were borrowed of these has them as its own from now on. One
 * with bytes of its own leaves these alone. */
void im_block_keep(im_block *block, im_bytes *bytes);

/* For readers: the elements of a block that has its shape, (rows) or (rows, dim), are in
 * Fortran order: the file holds column after column. */
void im_block_set_fortran(im_block *block);

/* For readers: the elements of a block that has its dtype are these, (rows,dim) in C order,
 * which im_free() frees and which are the block's on success. What it held before goes. */
imsat_status im_block_own(im_block *block, void *elements, size_t rows, size_t dim,
                          const char *path, imsat_error *err);

/* For readers: the rows of a block that is not described yet are these, which are the block's
 * from now on. */
void im_block_set_csr(im_block *block, im_csr *csr);

/* For readers: set the description, as printf. */
__attribute__((format(printf, 3, 4))) imsat_status im_block_describe(im_block *block,
                                                                     imsat_error *err,
                                                                     const char *format, ...);

#endif
