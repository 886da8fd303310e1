/* SPDX-License-Identifier: MIT
 *
 * The scan: every distinct code of the index is compared with every query. A block of up to 64
 * queries goes along runs of 64 codes; codes are loaded once for the block, and only those
 * within the bound of a query leave the fast path.
 */
#ifndef IM_SEARCH_SCAN_H
#define IM_SEARCH_SCAN_H

#include "search/search.h"

/* found[q] for the queries q = which[0] .. which[count - 1], all not done before. */
imsat_status im_scan(im_found *found, const im_search *search, const uint32_t *which,
                     size_t count, imsat_error *err);

/* What it takes for one of `count` queries, in nanoseconds, about. */
double im_scan_cost(const im_search *search, size_t count);

#endif
