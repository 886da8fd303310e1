/* SPDX-License-Identifier: MIT
 *
 * sigma_t(x): the Euclidean distance from each row to its t-th nearest other row.
 */
#ifndef IM_NEIGHBORS_RADIUS_H
#define IM_NEIGHBORS_RADIUS_H

#include "neighbors/candidates.h"

/* radius (n) of the prepared rows. t is clamped to n - 1; t >= 1, n >= 2. Duplicates count as
 * neighbors at distance 0. Exact: the distance in double, rounded to float. The same bits for
 * any number of threads. IMSAT_ESTOPPED if progress (may be NULL) says so. */
imsat_status im_radius_exact(float *radius, const imsat_data *data, const im_preprocess *pre,
                             size_t t, im_pool *pool, im_radius_progress_fn progress,
                             void *user, imsat_error *err);

/* The same by the definition, in double, one pair at a time: the oracle. */
imsat_status im_radius_ref(double *radius, const imsat_data *data, const im_preprocess *pre,
                           size_t t, imsat_error *err);

#endif
