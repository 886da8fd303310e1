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

#include "core/stage.h"
#include "data/preprocess.h"

/* From this many rows on, IMSAT_RADIUS_AUTO is approximate. Seconds of one thread for mixtures
 * of 20 normals in 64 dimensions, and the error:
 *
 *     n             20000   50000  100000  200000  400000  1000000
 *     exact           0.5     2.4     8.7
 *     approximate     0.4     1.3     3.1     7.1    17.2     65.3    n^1.3
 *     error in %     0.00    0.00    0.00    0.02    0.16     0.36
 *
 * and for MNIST, n 70000 and 784 dimensions: 39 and 12 s, 0.04 %. It pays from 20000 rows on,
 * but below 100000 the exact radius is so quick, beside training, that it is not worth an
 * error. */
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
