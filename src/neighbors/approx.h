/* SPDX-License-Identifier: MIT
 *
 * sigma_t(x), approximately, for many rows: the distance from each row to the t-th nearest of
 * the rows in the P cells nearest to it. It is never too small. About sqrt(n) cells make the
 * time O(P n sqrt(n) d).
 *
 * P is chosen for the data. The exact sigma_t of a sample of rows is computed, O(n d) for each
 * of them; on one half of the sample P grows until the mean relative error is at most
 * IM_APPROX_TARGET, and the error that is reported is that of the other half, which had no say
 * in the choice. If P would be so large that comparing all pairs is as cheap, or t so large
 * that a cell cannot hold the neighbors, the result is the exact one.
 */
#ifndef IM_NEIGHBORS_APPROX_H
#define IM_NEIGHBORS_APPROX_H

#include "data/preprocess.h"
#include "neighbors/stage.h"

/* From this many rows on, IMSAT_RADIUS_AUTO is approximate. Processor time of one thread, all
 * pairs and approximate, for mixtures of 20 normals in 64 dimensions (measured on a busy
 * machine): @EVIDENCE@ */
#define IM_APPROX_FROM 100000

#define IM_APPROX_TARGET 0.01

/* radius (n) as im_radius_exact() does; info: how it was done, and the error. The same bits
 * for any number of threads. stage may be NULL. */
imsat_status im_radius_approx(float *radius, imsat_radius_info *info, const imsat_data *data,
                              const im_preprocess *pre, size_t t, im_pool *pool,
                              const im_stage *stage, imsat_error *err);

/* Either way; method is not IMSAT_RADIUS_AUTO. */
imsat_status im_radius(float *radius, imsat_radius_info *info, const imsat_data *data,
                       const im_preprocess *pre, size_t t, imsat_radius_method method,
                       im_pool *pool, const im_stage *stage, imsat_error *err);

/* What IMSAT_RADIUS_AUTO is for n rows; another method is itself. */
imsat_radius_method im_radius_resolve(imsat_radius_method method, size_t n);

#endif
