/* SPDX-License-Identifier: MIT
 *
 * A data set as a file, in any format of output.h, some rows at a time.
 *
 * Elements keep their type where the format has it. Where it does not, they take one that
 * holds all values of theirs; if there is none, values become float, or must be whole numbers
 * that the format's type holds. Sparse rows stay sparse in formats that have such; the others
 * get their zeros.
 */
#include "core/alloc.h"
#include "data/dataset.h"
#include "data/output.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { PIECE_VALUES = 1 << 16 };

/* ---- types ---------------------------------------------------------------------- */

/* The range of whole numbers of a type that is none of the floats. */
static double least_of(im_dtype type)
{
    switch (type) {
    case IM_I8: return INT8_MIN;
    case IM_I16: return INT16_MIN;
    case IM_I32: return INT32_MIN;
    case IM_I64: return -0x1p63;
    default: return 0;
    }
}

static double most_of(im_dtype type)
{
    switch (type) {
    case IM_BOOL: return 1;
    case IM_I8: return INT8_MAX;
    case IM_U8: return UINT8_MAX;
    case IM_I16: return INT16_MAX;
    case IM_U16: return UINT16_MAX;
    case IM_I32: return INT32_MAX;
    case IM_U32: return UINT32_MAX;
    case IM_I64: return 0x1p63;
    default: return 0x1p64;
    }
}

/* The largest number up to which a type has all whole ones. */
static double whole_up_to(im_dtype type)
{
    return type == IM_F64 ? 0x1p53 : type == IM_F32 ? 0x1p24 : most_of(type);
}

/* Whether a type of the list below holds every value of another. */
static bool covers(im_dtype type, im_dtype other)
{
    if (im_dtype_is_float(other))
        return type == IM_F64 || (type == IM_F32 && other != IM_F64);
    return most_of(other) <= whole_up_to(type) &&
           (im_dtype_is_float(type) || least_of(other) >= least_of(type));
}

/* The type of all elements, or one that float or double hold. */
static im_dtype common_type(const imsat_data *data)
{
    const im_dtype first = data->blocks[0].dtype;
    bool same = true, wide = false;
    for (size_t b = 0; b < data->nblocks; b++) {
        same = same && data->blocks[b].dtype == first;
        wide = wide || im_dtype_is_wide(data->blocks[b].dtype);
    }
    return same ? first : wide ? IM_F64 : IM_F32;
}

static im_dtype choose_type(const im_output_format *format, im_dtype own)
{
    static const im_dtype order[] = {IM_U8, IM_I8, IM_I16, IM_I32, IM_F32, IM_F64};
    enum { TYPES = sizeof order / sizeof *order };
    const unsigned types = format->types ? format->types : ~(1U << IM_BF16);
    im_dtype found = own;
    if (types & 1U << own)
        return own;
    for (size_t i = 0; i < TYPES; i++)
        if (types & 1U << order[i]) {
            found = order[i];
            if (covers(found, own))
                return found;
        }
    return types & 1U << IM_F32 ? IM_F32 : found;
}

static void store(void *out, size_t i, im_dtype type, double value)
{
    switch (type) {
    case IM_U8: ((uint8_t *)out)[i] = (uint8_t)value; break;
    case IM_I8: ((int8_t *)out)[i] = (int8_t)value; break;
    case IM_I16: ((int16_t *)out)[i] = (int16_t)value; break;
    case IM_I32: ((int32_t *)out)[i] = (int32_t)value; break;
    case IM_F32: ((float *)out)[i] = (float)value; break;
    case IM_F64: ((double *)out)[i] = value; break;
    default: assert(false); /* choose_type() gives no other */
    }
}

/* ---- rows ------------------------------------------------------------------------ */

/* A data set on its way to a file. */
typedef struct work {
    const imsat_data *data;
    imsat_output *out;
    im_dtype type;
    bool sparse;
    size_t piece;       /* rows at a time */
    void *values;       /* (piece, dim) of `type`; NULL if sparse */
    double *wide;       /* (dim) a row of another type */
    im_csr_row *rows;   /* (piece) if sparse */
    const char **names; /* (dim) of the columns; NULL: they have none */
} work;

/* Where a row is. */
static const im_block *block_of(const imsat_data *data, size_t row)
{
    size_t b = 0;
    while (row >= data->blocks[b].first + data->blocks[b].rows)
        b++;
    return &data->blocks[b];
}

static imsat_status refuse_value(const work *w, size_t row, size_t column, imsat_error *err)
{
    return im_fail(err, IMSAT_EINVAL,
                   "%s: row %zu, column %zu (both from 0) is %.9g, which the numbers of the "
                   "format %s do not hold; those of npy, csv and fvecs do",
                   w->out->writer.path, row, column, w->wide[column],
                   w->out->format->shown.name);
}

/* Row `row` of the data as row i of the piece. */
static imsat_status read_row(work *w, size_t row, size_t i, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_block *block = block_of(w->data, row);
    const size_t dim = w->data->dim, at = row - block->first;
    const bool whole = !im_dtype_is_float(w->type);
    if (block->dtype == w->type)
        return im_block_read_raw((unsigned char *)w->values + i * dim * im_dtype_size(w->type),
                                 block, at, 0, dim, err);
    IM_TRY(im_block_read_wide(w->wide, block, at, 0, dim, err));
    for (size_t j = 0; j < dim; j++) {
        const double value = w->wide[j];
        if (whole && !(value == floor(value) && value >= least_of(w->type) &&
                       value <= most_of(w->type)))
            return refuse_value(w, row, j, err);
        store(w->values, i * dim + j, w->type, value);
    }

cleanup:
    return st;
}

static imsat_status put_piece(work *w, size_t first, size_t count, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_data *data = w->data;
    const void *values[] = {w->values, data->labels ? data->labels + first : NULL};
    for (size_t i = 0; i < count; i++)
        if (w->sparse)
            w->rows[i] = im_data_sparse_row(data, first + i);
        else
            IM_TRY(read_row(w, first + i, i, err));
    IM_TRY(im_data_check(data, first, count, IMSAT_OK, err));
    IM_TRY(im_output_put(
        w->out, &(im_output_piece){.count = count, .values = values, .sparse = w->rows}, err));
    im_data_release(data, first, count);

cleanup:
    return im_data_check(data, first, count, st, err);
}

static imsat_status put_all(work *w, imsat_progress_fn progress, void *user, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t rows = w->data->rows;
    for (size_t first = 0; first < rows; first += w->piece) {
        const imsat_progress now = {.stage = "write",
                                    .fraction = (double)first / (double)rows};
        if (progress && progress(user, &now))
            return im_fail(err, IMSAT_ESTOPPED, "%s: stopped", w->out->writer.path);
        IM_TRY(put_piece(w, first, im_size_min(w->piece, rows - first), err));
    }

cleanup:
    return st;
}

static imsat_status make_room(work *w, const char *path, imsat_error *err)
{
    const imsat_data *data = w->data;
    const size_t dim = data->dim;
    if (w->sparse) {
        w->rows = im_alloc(w->piece, sizeof *w->rows);
    } else {
        w->values = im_alloc(w->piece * dim, im_dtype_size(w->type));
        w->wide = im_alloc(dim, sizeof *w->wide);
    }
    if (data->schema.names)
        w->names = im_alloc(dim, sizeof *w->names);
    for (size_t j = 0; w->names && j < dim; j++)
        w->names[j] = imsat_data_column_name(data, j);
    return (w->rows || (w->values && w->wide)) && (w->names || !data->schema.names)
               ? IMSAT_OK
               : im_fail_memory(err, path);
}

/* ---- the public part -------------------------------------------------------------- */

imsat_status imsat_data_write(const char *path, const char *format, const imsat_data *data,
                              imsat_progress_fn progress, void *user, imsat_error *err)
{
    IM_REQUIRE_PATH(path);
    IM_REQUIRE(data);
    imsat_status st = IMSAT_OK;
    const im_output_format *found;
    work w = {.data = data};
    IM_TRY(im_output_find(&found, path, format, err));
    w.sparse = found->sparse && im_data_is_sparse(data);
    w.type = w.sparse ? IM_F32 : choose_type(found, common_type(data));
    w.piece = PIECE_VALUES / data->dim + 1;
    IM_TRY(make_room(&w, path, err));
    const im_output_column columns[] = {{.name = "x",
                                         .names = w.names,
                                         .type = w.type,
                                         .width = data->dim,
                                         .image = data->image,
                                         .sparse = w.sparse},
                                        {.name = "label", .type = IM_I32}};
    IM_TRY(im_output_open(&w.out, path, found, columns,
                          data->labels && found->most_columns > 1 ? 2 : 1, data->rows, err));
    IM_TRY(put_all(&w, progress, user, err));
    IM_TRY(imsat_output_commit(w.out, err));

cleanup:
    imsat_output_free(w.out);
    im_free(w.values);
    im_free(w.wide);
    im_free(w.rows);
    im_free(w.names);
    return st;
}

imsat_status imsat_svmlight_write(const char *path, const imsat_data *data, imsat_error *err)
{
    IM_REQUIRE_PATH(path);
    IM_REQUIRE(data);
    return imsat_data_write(path, im_svmlight_output.shown.name, data, NULL, NULL, err);
}
