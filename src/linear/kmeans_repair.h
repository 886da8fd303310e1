/* SPDX-License-Identifier: MIT
 *
 * Clusters without rows get one: the rows that are farthest from their centers, the farthest
 * for the empty cluster of the lowest number, and of rows equally far the first. No row is
 * taken that is equal to its center, to one that was taken, or the only one of its cluster; if
 * there are not enough, clusters stay empty.
 */
#ifndef IM_LINEAR_KMEANS_REPAIR_H
#define IM_LINEAR_KMEANS_REPAIR_H

#include "linear/assign.h"
#include "linear/sums.h"

/* The rows are those of the last pass, and the sums follow them, before and after. */
imsat_status im_kmeans_repair(im_assign *assign, im_sums *sums, const im_centers *centers,
                              im_pool *pool, const im_stage *stage, imsat_error *err);

#endif
