/* SPDX-License-Identifier: MIT
 *
 * In which columns the rows of a cluster differ from the others, by the rows of a sample:
 *
 *     effect_j = (mean in the cluster - mean in the rest) / deviation of the whole
 *
 * Of words the deviation is left out: a word that is rare everywhere is no mark of a cluster,
 * however rare it is elsewhere.
 */
#ifndef IM_REPORT_MARKS_H
#define IM_REPORT_MARKS_H

#include "data/dataset.h"

/* Means and deviations of the columns of a sample. */
typedef struct im_marks {
    const imsat_data *data;
    const int32_t *labels;                 /* (rows) of the sample's rows */
    bool words;                            /* columns are words */
    double *memory;                        /* owned: all below */
    double *mean, *deviation, *low, *high; /* (dim) of all rows */
    double *inside;                        /* (dim) of one cluster's rows */
    float *row;                            /* (dim) owned */
} im_marks;

/* A column in which a cluster differs. */
typedef struct im_mark {
    size_t column;
    double effect;
    double inside, outside; /* the means in the cluster and in the rest */
} im_mark;

imsat_status im_marks_fit(im_marks *out, const imsat_data *data, const int32_t *labels,
                          bool words, imsat_error *err);
void im_marks_clear(im_marks *columns);

/* The columns in which a cluster differs most, the first most of all; of words, those that it
 * has more of. Returns how many, at most `most`. */
size_t im_marks_mark(im_mark *marks, size_t most, im_marks *columns, int32_t cluster);

enum { IM_MARKS_BINS = 24 };

/* How the values of a column are distributed from low to high, in the cluster and in the rest,
 * each relative to its fullest bin. */
void im_marks_spread(double inside[IM_MARKS_BINS], double outside[IM_MARKS_BINS],
                     const im_marks *columns, size_t column, int32_t cluster);

#endif
