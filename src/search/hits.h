/* SPDX-License-Identifier: MIT
 * From the codes that were found to ids in order. */
#ifndef IM_SEARCH_HITS_H
#define IM_SEARCH_HITS_H

#include "core/threads.h"
#include "search/nearest.h"

/* The hits of queries: at most `count` ids each (0: all), nearest first, equal distances by
 * id. */
imsat_status im_hits_new(imsat_hits *out, const im_found *found, size_t queries,
                         const imsat_index *index, size_t count, im_pool *pool,
                         imsat_error *err);

/* Join the hits of the same queries in two parts of an index: again at most `count` (0: all),
 * nearest first, equal distances by id. *hits is replaced. */
imsat_status im_hits_join(imsat_hits *hits, const imsat_hits *more, size_t count,
                          imsat_error *err);

#endif
