/* SPDX-License-Identifier: MIT
 * A search as its methods see it. */
#ifndef IM_SEARCH_SEARCH_H
#define IM_SEARCH_SEARCH_H

#include "core/threads.h"
#include "search/hamming.h"
#include "search/nearest.h"

typedef struct im_search {
    const imsat_index *index;
    const uint64_t *queries; /* (., words) */
    size_t count, radius;    /* as in imsat_search_options; radius at most the bits */
    const im_hamming_kernel *kernel;
    im_pool *pool;
    double patience; /* multi-index hashing gives up after so many times the cost of a scan */
} im_search;

/* The patience of imsat_search(): 0.3 of a scan by the estimates, so that less than half the
 * time of a scan is lost where hashing does not help. */
#define IM_SEARCH_PATIENCE 0.3

/* found (queries) = what the method finds for each query. */
imsat_status im_search_run(im_found *found, const im_search *search, size_t queries,
                           imsat_search_method method, imsat_error *err);

#endif
