/* SPDX-License-Identifier: MIT
 *
 * Runs of methods on samples of rows, one after the other, while the budget lasts and the
 * caller does not stop them.
 */
#ifndef IM_CHOICE_TRIAL_H
#define IM_CHOICE_TRIAL_H

#include "choice/sample.h"

/* What all trials of a call have in common. */
typedef struct im_trials {
    imsat_options *opt; /* the caller's, with nothing left open */
    im_pool *pool;
    double started, budget; /* seconds */
    double share;           /* of the call that is done, for progress */
    bool late;              /* the budget is over */
} im_trials;

/* One of them: what was learned, and the labels of the rows. */
typedef struct im_trial {
    imsat_model *model;
    imsat_result *result;
    const int32_t *labels; /* (rows) of result */
} im_trial;

void im_trial_clear(im_trial *trial);

/* Let a method learn k clusters of rows that are prepared, in `runs` runs. IMSAT_ESTOPPED: the
 * caller's wish, or the budget is over, and then trials->late is set. */
imsat_status im_trial_fit(im_trial *out, im_trials *trials, const imsat_data *rows,
                          const char *method, size_t k, size_t runs, imsat_error *err);

/* The share of im_measure_information() that the clusters of one run have; NaN if the method
 * refuses the rows. */
imsat_status im_trial_information(double *share, im_trials *trials, const im_sample *sample,
                                  const char *method, size_t k, imsat_error *err);

/* Two runs on the halves of the rows. strength: im_measure_strength(), the mean of both
 * directions. rows: the mean adjusted Rand index of their labels with whole (n), those of all
 * rows; whole may be NULL, and then it is not touched. Both are NaN if the method refuses a
 * half. */
imsat_status im_trial_halves(double *strength, double *rows, im_trials *trials,
                             const im_sample *sample, const char *method, size_t k,
                             const int32_t *whole, imsat_error *err);

/* Tell the caller how far the call is; IMSAT_ESTOPPED as above. */
imsat_status im_trial_tell(im_trials *trials, double share, imsat_error *err);

#endif
