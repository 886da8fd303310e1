/* SPDX-License-Identifier: MIT
 *
 * Preprocessing; see preprocess.h for the steps. Fitting goes over the rows in order, twice
 * for each step that learns something:
 *
 *     mean_j     = a_j + 1/n sum_i (x_ij - a_j)      a: the first row
 *     square_j   = 1/n sum_i (x_ij - mean_j)^2
 *     deviation_j = sqrt(square_j)       factor = 1 / sqrt(mean of square_j over the columns)
 *
 * of the data as the steps before leave it. Sums are double and run over rows inside loops
 * over columns, so they are the same bits on every machine. Starting at a row of the data
 * makes columns that are constant exactly so: their deviation is 0 and not a rounding error.
 */
#include "data/preprocess.h"

#include "core/alloc.h"
#include "core/lanes.h"

#include <assert.h>
#include <float.h>
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

IM_CLONES static void add_difference(double *restrict sum, const double *restrict x,
                                     const double *restrict from, size_t dim)
{
    for (size_t j = 0; j < dim; j++)
        sum[j] += x[j] - from[j];
}

IM_CLONES static void add_square(double *restrict sum, const double *restrict x,
                                 const double *restrict mean, size_t dim)
{
    for (size_t j = 0; j < dim; j++) {
        const double d = x[j] - mean[j];
        sum[j] += d * d;
    }
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
    double *x, *sum;
    size_t piece; /* rows that are read before they are released */
} pass;

static imsat_status pass_new(pass *out, const imsat_data *data, imsat_error *err)
{
    *out = (pass){.row = im_alloc(data->dim, sizeof *out->row),
                  .x = im_alloc(data->dim, sizeof *out->x),
                  .sum = im_alloc(data->dim, sizeof *out->sum),
                  .piece = im_data_piece(data)};
    return out->row && out->x && out->sum ? IMSAT_OK : im_fail_memory(err, "preprocessing");
}

static void pass_clear(pass *p)
{
    im_free(p->row);
    im_free(p->x);
    im_free(p->sum);
}

/* Behind row `row`, so that the pass leaves no pages of a mapped file in memory. */
static void pass_release(const pass *p, const imsat_data *data, size_t row)
{
    if ((row + 1) % p->piece == 0)
        im_data_release(data, row + 1 - p->piece, p->piece);
}

/* p->x = row `row` by every step before center. */
static void pass_row(const pass *p, const imsat_data *data, const im_preprocess *pre,
                     size_t row)
{
    load_row(p->x, p->row, data, row, pre);
    pass_release(p, data, row);
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

/* ---- fitting --------------------------------------------------------------------- */

typedef void add_row(double *restrict sum, const double *restrict x,
                     const double *restrict about, size_t dim);

/* p->sum = the sum over all rows of what add makes of them about a row of numbers (dim). */
static imsat_status sum_rows(pass *p, add_row *add, const double *about,
                             const imsat_data *data, const im_preprocess *pre,
                             const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    memset(p->sum, 0, pre->dim * sizeof *p->sum);
    for (size_t i = 0; i < data->rows; i++) {
        pass_row(p, data, pre, i);
        add(p->sum, p->x, about, pre->dim);
        if ((i + 1) % p->piece == 0 || i + 1 == data->rows)
            IM_TRY(im_stage_report(stage, (double)(i + 1) / (double)data->rows, err));
    }

cleanup:
    return st;
}

/* Column means of the prepared data to mean, column mean squares about them to p->sum. */
static imsat_status fit_columns(double *mean, pass *p, const imsat_data *data,
                                const im_preprocess *pre, const im_stage *stage,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const double n = (double)data->rows;
    const im_stage means = im_stage_part(stage, 0, 0.5),
                   squares = im_stage_part(stage, 0.5, 1);
    pass_row(p, data, pre, 0);
    memcpy(mean, p->x, pre->dim * sizeof *mean);
    IM_TRY(sum_rows(p, add_difference, mean, data, pre, &means, err));
    for (size_t j = 0; j < pre->dim; j++)
        mean[j] += p->sum[j] / n;
    IM_TRY(sum_rows(p, add_square, mean, data, pre, &squares, err));
    multiply(p->sum, 1 / n, pre->dim);

cleanup:
    return st;
}

static imsat_status fit_standardize(im_preprocess *pre, pass *p, const imsat_data *data,
                                    const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    pre->mean = im_alloc(pre->dim, sizeof *pre->mean);
    pre->inv_deviation = im_alloc(pre->dim, sizeof *pre->inv_deviation);
    if (!pre->mean || !pre->inv_deviation)
        return im_fail_memory(err, "the columns' means and deviations");
    IM_TRY(fit_columns(pre->mean, p, data, pre, stage, err));
    for (size_t j = 0; j < pre->dim; j++)
        pre->inv_deviation[j] = p->sum[j] > 0 ? 1 / sqrt(p->sum[j]) : 0;
    pre->standardize = true;

cleanup:
    return st;
}

static imsat_status fit_center(im_preprocess *pre, pass *p, const imsat_data *data,
                               const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    double square = 0;
    pre->center_mean = im_alloc(pre->dim, sizeof *pre->center_mean);
    if (!pre->center_mean)
        return im_fail_memory(err, "the columns' means");
    IM_TRY(fit_columns(pre->center_mean, p, data, pre, stage, err));
    for (size_t j = 0; j < pre->dim; j++)
        square += p->sum[j];
    pre->factor = square > 0 ? 1 / sqrt(square / (double)pre->dim) : 1;
    pre->center = true;

cleanup:
    return st;
}

/* Values whose squares, and sums of them over any data, are in the range of double. */
static const double SQUARABLE = 1e140;

/* Scale and shift, which is all that `pre` has yet, can take a value out of range: of float,
 * or, if the steps to come bring it back into that, out of one in which they can compute. No
 * value of the data is beyond the range of float, so ordinary scales need no pass to know. */
static imsat_status check_affine(const im_preprocess *pre, const imsat_data *data,
                                 const imsat_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const bool last = !options->standardize && !options->unit_norm && !options->center;
    const double most = last ? (double)FLT_MAX : SQUARABLE;
    im_peak peak = {0};
    if (!isfinite(pre->scale) || !isfinite(pre->shift))
        return im_fail(err, IMSAT_EINVAL, "scale %g, shift %g: both must be finite",
                       pre->scale, pre->shift);
    if (fabs(pre->scale) * FLT_MAX + fabs(pre->shift) <= most)
        return IMSAT_OK;
    IM_TRY(im_preprocess_peak(&peak, data, pre, err));
    if (fabs(peak.prepared) > most)
        st = im_fail(err, IMSAT_EINVAL,
                     "scale %g, shift %g: row %zu, column %zu (both from 0) is %g and becomes "
                     "%g, beyond %s; take a smaller scale and shift",
                     pre->scale, pre->shift, peak.row, peak.column, peak.value, peak.prepared,
                     last ? "the range of float" : "what can be squared");

cleanup:
    return st;
}

imsat_status im_preprocess_fit(im_preprocess *out, const imsat_data *data,
                               const imsat_options *options, const im_stage *stage,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage first = im_stage_part(stage, 0, options->center ? 0.5 : 1);
    const im_stage second = im_stage_part(stage, options->standardize ? 0.5 : 0, 1);
    im_preprocess pre = {
        .dim = data->dim, .scale = options->scale, .shift = options->shift, .factor = 1};
    pass p = {0};
    IM_TRY(check_affine(&pre, data, options, err));
    IM_TRY(pass_new(&p, data, err));
    if (options->standardize)
        IM_TRY(fit_standardize(&pre, &p, data, &first, err));
    pre.unit_norm = options->unit_norm != 0;
    if (options->center)
        IM_TRY(fit_center(&pre, &p, data, &second, err));
    *out = pre;
    pre = (im_preprocess){0};

cleanup:
    pass_clear(&p);
    im_preprocess_clear(&pre);
    return st;
}

void im_preprocess_clear(im_preprocess *pre)
{
    im_free(pre->mean);
    im_free(pre->inv_deviation);
    im_free(pre->center_mean);
    *pre = (im_preprocess){0};
}
