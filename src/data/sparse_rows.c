/* SPDX-License-Identifier: MIT
 * See sparse_rows.h. */
#include "data/sparse_rows.h"

#include "core/alloc.h"
#include "core/lanes.h"

#include <assert.h>
#include <math.h>

bool im_sparse_rows_fit(const imsat_data *data, const im_preprocess *pre)
{
    const bool filled_before_norm = pre->shift != 0 || pre->standardize;
    return im_data_is_sparse(data) && !(pre->unit_norm && filled_before_norm);
}

imsat_status im_sparse_rows_new(im_sparse_rows *out, const imsat_data *data,
                                const im_preprocess *pre, imsat_error *err)
{
    assert(im_sparse_rows_fit(data, pre) && pre->dim == data->dim);
    im_sparse_rows rows = {.data = data, .pre = pre, .longest = im_data_longest(data)};
    if (pre->shift != 0 || pre->standardize || pre->center) {
        double *work = im_alloc(pre->dim, sizeof *work);
        rows.background = im_alloc(pre->dim, sizeof *rows.background);
        if (work && rows.background) /* of zeros, which it is yet */
            im_preprocess_row(rows.background, rows.background, pre, work);
        im_free(work);
        if (!work || !rows.background) {
            im_sparse_rows_clear(&rows);
            return im_fail_memory(err, "the row that zeros become");
        }
    }
    *out = rows;
    return IMSAT_OK;
}

void im_sparse_rows_clear(im_sparse_rows *rows)
{
    im_free(rows->background);
    *rows = (im_sparse_rows){0};
}

/* |x scale|^2, as im_lanes_sq_norm() has it with the zeros, which add nothing. */
static double sq_norm(const im_csr_row *row, double scale)
{
    double lane[IM_LANES] = {0};
    for (size_t e = 0; e < row->count; e++) {
        const double x = row->value[e] * scale;
        lane[(size_t)row->column[e] % IM_LANES] += x * x;
    }
    return im_lanes_sq_norm_join(lane);
}

/* 1 / |x scale|, or 1. */
static double norm_factor(const im_csr_row *row, const im_preprocess *pre)
{
    const double length = pre->unit_norm ? sqrt(sq_norm(row, pre->scale)) : 0;
    return length > 0 ? 1 / length : 1;
}

/* A value of column j, prepared: the steps of data/preprocess.c, one by one. */
static double prepare(double value, int32_t j, const im_preprocess *pre, double by_norm)
{
    double x = value * pre->scale + pre->shift;
    if (pre->standardize)
        x = (x - pre->mean[j]) * pre->inv_deviation[j];
    x *= by_norm;
    if (pre->center)
        x = (x - pre->center_mean[j]) * pre->factor;
    return x;
}

double im_sparse_rows_zero(const im_sparse_rows *rows, int32_t column)
{
    return prepare(0, column, rows->pre, 1);
}

void im_sparse_rows_exact(double *value, const im_sparse_rows *rows, size_t row)
{
    const im_csr_row raw = im_sparse_rows_raw(rows, row);
    const double by_norm = norm_factor(&raw, rows->pre);
    for (size_t e = 0; e < raw.count; e++)
        value[e] = prepare(raw.value[e], raw.column[e], rows->pre, by_norm);
}

void im_sparse_rows_prepared(float *value, const im_sparse_rows *rows, size_t row)
{
    const im_csr_row raw = im_sparse_rows_raw(rows, row);
    const double by_norm = norm_factor(&raw, rows->pre);
    for (size_t e = 0; e < raw.count; e++)
        value[e] = (float)prepare(raw.value[e], raw.column[e], rows->pre, by_norm);
}

void im_sparse_rows_fill(float *out, const im_sparse_rows *rows, size_t row)
{
    const im_csr_row raw = im_sparse_rows_raw(rows, row);
    const double by_norm = norm_factor(&raw, rows->pre);
    if (rows->background)
        memcpy(out, rows->background, rows->pre->dim * sizeof *out);
    else
        memset(out, 0, rows->pre->dim * sizeof *out);
    for (size_t e = 0; e < raw.count; e++)
        out[raw.column[e]] = (float)prepare(raw.value[e], raw.column[e], rows->pre, by_norm);
}
