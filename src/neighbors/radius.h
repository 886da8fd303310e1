/* SPDX-License-Identifier: MIT
 *
 * sigma_t(x): the Euclidean distance from each row to its t-th nearest other row, exact or
 * approximate.
 */
#ifndef IM_NEIGHBORS_RADIUS_H
#define IM_NEIGHBORS_RADIUS_H

#include "core/stage.h"
#include "data/preprocess.h"

/* From this many rows on, IMSAT_RADIUS_AUTO is approximate (approx.h has the times): below,
 * the exact radius is so quick, beside training, that it is not worth an error. */
#define IM_RADIUS_APPROX_FROM 100000

/* From this many rows on, the exact radius tries sketches (shortcut.h): below, they cost more
 * than they save. */
#define IM_RADIUS_SHORTCUT_FROM 32768

/* What IMSAT_RADIUS_AUTO is for n rows; another method is itself. */
imsat_radius_method im_radius_resolve(imsat_radius_method method, size_t n);

/* radius (n) of the prepared rows by a method, not IMSAT_RADIUS_AUTO; info: how it was done
 * (where approximating does not pay, the result is the exact one), and the error. t is clamped
 * to n - 1; t >= 1, n >= 2. Duplicates count as neighbors at distance 0. The same bits for any
 * number of threads. stage may be NULL. */
imsat_status im_radius_find(float *radius, imsat_radius_info *info, const imsat_data *data,
                            const im_preprocess *pre, size_t t, imsat_radius_method method,
                            im_pool *pool, const im_stage *stage, imsat_error *err);

/* The exact one: the distance in double, rounded to float. */
imsat_status im_radius_exact(float *radius, const imsat_data *data, const im_preprocess *pre,
                             size_t t, im_pool *pool, const im_stage *stage, imsat_error *err);

/* The same, with sketches from `shortcut_from` rows on. */
imsat_status im_radius_exact_from(float *radius, const imsat_data *data,
                                  const im_preprocess *pre, size_t t, size_t shortcut_from,
                                  im_pool *pool, const im_stage *stage, imsat_error *err);

/* The same by the definition, in double, one pair at a time: the oracle. */
imsat_status im_radius_ref(double *radius, const imsat_data *data, const im_preprocess *pre,
                           size_t t, imsat_error *err);

#endif
