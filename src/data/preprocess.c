/* SPDX-License-Identifier: MIT
 *
 * Preprocessing of rows; see preprocess.h for the steps, and preprocess_fit.c for how they are
 * learned. */
#include "data/preprocess.h"

#include "core/alloc.h"
#include "core/lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- loops over one row, (dim) ------------------------------------------------- */

IM_CLONES static void affine(double *restrict out, const float *restrict in, double scale,
                             double shift, size_t dim)
{
    for (size_t j = 0; j < dim; j++)
        out[j] = in[j] * scale + shift;
}

IM_CLONES static void affine_in_place(double *x, double scale, double shift, size_t dim)
{
    for (size_t j = 0; j < dim; j++)
        x[j] = x[j] * scale + shift;
}

IM_CLONES static void subtract_multiply(double *restrict x, const double *restrict minus,
                                        const double *restrict times, size_t dim)
{
    for (size_t j = 0; j < dim; j++)
        x[j] = (x[j] - minus[j]) * times[j];
}

IM_CLONES static void multiply(double *x, double by, size_t dim)
{
    for (size_t j = 0; j < dim; j++)
        x[j] *= by;
}

IM_CLONES static void center_to_float(float *restrict out, const double *restrict x,
                                      const double *restrict center, double factor, size_t dim)
{
    for (size_t j = 0; j < dim; j++)
        out[j] = (float)((x[j] - center[j]) * factor);
}

IM_CLONES static void to_float(float *restrict out, const double *restrict x, size_t dim)
{
    for (size_t j = 0; j < dim; j++)
        out[j] = (float)x[j];
}

/* ---- one row -------------------------------------------------------------------- */

static bool is_identity(const im_preprocess *pre)
{
    return pre->scale == 1 && pre->shift == 0 && !pre->standardize && !pre->unit_norm &&
           !pre->center;
}

/* The steps between affine and center. */
static void prepare(double *x, const im_preprocess *pre)
{
    if (pre->standardize)
        subtract_multiply(x, pre->mean, pre->inv_deviation, pre->dim);
    if (pre->unit_norm) {
        const double length = sqrt(im_lanes_sq_norm(x, pre->dim));
        if (length > 0)
            multiply(x, 1 / length, pre->dim);
    }
}

static void finish(float *out, const double *x, const im_preprocess *pre)
{
    if (pre->center)
        center_to_float(out, x, pre->center_mean, pre->factor, pre->dim);
    else
        to_float(out, x, pre->dim);
}

/* x (dim) = a row of the data by every step before center. row: (dim) floats. */
static void load_row(double *x, float *row, const imsat_data *data, size_t i,
                     const im_preprocess *pre)
{
    if (im_data_row_wide(x, data, i)) {
        affine_in_place(x, pre->scale, pre->shift, pre->dim);
    } else {
        im_data_row(row, data, i);
        affine(x, row, pre->scale, pre->shift, pre->dim);
    }
    prepare(x, pre);
}

void im_preprocess_exact(double *out, const imsat_data *data, size_t i,
                         const im_preprocess *pre, float *row)
{
    load_row(out, row, data, i, pre);
    for (size_t j = 0; pre->center && j < pre->dim; j++)
        out[j] = (out[j] - pre->center_mean[j]) * pre->factor;
}

/* One without steps is rounded from its elements as they are: by way of double, integers of 64
 * bits would be rounded twice. */
void im_preprocess_read(float *out, const imsat_data *data, size_t row,
                        const im_preprocess *pre, double *scratch)
{
    assert(pre->dim == data->dim);
    if (is_identity(pre)) {
        im_data_row(out, data, row);
        return;
    }
    load_row(scratch, out, data, row, pre);
    finish(out, scratch, pre);
}

void im_preprocess_row(float *out, const float *in, const im_preprocess *pre, double *scratch)
{
    assert(pre->dim > 0 && (!pre->standardize || (pre->mean && pre->inv_deviation)));
    assert(!pre->center || pre->center_mean);
    if (is_identity(pre)) {
        if (out != in)
            memmove(out, in, pre->dim * sizeof *out);
        return;
    }
    affine(scratch, in, pre->scale, pre->shift, pre->dim);
    prepare(scratch, pre);
    finish(out, scratch, pre);
}

/* ---- passes over all rows -------------------------------------------------------- */

/* Buffers (dim) of a pass. */
typedef struct pass {
    float *row;
    double *x;
    size_t piece; /* rows that are read before they are released */
} pass;

static imsat_status pass_new(pass *out, const imsat_data *data, imsat_error *err)
{
    *out = (pass){.row = im_alloc(data->dim, sizeof *out->row),
                  .x = im_alloc(data->dim, sizeof *out->x),
                  .piece = im_data_piece(data)};
    return out->row && out->x ? IMSAT_OK : im_fail_memory(err, "preprocessing");
}

static void pass_clear(pass *p)
{
    im_free(p->row);
    im_free(p->x);
}

/* Behind row `row`, so that the pass leaves no pages of a mapped file in memory. */
static void pass_release(const pass *p, const imsat_data *data, size_t row)
{
    if ((row + 1) % p->piece == 0)
        im_data_release(data, row + 1 - p->piece, p->piece);
}

/* ---- the largest value ------------------------------------------------------------- */

imsat_status im_preprocess_peak(im_peak *out, const imsat_data *data, const im_preprocess *pre,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_peak peak = {0};
    pass p = {0};
    IM_TRY(pass_new(&p, data, err));
    for (size_t i = 0; i < data->rows; i++) {
        im_preprocess_exact(p.x, data, i, pre, p.row);
        pass_release(&p, data, i);
        for (size_t j = 0; j < pre->dim; j++)
            if (fabs(p.x[j]) > fabs(peak.prepared))
                peak = (im_peak){.row = i, .column = j, .prepared = p.x[j]};
    }
    peak.value = im_data_value(data, peak.row, peak.column);
    *out = peak;

cleanup:
    pass_clear(&p);
    return st;
}

/* Whatever overflows where inputs are of the order of 1, it is not because of the inputs. */
static const double LARGE_INPUT = 1e3;

imsat_status im_preprocess_refuse(const char *what, const imsat_data *data,
                                  const im_preprocess *pre, const char *or_else,
                                  imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_peak peak = {0};
    IM_TRY(im_preprocess_peak(&peak, data, pre, err));
    const bool large = !or_else || fabs(peak.prepared) > LARGE_INPUT;
    if (large && !pre->center && !pre->standardize)
        or_else = "bring the data into range by --center or --standardize";
    st =
        im_fail(err, IMSAT_EINVAL,
                "%s; the largest value of the prepared data is %g, from %g in row %zu, column "
                "%zu (both from 0); %s%s%s",
                what, peak.prepared, peak.value, peak.row, peak.column,
                large ? "mend or leave out that row" : "", large && or_else ? ", or " : "",
                or_else ? or_else : "");

cleanup:
    return st;
}

void im_preprocess_clear(im_preprocess *pre)
{
    im_free(pre->mean);
    im_free(pre->inv_deviation);
    im_free(pre->center_mean);
    *pre = (im_preprocess){0};
}
