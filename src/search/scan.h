/* SPDX-License-Identifier: MIT
 *
 * The scan: every distinct code of the index is compared with every query. A block of up to 64
 * queries goes along runs of 64 codes; codes are loaded once for the block, and only those
 * within the bound of a query leave the fast path.
 */
#ifndef IM_SEARCH_SCAN_H
#define IM_SEARCH_SCAN_H

#include "search/search.h"

/* found[q] = what is found for the queries q = which[0] .. which[count - 1], of which none was
 * done before. */
imsat_status im_scan(im_found *found, const im_search *search, const uint32_t *which,
                     size_t count, imsat_error *err);

/* About how many nanoseconds a query takes if `count` of them are scanned together. */
double im_scan_cost(const im_search *search, size_t count);

#endif
