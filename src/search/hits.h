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

#endif
