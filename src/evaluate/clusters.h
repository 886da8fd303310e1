/* SPDX-License-Identifier: MIT
 *
 * Agreement of two partitions of the same points. imsat_evaluate_clusters() of the public
 * header is defined in clusters.c, too.
 */
#ifndef IM_EVALUATE_CLUSTERS_H
#define IM_EVALUATE_CLUSTERS_H

#include "core/status.h"

/* The adjusted Rand index of labels a and b (n), any integers; n 0 is IMSAT_EINVAL.
 * O(n log n) time, O(n) memory, for any number of distinct labels. */
imsat_status im_clusters_ari(double *ari, const int32_t *a, const int32_t *b, size_t n,
                             imsat_error *err);

#endif
