/* SPDX-License-Identifier: MIT
 *
 * Multi-index hashing (Norouzi, Punjani, Fleet 2012). The bits are cut into m sub-codes, each
 * with a table. If two codes differ in at most m r + t bits (0 <= t < m), then they differ in
 * at most r bits in one of the sub-codes 0 .. t, or in at most r - 1 bits in one of the
 * others. So looking for sub-codes at the distances 0, 1, 2, ..., table by table, finds all
 * codes within a radius that grows by one each time.
 */
#ifndef IM_SEARCH_MIH_H
#define IM_SEARCH_MIH_H

#include "search/search.h"

/* found[q] for the queries q = which[0] .. which[count - 1]. Those that would cost more than
 * search->patience scans are not done: they are moved to the front of which, and *left is
 * their number. The index must have tables. */
imsat_status im_mih(im_found *found, const im_search *search, uint32_t *which, size_t count,
                    size_t *left, imsat_error *err);

#endif
