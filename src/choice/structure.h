/* SPDX-License-Identifier: MIT
 *
 * The null test: are rows better separated by k clusters than rows without clusters are? Two
 * methods that are quick look for them, k-means and spectral clustering, and the clusters of
 * one of them must have more neighbor information (choice/measure.h) than on one normal and on
 * a box of the same covariance, by three standard deviations of the draws, or those of both by
 * two. The deviation is of all draws together, since few draws of one kind may lie close by
 * chance, and at least 0.4 / sqrt(n).
 *
 * Of more than 32 clusters k-means alone is asked.
 *
 * Rows with permuted columns are no part of the verdict: clusters that columns show one by
 * one, as two far ones along an axis, survive the permutation.
 *
 * Prefixes: im_nulls_, im_structure_.
 */
#ifndef IM_CHOICE_STRUCTURE_H
#define IM_CHOICE_STRUCTURE_H

#include "choice/attempt.h"
#include "choice/null.h"

enum { IM_TESTERS = 2, IM_DRAWS = 5 };

/* The methods, by their names. */
extern const char *const im_structure_tester[IM_TESTERS];

/* Draws of rows without clusters: IM_DRAWS of one normal and of a box, one of permuted columns
 * if that is wanted. */
typedef struct im_nulls {
    im_portion draw[IMSAT_NULLS][IM_DRAWS];
    size_t draws[IMSAT_NULLS];
} im_nulls;

imsat_status im_nulls_draw(im_nulls *out, const im_portion *portion, bool permuted,
                           im_attempts *attempts, imsat_error *err);
void im_nulls_clear(im_nulls *nulls);

typedef struct im_structure {
    double data[IM_TESTERS];    /* information on the rows; NaN: it refuses them */
    double without[IM_TESTERS]; /* the larger mean of the two kinds of draws */
    double deviation;           /* of draws about the mean of their kind, of both testers */
    size_t best; /* whose excess over `without` is the largest; IM_TESTERS: none could be
                    tested */
    bool found;
} im_structure;

/* The shares of the whole call that are told run from `from` to `to`. */
imsat_status im_structure_test(im_structure *out, const im_portion *portion,
                               const im_nulls *nulls, size_t k, im_attempts *attempts,
                               double from, double to, imsat_error *err);

/* By how many deviations a tester exceeds rows without clusters; NaN if it was not tested. */
double im_structure_excess(const im_structure *s, size_t tester);

/* What both testers have on each draw of the two kinds; NaN: it refuses the rows. */
typedef struct im_drawn {
    double value[IM_TESTERS][2][IM_DRAWS];
} im_drawn;

/* From numbers alone: s->data is set, of n rows. */
void im_structure_judge(im_structure *s, const im_drawn *drawn, size_t n);

#endif
