/* SPDX-License-Identifier: MIT
 *
 * A data set is a list of blocks, one per file, that look like one matrix. A block keeps
 * the elements as its file holds them (mapped if it can be) and rows become float, one
 * batch at a time, when they are asked for: uint8 images cost one byte a pixel, and a
 * float32 .npy costs no memory at all.
 *
 * Prefixes: im_data_.
 */
#ifndef IM_DATA_DATASET_H
#define IM_DATA_DATASET_H

#include "core/stage.h"
#include "data/block.h"
#include "data/schema.h"

struct imsat_data {
    im_block *blocks; /* (nblocks) owned */
    size_t nblocks;
    size_t rows, dim;
    imsat_image image;
    int32_t *labels;    /* (rows) owned, or NULL */
    char **label_words; /* owned: what they were in the files (data/label_list.h), or NULL */
    int32_t *documents; /* (rows) owned: which of the texts that were read each row is of;
                           NULL:   rows are not texts */
    struct im_origin
        *origin; /* owned: how rows were made of something else (features/origin.h), for
                a model to do it again; NULL: they were read as they are */
    void (*drop_origin)(struct im_origin *origin);
    im_schema schema; /* its columns are those of the data if there are any */
};

/* imsat_data_open_table(), with the columns of a model if `given` is not NULL and not empty.
 */
imsat_status im_data_open(imsat_data **out, const char *const *paths, size_t npaths,
                          const imsat_data_options *options, const imsat_table_options *table,
                          const im_schema *given, imsat_error *err);

/* A data set of one block, which it takes over on success. */
imsat_status im_data_new(imsat_data **out, im_block *block, imsat_error *err);

/* Refuse a block with NaN, infinities or what float cannot hold; `name` is for messages. */
imsat_status im_data_check_values(const im_block *block, const char *name, imsat_error *err);

/* Rows are images of this shape, if it is not all 0; refused if it does not fit. `path` is for
 * messages. */
imsat_status im_data_set_image(imsat_data *data, imsat_image image, const char *path,
                               imsat_error *err);

/* im_data_open() for those who only look at the values: NaN, infinities, values beyond the
 * range of float and missing ones are no failure, unless the options say what to do about
 * them, and columns of text are left out. Missing values are NaN. */
imsat_status im_data_open_loose(imsat_data **out, const char *const *paths, size_t npaths,
                                const imsat_data_options *options,
                                const imsat_table_options *table, imsat_error *err);

/* Row `row` as dim floats, no preprocessing. Any row of any block; thread-safe. */
void im_data_row(float *out, const imsat_data *data, size_t row);

/* The same as dim doubles, of a row whose elements are of a type that float rounds. Of another
 * row im_data_row() loses nothing: then it returns false and leaves `out` alone. */
bool im_data_row_wide(double *out, const imsat_data *data, size_t row);

/* One element, as double. */
double im_data_value(const imsat_data *data, size_t row, size_t column);

/* Whether all rows are sparse ones, and so im_data_sparse_row() has them. */
bool im_data_is_sparse(const imsat_data *data);

/* The elements of a sparse row that are not zero. */
im_csr_row im_data_sparse_row(const imsat_data *data, size_t row);

/* How many elements the longest sparse row has. */
size_t im_data_longest(const imsat_data *data);

/* Whether the path is that of a file that rows were read from. */
bool im_data_is_file(const imsat_data *data, const char *path);

/* Ask the processor to fetch a row into its cache while another is being worked on. This is
 * for those who read rows in random order, which the processor cannot foresee. */
void im_data_prefetch(const imsat_data *data, size_t row);

/* Give back the memory of mapped files that holds rows first .. first + count - 1, because
 * they will not be read soon. They can still be read. */
void im_data_release(const imsat_data *data, size_t first, size_t count);

/* What came of reading rows first .. first + count - 1, if by itself it was st: IMSAT_EIO if a
 * file that holds some of them was lost meanwhile (core/map.h), else st. To be asked before
 * anything that was made of them is handed over. */
imsat_status im_data_check(const imsat_data *data, size_t first, size_t count, imsat_status st,
                           imsat_error *err);

/* Whether a read of any row has failed since it was opened. It costs next to nothing, and is
 * for long work that may as well end. */
bool im_data_lost(const imsat_data *data);

/* How many rows a pass over the data in order should read before it releases them. */
size_t im_data_piece(const imsat_data *data);

/* A 64-bit fingerprint of shape and contents; see fingerprint.c. It is the same however the
 * rows are stored: data sets that hold the same values have the same one, whatever their
 * formats and element types, and however many files they are cut into. Reads everything once.
 */
imsat_status im_data_fingerprint(uint64_t *out, const imsat_data *data, const im_stage *stage,
                                 imsat_error *err);

#endif
