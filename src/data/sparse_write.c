/* SPDX-License-Identifier: MIT
 *
 * Sparse rows as text: of each row what is not zero.
 *
 *     svmlight        LABEL COLUMN:VALUE COLUMN:VALUE ...      a line a row, columns from 1
 *     Matrix Market   ROW COLUMN VALUE                         a line an element, both from 1
 *
 * Values are read back to the same floats or doubles (number.h). The label of a row without
 * one is 0. The second line of Matrix Market has its numbers in places of fixed width: how
 * many elements there are is known at the end.
 */
#include "data/output.h"

#include <stdio.h>

enum { LINE_ROOM = 128, SIZES_ROOM = 256 };

/* Write one element of a row. */
typedef imsat_status element_fn(imsat_output *out, size_t row, size_t column,
                                const char *value, imsat_error *err);

/* All elements of row i of a piece that are not zero; *count grows by how many there are. */
static imsat_status put_elements(imsat_output *out, const im_output_piece *piece, size_t i,
                                 element_fn *put, size_t *count, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_output_column *column = &out->columns[0];
    const im_csr_row *sparse = piece->sparse ? &piece->sparse[i] : NULL;
    const size_t elements = sparse ? sparse->count : column->width;
    char text[IM_NUMBER_ROOM];
    for (size_t e = 0; e < elements; e++) {
        const void *values = sparse ? (const void *)sparse->value : piece->values[0];
        const size_t at = sparse ? e : i * column->width + e;
        if (im_output_number(column, values, at) == 0)
            continue;
        text[im_output_value(text, column, values, at)] = '\0';
        IM_TRY(put(out, out->rows + i, sparse ? (size_t)sparse->column[e] : e, text, err));
        (*count)++;
    }

cleanup:
    return st;
}

/* ---- svmlight --------------------------------------------------------------------- */

static imsat_status begin_svmlight(imsat_output *out, imsat_error *err)
{
    (void)out;
    (void)err;
    return IMSAT_OK;
}

static imsat_status put_pair(imsat_output *out, size_t row, size_t column, const char *value,
                             imsat_error *err)
{
    char text[LINE_ROOM];
    (void)row;
    const int size = snprintf(text, sizeof text, " %zu:%s", column + 1, value);
    return im_writer_put(&out->writer, text, (size_t)size, err);
}

static imsat_status put_svmlight(imsat_output *out, const im_output_piece *piece,
                                 imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    char label[IM_NUMBER_ROOM] = "0";
    size_t size = 1, count = 0;
    for (size_t i = 0; i < piece->count; i++) {
        if (out->ncolumns > 1)
            size = im_output_value(label, &out->columns[1], piece->values[1], i);
        IM_TRY(im_writer_put(&out->writer, label, size, err));
        IM_TRY(put_elements(out, piece, i, put_pair, &count, err));
        IM_TRY(im_writer_put(&out->writer, "\n", 1, err));
    }

cleanup:
    return st;
}

/* ---- Matrix Market ------------------------------------------------------------------- */

static size_t build_head(char head[SIZES_ROOM], const imsat_output *out, size_t rows,
                         size_t elements)
{
    return (size_t)snprintf(head, SIZES_ROOM,
                            "%%%%MatrixMarket matrix coordinate real general\n"
                            "%20zu %20zu %20zu\n",
                            rows, out->columns[0].width, elements);
}

static imsat_status begin_mtx(imsat_output *out, imsat_error *err)
{
    char head[SIZES_ROOM];
    return im_writer_put(&out->writer, head, build_head(head, out, 0, 0), err);
}

static imsat_status put_line(imsat_output *out, size_t row, size_t column, const char *value,
                             imsat_error *err)
{
    char text[LINE_ROOM];
    const int size = snprintf(text, sizeof text, "%zu %zu %s\n", row + 1, column + 1, value);
    return im_writer_put(&out->writer, text, (size_t)size, err);
}

static imsat_status put_mtx(imsat_output *out, const im_output_piece *piece, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t i = 0; i < piece->count; i++)
        IM_TRY(put_elements(out, piece, i, put_line, &out->elements, err));

cleanup:
    return st;
}

static imsat_status end_mtx(imsat_output *out, imsat_error *err)
{
    char head[SIZES_ROOM];
    return im_writer_over(&out->writer, head, build_head(head, out, out->rows, out->elements),
                          err);
}

const im_output_format im_svmlight_output = {.shown = {.name = "svmlight",
                                                       .summary = "sparse rows with labels",
                                                       .endings = ".svmlight .svm .libsvm"},
                                             .most_columns = 2,
                                             .lists = true,
                                             .sparse = true,
                                             .begin = begin_svmlight,
                                             .put = put_svmlight};

const im_output_format im_mtx_output = {
    .shown = {.name = "mtx", .summary = "Matrix Market, of coordinates", .endings = ".mtx"},
    .most_columns = 1,
    .lists = true,
    .sparse = true,
    .head = IM_HEAD_LATE,
    .begin = begin_mtx,
    .put = put_mtx,
    .end = end_mtx};
