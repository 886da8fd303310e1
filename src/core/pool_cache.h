/* SPDX-License-Identifier: MIT
 *
 * Pools that are kept from call to call, so that a call need not start threads. A model and an
 * index each have a cache. A call takes an idle pool out, works with it, and puts it back;
 * calls from several threads at once take different pools, or make new ones. Nothing locks, so
 * the child of a fork() cannot find a lock that is held for good.
 */
#ifndef IM_CORE_POOL_CACHE_H
#define IM_CORE_POOL_CACHE_H

#include "core/threads.h"

#include <stdatomic.h>

/* Pools that are kept. Of more calls at once, a pool ends with each call. */
enum { IM_POOL_CACHE_KEPT = 4 };

/* Zeroed: empty. */
typedef struct im_pool_cache {
    _Atomic(im_pool *) idle[IM_POOL_CACHE_KEPT];
    atomic_int cores; /* im_cores() when it was first asked for, or 0 */
} im_pool_cache;

/* threads as in im_pool_new(). Give it back by im_pool_cache_put(). */
imsat_status im_pool_cache_take(im_pool_cache *cache, im_pool **out, int threads,
                                imsat_error *err);
void im_pool_cache_put(im_pool_cache *cache, im_pool *pool);

/* End the threads of all idle pools. No pool may be out, and none be taken meanwhile. */
void im_pool_cache_clear(im_pool_cache *cache);

#endif
