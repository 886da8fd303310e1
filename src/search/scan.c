/* SPDX-License-Identifier: MIT
 *
 * The scan; see scan.h. A task is a block of queries and a shard of the codes. With few
 * queries there are several shards, so that threads have work; the lists that a query has of
 * its shards are joined in the end. Blocks and shards do not depend on the threads. */
#include "search/scan.h"

#include "core/alloc.h"

#include <assert.h>
#include <string.h>

enum {
    BLOCK = IM_HAMMING_QUERIES,
    RUN = IM_HAMMING_RUN,
    TASKS = 32,           /* at least so many tasks, if there are enough codes */
    SHARD_LEAST = 1 << 17 /* codes of a shard: 0.1 ms, far more than a task's start takes */
};

/* Nanoseconds that a word of a code takes to arrive from memory, at 10 GB/s. */
#define LOAD_COST 0.8

double im_scan_cost(const im_search *search, size_t count)
{
    const double words = (double)search->index->distinct * (double)search->index->words;
    const double sharing = (double)(count < BLOCK ? (count ? count : 1) : BLOCK);
    return words * (search->kernel->cost + LOAD_COST / sharing);
}

/* What a thread works with. */
typedef struct scanner {
    im_nearest nearest[BLOCK];
    uint64_t queries[BLOCK * IM_WORDS_MOST];
    uint64_t run[IM_HAMMING_RUN_WORDS];
    uint16_t bound[BLOCK];
    imsat_status st;
    size_t refused; /* im_alloc_refused() of the thread */
} scanner;

typedef struct scan {
    const im_search *search;
    const uint32_t *which;
    size_t count, shards;
    im_found *by_shard;  /* (count, shards) owned */
    scanner *per_thread; /* (threads) owned */
} scan;

static void take_passed(scanner *s, const im_search *search, const im_hamming_pass *passed,
                        const uint64_t *run, size_t first)
{
    const size_t words = search->index->words;
    im_nearest *nearest = &s->nearest[passed->query];
    uint16_t distance[RUN];
    search->kernel->distances(distance, s->queries + passed->query * words, 1, run, words);
    for (uint64_t left = passed->mask; left; left &= left - 1) {
        const size_t i = (size_t)__builtin_ctzll(left);
        if (distance[i] <= nearest->bound)
            im_nearest_add(nearest, (uint32_t)(first + i), distance[i]);
    }
    s->bound[passed->query] = (uint16_t)nearest->bound;
}

/* `count` queries along the codes first .. end - 1. */
static void scan_codes(scanner *s, const im_search *search, size_t count, size_t first,
                       size_t end)
{
    const size_t words = search->index->words;
    im_hamming_pass passed[BLOCK];
    for (size_t at = first; at < end; at += RUN) {
        const size_t codes = end - at < RUN ? end - at : RUN;
        im_index_pass(search->index->codes, words * sizeof(uint64_t), at);
        const uint64_t *run =
            im_hamming_load(s->run, search->index->codes + at * words, codes, words);
        const size_t n =
            search->kernel->within(passed, s->queries, s->bound, count, run, words);
        for (size_t p = 0; p < n; p++) {
            if (codes < RUN)
                passed[p].mask &= ((uint64_t)1 << codes) - 1;
            take_passed(s, search, &passed[p], run, at);
        }
    }
}

/* What was found for a query, or a note that there is no memory for it. */
static void end_query(scanner *s, im_found *out, im_nearest *nearest)
{
    if (im_nearest_end(out, nearest, NULL) == IMSAT_OK)
        return;
    s->st = IMSAT_ENOMEM;
    s->refused = nearest->refused;
}

static void run_task(void *context, size_t task, int thread)
{
    scan *all = context;
    scanner *s = &all->per_thread[thread];
    const im_search *search = all->search;
    const size_t words = search->index->words, n = search->index->distinct;
    const size_t shard = task % all->shards, block = task / all->shards * BLOCK;
    const size_t count = all->count - block < BLOCK ? all->count - block : BLOCK;
    const size_t runs = (n + RUN - 1) / RUN, end = runs * (shard + 1) / all->shards * RUN;
    for (size_t q = 0; q < count; q++) {
        memcpy(s->queries + q * words, search->queries + all->which[block + q] * words,
               words * sizeof *s->queries);
        im_nearest_begin(&s->nearest[q], search->radius);
        s->bound[q] = (uint16_t)s->nearest[q].bound;
    }
    scan_codes(s, search, count, runs * shard / all->shards * RUN, end < n ? end : n);
    for (size_t q = 0; q < count; q++) {
        im_found *part = &all->by_shard[(block + q) * all->shards + shard];
        end_query(s, part, &s->nearest[q]);
    }
}

/* Join the lists of the shards, for a block of queries. */
static void join_task(void *context, size_t task, int thread)
{
    scan *all = context;
    scanner *s = &all->per_thread[thread];
    im_nearest *nearest = &s->nearest[0];
    const size_t first = task * BLOCK;
    for (size_t q = first; q < first + BLOCK && q < all->count; q++) {
        im_found *part = &all->by_shard[q * all->shards];
        im_nearest_begin(nearest, all->search->radius);
        for (size_t p = 0; p < all->shards; p++) {
            for (size_t i = 0; i < part[p].length; i++)
                if (part[p].list[i].distance <= nearest->bound)
                    im_nearest_add(nearest, part[p].list[i].code, part[p].list[i].distance);
            im_free(part[p].list);
            part[p] = (im_found){0};
        }
        end_query(s, part, nearest);
    }
}

static imsat_status scan_new(scan *all, const im_search *search, imsat_error *err)
{
    const size_t threads = (size_t)im_pool_threads(search->pool);
    const size_t blocks = (all->count + BLOCK - 1) / BLOCK;
    const size_t most = search->index->distinct / SHARD_LEAST;
    const size_t wanted = blocks ? (TASKS + blocks - 1) / blocks : 1;
    all->shards = wanted < most ? wanted : most;
    all->shards = all->shards ? all->shards : 1;
    all->by_shard = im_alloc(all->count * all->shards, sizeof *all->by_shard);
    all->per_thread = im_alloc(threads, sizeof *all->per_thread);
    if (!all->by_shard || !all->per_thread)
        return im_fail_memory(err, "the scan");
    for (size_t t = 0; t < threads; t++)
        for (size_t q = 0; q < BLOCK && q < all->count; q++)
            if (im_nearest_new(&all->per_thread[t].nearest[q], search->index, search->count,
                               err) != IMSAT_OK)
                return IMSAT_ENOMEM;
    return IMSAT_OK;
}

static void scan_clear(scan *all)
{
    const size_t threads = (size_t)im_pool_threads(all->search->pool);
    for (size_t t = 0; all->per_thread && t < threads; t++)
        for (size_t q = 0; q < BLOCK; q++)
            im_nearest_clear(&all->per_thread[t].nearest[q]);
    for (size_t i = 0; all->by_shard && i < all->count * all->shards; i++)
        im_free(all->by_shard[i].list);
    im_free(all->by_shard);
    im_free(all->per_thread);
}

imsat_status im_scan(im_found *found, const im_search *search, const uint32_t *which,
                     size_t count, imsat_error *err)
{
    assert(search->radius <= search->index->bits);
    imsat_status st = IMSAT_OK;
    const size_t threads = (size_t)im_pool_threads(search->pool);
    const size_t blocks = (count + BLOCK - 1) / BLOCK;
    scan all = {.search = search, .which = which, .count = count};
    IM_TRY(scan_new(&all, search, err));
    im_pool_run(search->pool, run_task, &all, blocks * all.shards);
    if (all.shards > 1)
        im_pool_run(search->pool, join_task, &all, blocks);
    for (size_t t = 0; t < threads; t++)
        if (all.per_thread[t].st != IMSAT_OK) {
            im_alloc_refuse(all.per_thread[t].refused);
            st = im_fail_memory(err, "the codes that are found");
            goto cleanup;
        }
    for (size_t i = 0; i < count; i++) {
        found[which[i]] = all.by_shard[i * all.shards];
        all.by_shard[i * all.shards] = (im_found){0};
    }

cleanup:
    scan_clear(&all);
    return st;
}
