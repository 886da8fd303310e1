/* SPDX-License-Identifier: MIT
 *
 * Prepared rows of sparse data, without their zeros. What preparation makes of a 0 depends on
 * its column alone, so a prepared row is
 *
 *     background + elements       the background: the prepared row of zeros, the same for all
 *
 * with as many elements as the row itself has. Scaling and unit norm leave zeros alone: there
 * the background is 0. Only unit norm behind a step that fills, a shift or standardization,
 * makes of a 0 what differs from row to row; such rows have to be filled.
 *
 * Prepared values have the bits of the filled rows (data/preprocess.h).
 */
#ifndef IM_DATA_SPARSE_ROWS_H
#define IM_DATA_SPARSE_ROWS_H

#include "core/real.h"
#include "data/preprocess.h"

typedef struct im_sparse_rows {
    const imsat_data *data; /* borrowed, both */
    const im_preprocess *pre;
    float *background; /* (dim) owned; NULL: 0 */
    size_t longest;    /* elements of the longest row */
} im_sparse_rows;

/* Whether prepared rows of the data are such. */
bool im_sparse_rows_fit(const imsat_data *data, const im_preprocess *pre);

/* Of data that fits. */
imsat_status im_sparse_rows_new(im_sparse_rows *out, const imsat_data *data,
                                const im_preprocess *pre, imsat_error *err);
void im_sparse_rows_clear(im_sparse_rows *rows);

/* The row as it is in the data: columns, and raw values. */
static inline im_csr_row im_sparse_rows_raw(const im_sparse_rows *rows, size_t row)
{
    return im_data_sparse_row(rows->data, row);
}

/* value (count of the raw row) = the prepared row at its columns. */
void im_sparse_rows_prepared(float *value, const im_sparse_rows *rows, size_t row);

/* The same before it is rounded to float; and what a zero of a column becomes. */
void im_sparse_rows_exact(double *value, const im_sparse_rows *rows, size_t row);
double im_sparse_rows_zero(const im_sparse_rows *rows, int32_t column);

/* out (dim) = the prepared row, filled. */
void im_sparse_rows_fill(float *out, const im_sparse_rows *rows, size_t row);

#endif
