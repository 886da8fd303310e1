/* SPDX-License-Identifier: MIT
 *
 * From raw rows to the network's input, in this order, each step optional:
 *
 *     affine       x scale + shift
 *     standardize  (x - mean_j) / deviation_j       per column; a constant column becomes 0
 *     unit norm    x / |x|                          per row; a zero row stays 0
 *     center       (x - center_j) factor            per column, one factor for all: the mean
 *                                                   becomes 0 and the mean square 1
 *
 * Arithmetic is in double and rounded to float once at the end, so data that differs by an
 * exact scale or shift comes out of `center` with the same bits, and elements that float would
 * round, such as times in milliseconds, are not rounded before their mean is gone.
 */
#ifndef IM_DATA_PREPROCESS_H
#define IM_DATA_PREPROCESS_H

#include "core/stage.h"
#include "data/dataset.h"

typedef struct im_preprocess {
    size_t dim;
    double scale, shift;
    bool standardize, unit_norm, center;
    double *mean, *inv_deviation; /* (dim) owned, of standardize; else NULL */
    double *center_mean;          /* (dim) owned, of center; else NULL */
    double factor;                /* of center; 1 when all rows are equal */
} im_preprocess;

/* Fit to the data. options: scale, shift, standardize, unit_norm and center are looked at.
 * After it, every row of these data is finite once it is prepared; of other data it may not
 * be. stage: may be NULL. */
imsat_status im_preprocess_fit(im_preprocess *out, const imsat_data *data,
                               const imsat_options *options, const im_stage *stage,
                               imsat_error *err);

/* out (dim) = row `row` of the data, prepared; thread-safe. scratch: (dim) doubles. */
void im_preprocess_read(float *out, const imsat_data *data, size_t row,
                        const im_preprocess *pre, double *scratch);

/* The same before it is rounded to float: out (dim) in double. row: (dim) floats of scratch.
 */
void im_preprocess_exact(double *out, const imsat_data *data, size_t i,
                         const im_preprocess *pre, float *row);

/* The same of a row that is at hand as float. in and out may be the same array. */
void im_preprocess_row(float *out, const float *in, const im_preprocess *pre, double *scratch);

/* The value that is largest in magnitude once it is prepared: what is said of data that leads
 * out of the range of a number. */
typedef struct im_peak {
    size_t row, column;
    double value, prepared; /* as in the data; and in double, before it is rounded to float */
} im_peak;

/* Find it in one pass over the data. */
imsat_status im_preprocess_peak(im_peak *out, const imsat_data *data, const im_preprocess *pre,
                                imsat_error *err);

/* Refuse data with IMSAT_EINVAL, because of `what`, and name that value; or_else: what else
 * may help, or NULL. */
imsat_status im_preprocess_refuse(const char *what, const imsat_data *data,
                                  const im_preprocess *pre, const char *or_else,
                                  imsat_error *err);

void im_preprocess_clear(im_preprocess *pre);

#endif
