/* SPDX-License-Identifier: MIT
 *
 * sigma_t(x), approximately, for many rows: the distance from each row to the t-th nearest of
 * the rows in the P cells nearest to it. It is never too small. About sqrt(n) cells make the
 * time O(P n sqrt(n) d).
 *
 * P is chosen for the data. The exact sigma_t of a sample of rows is computed, O(n d) for each
 * of them; on one half of the sample P grows until the mean relative error is at most
 * IM_APPROX_TARGET, and the error that is reported is that of the other half, which had no say
 * in the choice. If P would be so large that comparing all pairs is as cheap, it is given up.
 */
#ifndef IM_NEIGHBORS_APPROX_H
#define IM_NEIGHBORS_APPROX_H

#include "core/stage.h"
#include "data/preprocess.h"

#define IM_APPROX_TARGET 0.01

/* The share of the stage after which im_approx_radius() may turn out not to pay. */
#define IM_APPROX_TRIED 0.22

/* Whether there are enough rows for cells, and t is so small that a cell can hold the
 * neighbors. */
bool im_approx_fits(size_t n, size_t t);

/* radius (n), info and *taken = true; or *taken = false, if all pairs are as cheap. For an n
 * and t that fit; t >= 1. The same bits for any number of threads. stage may be NULL.
 *
 * Seconds (Zen 4, two threads) of the exact and the approximate radius, t 10, of mixtures of
 * 20 normals in 64 dimensions and of MNIST, and the error:
 *
 *     n               20000   50000  100000     MNIST, 70000 x 784
 *     exact             0.3     1.2     4.2     6.9, by sketches
 *     approximate       0.2     0.6     1.4     6.0
 *     error in %       0.00    0.00    0.00    0.04
 */
imsat_status im_approx_radius(float *radius, imsat_radius_info *info, bool *taken,
                              const imsat_data *data, const im_preprocess *pre, size_t t,
                              im_pool *pool, const im_stage *stage, imsat_error *err);

#endif
