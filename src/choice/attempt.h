/* SPDX-License-Identifier: MIT
 *
 * Runs of methods on samples of rows, one after the other, while the budget lasts and the
 * caller does not stop them.
 */
#ifndef IM_CHOICE_ATTEMPT_H
#define IM_CHOICE_ATTEMPT_H

#include "choice/portion.h"

/* What all attempts of a call have in common. */
typedef struct im_attempts {
    imsat_options *opt; /* the caller's, with nothing left open */
    im_pool *pool;
    double started, budget; /* seconds */
    double share;           /* of the call that is done, for progress */
    bool late;              /* the budget is over */
} im_attempts;

/* One of them: what was learned, and the labels of the rows. */
typedef struct im_attempt {
    imsat_model *model;
    imsat_result *result;
    const int32_t *labels; /* (rows) of result */
} im_attempt;

void im_attempt_clear(im_attempt *attempt);

/* Let a method learn k clusters of rows that are prepared, in `runs` runs. IMSAT_ESTOPPED: the
 * caller's wish, or the budget is over, and then attempts->late is set. */
imsat_status im_attempt_fit(im_attempt *out, im_attempts *attempts, const imsat_data *rows,
                            const char *method, size_t k, size_t runs, imsat_error *err);

/* The share of im_measure_information() that the clusters of one run have; NaN if the method
 * refuses the rows. */
imsat_status im_attempt_information(double *share, im_attempts *attempts,
                                    const im_portion *portion, const char *method, size_t k,
                                    imsat_error *err);

/* Two runs on the halves of the rows. strength: im_measure_strength(), the mean of both
 * directions. rows: the mean adjusted Rand index of their labels with whole (n), those of all
 * rows; whole may be NULL, and then it is not touched. Both are NaN if the method refuses a
 * half. */
imsat_status im_attempt_halves(double *strength, double *rows, im_attempts *attempts,
                               const im_portion *portion, const char *method, size_t k,
                               const int32_t *whole, imsat_error *err);

/* Tell the caller how far the call is; IMSAT_ESTOPPED as above. */
imsat_status im_attempt_tell(im_attempts *attempts, double share, imsat_error *err);

#endif
