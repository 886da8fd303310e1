/* SPDX-License-Identifier: MIT
 *
 * Some of the rows of a frame that stand for all: every row has the label of the nearest of
 * them. By Angiulli's fast condensed nearest neighbor rule (ICML 2005): it begins with a row
 * near the middle of each cluster; then each of the chosen rows adds the nearest of the rows
 * that are nearest to it and of another label, until there are none. How many there are
 * depends on the borders between the clusters, not on the number of rows. The result does not
 * depend on the order of the rows but for ties, nor on the number of threads.
 *
 * Nearness is by products in float: the score s . x - |s|^2 / 2 of scaled rows.
 */
#ifndef IM_LINEAR_CONDENSE_H
#define IM_LINEAR_CONDENSE_H

#include "linear/frame.h"

typedef struct im_condense {
    size_t count;
    uint32_t *rows; /* (count) owned: places, by their labels, and then ascending */
} im_condense;

/* labels (n) are 0 to k - 1, and each has rows. stage may be NULL. */
imsat_status im_condense_find(im_condense *out, const im_frame *frame, const int32_t *labels,
                              size_t k, im_pool *pool, const im_stage *stage,
                              imsat_error *err);
void im_condense_clear(im_condense *found);

#endif
