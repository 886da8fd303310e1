/* SPDX-License-Identifier: MIT
 * What the targets of data files share. */
#ifndef TESTS_FUZZ_ROWS_H
#define TESTS_FUZZ_ROWS_H

#include "fuzz.h"

/* Bytes of a data file, and so more than it has values. */
enum { ROWS_MOST = 2048 };

/* Rows that were read. */
typedef struct fuzz_rows {
    size_t rows, dim;
    float x[ROWS_MOST];        /* (rows, dim) */
    int32_t labels[ROWS_MOST]; /* (rows), if has_labels */
    bool has_labels;
} fuzz_rows;

/* Open `path`, of `size` bytes, as a data set, and require that all it says of itself fits
 * together, that every value is finite, and that the rows are the same after they were written
 * as .npy and read again. Whether it was accepted; else it was refused as it must be, or is
 * one of sparse rows. */
bool rows_read(fuzz_rows *out, const char *path, size_t size, const char *label_column);

/* Seeds: an .npy file of version `major`.0 around a header, with `size` bytes that are small
 * numbers in most types. */
void rows_seed_npy(int major, const char *header, size_t size);

#endif
