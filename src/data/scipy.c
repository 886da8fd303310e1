/* SPDX-License-Identifier: MIT
 * See scipy.h. The arrays are read as any others, and go element by element to a builder of
 * sparse rows, which sorts what is not sorted and refuses what comes twice. */
#include "data/scipy.h"

#include "core/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DATA, INDICES, INDPTR, SHAPE, FORMAT, ARRAYS, WHERE_ROOM = 400 };

static const char *const names[ARRAYS] = {"data", "indices", "indptr", "shape", "format"};

/* The matrix being read. */
typedef struct matrix {
    const char *path;
    imsat_error *err;
    im_block array[FORMAT]; /* those that are read as arrays */
    size_t rows, columns;
    bool by_columns; /* csc */
} matrix;

static size_t find(const im_inside *inside, const char *name)
{
    size_t i = 0;
    while (i < inside->count && strcmp(inside->names[i], name) != 0)
        i++;
    return i;
}

bool im_scipy_fits(const im_inside *inside)
{
    for (size_t a = 0; a < ARRAYS; a++)
        if (find(inside, names[a]) == inside->count)
            return false;
    return true;
}

/* ---- elements of the arrays ----------------------------------------------------- */

/* Element i of an array of whole numbers that are not negative. */
static imsat_status whole(const matrix *m, size_t *out, int array, size_t i)
{
    imsat_status st = IMSAT_OK;
    double value;
    IM_TRY(im_block_read_wide(&value, &m->array[array], i, 0, 1, m->err));
    if (!(value >= 0 && value <= 0x1p53 && value == floor(value)))
        return im_fail(m->err, IMSAT_EFORMAT, "%s: element %zu of '%s' is %g, not a count",
                       m->path, i, names[array], value);
    *out = (size_t)value;

cleanup:
    return st;
}

static imsat_status value_at(const matrix *m, float *out, size_t i)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(im_block_read(out, &m->array[DATA], i, 0, 1, m->err));
    if (!isfinite(*out))
        st = im_fail(m->err, IMSAT_EFORMAT,
                     "%s: element %zu of 'data' is %g; values must be finite and in the range "
                     "of float",
                     m->path, i, (double)*out);

cleanup:
    return st;
}

/* ---- what must fit together --------------------------------------------------------- */

static imsat_status read_shape(matrix *m, size_t bytes)
{
    imsat_status st = IMSAT_OK;
    for (int a = 0; a < FORMAT; a++)
        if (m->array[a].dim != 1)
            return im_fail(m->err, IMSAT_EFORMAT,
                           "%s: '%s' has rows of %zu values, not of one", m->path, names[a],
                           m->array[a].dim);
    if (m->array[SHAPE].rows != 2)
        return im_fail(m->err, IMSAT_EFORMAT, "%s: 'shape' has %zu values, not 2", m->path,
                       m->array[SHAPE].rows);
    IM_TRY(whole(m, &m->rows, SHAPE, 0));
    IM_TRY(whole(m, &m->columns, SHAPE, 1));
    const size_t lines = m->by_columns ? m->columns : m->rows;
    if (m->rows == 0 || m->columns == 0 || m->columns >= INT32_MAX ||
        m->array[INDPTR].rows != lines + 1 || m->array[DATA].rows != m->array[INDICES].rows)
        return im_fail(m->err, IMSAT_EFORMAT,
                       "%s: its shape (%zu, %zu) does not fit %zu 'indptr', %zu 'indices' and "
                       "%zu 'data'",
                       m->path, m->rows, m->columns, m->array[INDPTR].rows,
                       m->array[INDICES].rows, m->array[DATA].rows);
    if (m->by_columns && (m->rows > bytes || m->rows > UINT32_MAX))
        return im_fail(m->err, IMSAT_EFORMAT, "%s: %zu rows are more than the file can hold",
                       m->path, m->rows);

cleanup:
    return st;
}

/* Elements *from .. *to - 1 are those of a line, a row or a column. */
static imsat_status line_at(const matrix *m, size_t line, size_t *from, size_t *to)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(whole(m, from, INDPTR, line));
    IM_TRY(whole(m, to, INDPTR, line + 1));
    const bool last = line + 2 == m->array[INDPTR].rows;
    if (*from > *to || *to > m->array[DATA].rows || (line == 0 && *from != 0) ||
        (last && *to != m->array[DATA].rows))
        st = im_fail(m->err, IMSAT_EFORMAT,
                     "%s: 'indptr' has %zu and %zu at %zu, which do not part %zu elements",
                     m->path, *from, *to, line, m->array[DATA].rows);

cleanup:
    return st;
}

static imsat_status index_at(const matrix *m, size_t *index, size_t i)
{
    imsat_status st = IMSAT_OK;
    const size_t below = m->by_columns ? m->rows : m->columns;
    IM_TRY(whole(m, index, INDICES, i));
    if (*index >= below)
        st = im_fail(m->err, IMSAT_EFORMAT,
                     "%s: element %zu of 'indices' is %zu; it must be below %zu", m->path, i,
                     *index, below);

cleanup:
    return st;
}

/* ---- both ways --------------------------------------------------------------------- */

static imsat_status read_rows(im_csr *out, const matrix *m)
{
    imsat_status st = IMSAT_OK;
    im_csr_builder builder;
    im_csr_begin(&builder);
    for (size_t r = 0; r < m->rows; r++) {
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
    IM_TRY(im_csr_finish(out, &builder, m->columns, m->err));

cleanup:
    im_csr_builder_clear(&builder);
    return st;
}

static imsat_status read_columns(im_csr *out, const matrix *m)
{
    imsat_status st = IMSAT_OK;
    im_csr_sorter sorter = {0};
    IM_TRY(im_csr_sort_begin(&sorter, m->rows, m->err));
    for (size_t c = 0; c < m->columns; c++) {
        size_t from, to, row = 0;
        float value = 0;
        IM_TRY(line_at(m, c, &from, &to));
        for (size_t e = from; e < to; e++) {
            IM_TRY(index_at(m, &row, e));
            IM_TRY(value_at(m, &value, e));
            IM_TRY(im_csr_sort_add(&sorter, row, (int32_t)c, value, m->err));
        }
    }
    IM_TRY(im_csr_sort_finish(out, &sorter, m->columns, m->path, 0, m->err));

cleanup:
    im_csr_sort_clear(&sorter);
    return st;
}

static imsat_status read_arrays(matrix *m, const im_inside *inside,
                                const im_read_request *request)
{
    imsat_status st = IMSAT_OK;
    im_read_request plain = *request;
    plain.labels = NULL;
    plain.label_column = NULL;
    plain.suits = NULL;
    for (size_t a = 0; a < FORMAT; a++)
        IM_TRY(inside->read(&m->array[a], inside->context, find(inside, names[a]), &plain,
                            m->err));

cleanup:
    return st;
}

imsat_status im_scipy_read(im_block *out, const im_inside *inside, const char *format,
                           size_t bytes, const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    matrix m = {.path = request->path, .err = err, .by_columns = strcmp(format, "csc") == 0};
    im_csr csr = {0};
    im_block block = {0};
    if (!m.by_columns && strcmp(format, "csr") != 0)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: a sparse matrix of scipy in the format '%s'; write it as csr "
                       "(tocsr())",
                       request->path, format);
    IM_TRY(read_arrays(&m, inside, request));
    IM_TRY(read_shape(&m, bytes));
    IM_TRY(m.by_columns ? read_columns(&csr, &m) : read_rows(&csr, &m));
    im_block_set_csr(&block, &csr);
    IM_TRY(im_inside_labels(inside, find(inside, names[DATA]), m.rows, request, err));
    IM_TRY(im_block_describe(&block, err, "npz, %s of scipy (%zu, %zu), sparse, %zu elements",
                             format, m.rows, m.columns, m.array[DATA].rows));
    *out = block;
    block = (im_block){0};

cleanup:
    for (int a = 0; a < FORMAT; a++)
        im_block_clear(&m.array[a]);
    im_csr_clear(&csr);
    im_block_clear(&block);
    return st;
}
