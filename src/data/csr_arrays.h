/* SPDX-License-Identifier: MIT
 *
 * Sparse matrices as scipy and MATLAB write them: three arrays, of the values, of their places
 * in a line, and of where each line begins. A line is a row, or a column. They become sparse
 * rows. */
#ifndef IM_DATA_CSR_ARRAYS_H
#define IM_DATA_CSR_ARRAYS_H

#include "data/block.h"

typedef enum im_csr_array {
    IM_CSR_VALUES,
    IM_CSR_INDICES, /* from 0, the column of each value; of columns, its row */
    IM_CSR_STARTS,  /* of each line and, behind the last, the number of values */
    IM_CSR_ARRAYS
} im_csr_array;

typedef struct im_csr_arrays {
    im_block array[IM_CSR_ARRAYS]; /* owned; of a value a row */
    const char *const *names;      /* (IM_CSR_ARRAYS) for messages */
    size_t rows, columns;
    bool by_columns;
    size_t most_rows; /* that the file can hold something of: more take no memory */
} im_csr_arrays;

/* Any order of the elements of a line is good; one that comes twice is refused. */
imsat_status im_csr_arrays_read(im_csr *out, const im_csr_arrays *arrays, const char *path,
                                imsat_error *err);
void im_csr_arrays_clear(im_csr_arrays *arrays);

/* Element i of an array that is to be a whole number and not negative. */
imsat_status im_csr_arrays_count(size_t *out, const im_block *array, const char *name,
                                 size_t i, const char *path, imsat_error *err);

#endif
