/* SPDX-License-Identifier: MIT
 *
 * See pool_cache.h. A pool belongs to whoever has exchanged it for NULL. */
#include "core/pool_cache.h"

#include "core/cores.h"

/* Take any idle pool that fits. One that does not is put back; meanwhile another call may miss
 * it and make a pool of its own, which does no harm. */
static im_pool *take_idle(im_pool_cache *cache, int threads)
{
    for (int i = 0; i < IM_POOL_CACHE_KEPT; i++) {
        if (!atomic_load(&cache->idle[i]))
            continue;
        im_pool *pool = atomic_exchange(&cache->idle[i], NULL);
        if (pool && im_pool_threads(pool) == threads && !im_pool_orphaned(pool))
            return pool;
        im_pool_cache_put(cache, pool);
    }
    return NULL;
}

/* Once per cache, since it reads files. */
static int all_cores(im_pool_cache *cache)
{
    int cores = atomic_load(&cache->cores);
    if (cores == 0) {
        cores = im_cores();
        cores = cores < IM_POOL_MOST ? cores : IM_POOL_MOST;
        atomic_store(&cache->cores, cores);
    }
    return cores;
}

imsat_status im_pool_cache_take(im_pool_cache *cache, im_pool **out, int threads,
                                imsat_error *err)
{
    if (threads == 0)
        threads = all_cores(cache);
    im_pool *pool = take_idle(cache, threads);
    if (!pool)
        return im_pool_new(out, threads, err);
    *out = pool;
    return IMSAT_OK;
}

void im_pool_cache_put(im_pool_cache *cache, im_pool *pool)
{
    for (int i = 0; pool && i < IM_POOL_CACHE_KEPT && !im_pool_orphaned(pool); i++) {
        im_pool *empty = NULL;
        if (atomic_compare_exchange_strong(&cache->idle[i], &empty, pool))
            return;
    }
    if (pool && !im_pool_orphaned(pool))
        pool = atomic_exchange(&cache->idle[0], pool); /* the newest is kept */
    im_pool_free(pool);
}

void im_pool_cache_clear(im_pool_cache *cache)
{
    for (int i = 0; i < IM_POOL_CACHE_KEPT; i++)
        im_pool_free(atomic_exchange(&cache->idle[i], NULL));
}
