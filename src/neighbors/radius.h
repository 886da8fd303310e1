/* SPDX-License-Identifier: MIT
 *
 * sigma_t(x): the Euclidean distance from each row to its t-th nearest other row.
 */
#ifndef IM_NEIGHBORS_RADIUS_H
#define IM_NEIGHBORS_RADIUS_H

#include "core/stage.h"
#include "data/preprocess.h"

/* radius (n) of the prepared rows. t is clamped to n - 1; t >= 1, n >= 2. Duplicates count as
 * neighbors at distance 0. Exact: the distance in double, rounded to float. The same bits for
 * any number of threads. stage may be NULL. */
imsat_status im_radius_exact(float *radius, const imsat_data *data, const im_preprocess *pre,
                             size_t t, im_pool *pool, const im_stage *stage, imsat_error *err);

/* Refuse what has no answer, and clamp t to n - 1. */
imsat_status im_radius_check(size_t *t, const imsat_data *data, imsat_error *err);

/* The same by the definition, in double, one pair at a time: the oracle. */
imsat_status im_radius_ref(double *radius, const imsat_data *data, const im_preprocess *pre,
                           size_t t, imsat_error *err);

#endif
