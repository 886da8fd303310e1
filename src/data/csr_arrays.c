/* SPDX-License-Identifier: MIT
 * See csr_arrays.h. The elements go one by one to a builder of sparse rows, which sorts what
 * is not sorted and refuses what comes twice. */
#include "data/csr_arrays.h"

#include <math.h>
#include <stdio.h>

enum { WHERE_ROOM = 400 };

/* The matrix being read. */
typedef struct matrix {
    const im_csr_arrays *arrays;
    const char *path;
    imsat_error *err;
} matrix;

/* ---- elements of the arrays ----------------------------------------------------- */

imsat_status im_csr_arrays_count(size_t *out, const im_block *array, const char *name,
                                 size_t i, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    double value;
    IM_TRY(im_block_read_wide(&value, array, i, 0, 1, err));
    if (!(value >= 0 && value <= 0x1p53 && value == floor(value)))
        return im_fail(err, IMSAT_EFORMAT, "%s: element %zu of '%s' is %g, not a count", path,
                       i, name, value);
    *out = (size_t)value;

cleanup:
    return st;
}

static imsat_status count_at(const matrix *m, size_t *out, im_csr_array which, size_t i)
{
    return im_csr_arrays_count(out, &m->arrays->array[which], m->arrays->names[which], i,
                               m->path, m->err);
}

static imsat_status value_at(const matrix *m, float *out, size_t i)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(im_block_read(out, &m->arrays->array[IM_CSR_VALUES], i, 0, 1, m->err));
    if (!isfinite(*out))
        st = im_fail(m->err, IMSAT_EFORMAT,
                     "%s: element %zu of '%s' is %g; values must be finite and in the range "
                     "of float",
                     m->path, i, m->arrays->names[IM_CSR_VALUES], (double)*out);

cleanup:
    return st;
}

/* ---- what must fit together --------------------------------------------------------- */

static imsat_status check_sizes(const matrix *m)
{
    const im_csr_arrays *a = m->arrays;
    const im_block *starts = &a->array[IM_CSR_STARTS], *indices = &a->array[IM_CSR_INDICES],
                   *values = &a->array[IM_CSR_VALUES];
    for (int i = 0; i < IM_CSR_ARRAYS; i++)
        if (a->array[i].dim != 1)
            return im_fail(m->err, IMSAT_EFORMAT,
                           "%s: '%s' has rows of %zu values, not of one", m->path, a->names[i],
                           a->array[i].dim);
    const size_t lines = a->by_columns ? a->columns : a->rows;
    if (a->rows == 0 || a->columns == 0 || a->columns >= INT32_MAX ||
        starts->rows != lines + 1 || values->rows != indices->rows)
        return im_fail(m->err, IMSAT_EFORMAT,
                       "%s: its shape (%zu, %zu) does not fit %zu '%s', %zu '%s' and %zu '%s'",
                       m->path, a->rows, a->columns, starts->rows, a->names[IM_CSR_STARTS],
                       indices->rows, a->names[IM_CSR_INDICES], values->rows,
                       a->names[IM_CSR_VALUES]);
    if (a->by_columns && (a->rows > a->most_rows || a->rows > UINT32_MAX))
        return im_fail(m->err, IMSAT_EFORMAT, "%s: %zu rows are more than the file can hold",
                       m->path, a->rows);
    return IMSAT_OK;
}

/* Elements *from .. *to - 1 are those of a line, a row or a column. */
static imsat_status line_at(const matrix *m, size_t line, size_t *from, size_t *to)
{
    imsat_status st = IMSAT_OK;
    const size_t elements = m->arrays->array[IM_CSR_VALUES].rows;
    IM_TRY(count_at(m, from, IM_CSR_STARTS, line));
    IM_TRY(count_at(m, to, IM_CSR_STARTS, line + 1));
    const bool last = line + 2 == m->arrays->array[IM_CSR_STARTS].rows;
    if (*from > *to || *to > elements || (line == 0 && *from != 0) ||
        (last && *to != elements))
        st = im_fail(m->err, IMSAT_EFORMAT,
                     "%s: '%s' has %zu and %zu at %zu, which do not part %zu elements",
                     m->path, m->arrays->names[IM_CSR_STARTS], *from, *to, line, elements);

cleanup:
    return st;
}

static imsat_status index_at(const matrix *m, size_t *index, size_t i)
{
    imsat_status st = IMSAT_OK;
    const im_csr_arrays *a = m->arrays;
    const size_t below = a->by_columns ? a->rows : a->columns;
    IM_TRY(count_at(m, index, IM_CSR_INDICES, i));
    if (*index >= below)
        st = im_fail(m->err, IMSAT_EFORMAT,
                     "%s: element %zu of '%s' is %zu; it must be below %zu", m->path, i,
                     a->names[IM_CSR_INDICES], *index, below);

cleanup:
    return st;
}

/* ---- both ways --------------------------------------------------------------------- */

static imsat_status read_rows(im_csr *out, const matrix *m)
{
    imsat_status st = IMSAT_OK;
    im_csr_builder builder;
    im_csr_begin(&builder);
    for (size_t r = 0; r < m->arrays->rows; r++) {
        size_t from, to, column = 0;
        char where[WHERE_ROOM];
        float value = 0;
        IM_TRY(line_at(m, r, &from, &to));
        for (size_t e = from; e < to; e++) {
            IM_TRY(index_at(m, &column, e));
            IM_TRY(value_at(m, &value, e));
            IM_TRY(im_csr_add(&builder, (int32_t)column, value, m->err));
        }
        snprintf(where, sizeof where, "%s: row %zu (from 0)", m->path, r);
        IM_TRY(im_csr_end_row(&builder, where, 0, m->err));
    }
    IM_TRY(im_csr_finish(out, &builder, m->arrays->columns, m->err));

cleanup:
    im_csr_builder_clear(&builder);
    return st;
}

static imsat_status read_columns(im_csr *out, const matrix *m)
{
    imsat_status st = IMSAT_OK;
    im_csr_sorter sorter = {0};
    IM_TRY(im_csr_sort_begin(&sorter, m->arrays->rows, m->err));
    for (size_t c = 0; c < m->arrays->columns; c++) {
        size_t from, to, row = 0;
        float value = 0;
        IM_TRY(line_at(m, c, &from, &to));
        for (size_t e = from; e < to; e++) {
            IM_TRY(index_at(m, &row, e));
            IM_TRY(value_at(m, &value, e));
            IM_TRY(im_csr_sort_add(&sorter, row, (int32_t)c, value, m->err));
        }
    }
    IM_TRY(im_csr_sort_finish(out, &sorter, m->arrays->columns, m->path, 0, m->err));

cleanup:
    im_csr_sort_clear(&sorter);
    return st;
}

imsat_status im_csr_arrays_read(im_csr *out, const im_csr_arrays *arrays, const char *path,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const matrix m = {arrays, path, err};
    IM_TRY(check_sizes(&m));
    IM_TRY(arrays->by_columns ? read_columns(out, &m) : read_rows(out, &m));

cleanup:
    return st;
}

void im_csr_arrays_clear(im_csr_arrays *arrays)
{
    for (int i = 0; i < IM_CSR_ARRAYS; i++)
        im_block_clear(&arrays->array[i]);
}
