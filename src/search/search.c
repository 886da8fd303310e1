/* SPDX-License-Identifier: MIT
 *
 * The search: which method answers a query, and the answers in order.
 *
 * `auto` tries hashing on a sample of the queries. If it gives most of them up, the others are
 * scanned at once; else they are hashed, too. What hashing gives up is scanned, whatever the
 * method. No choice changes an answer. An index with a tail is searched twice, and the answers
 * of its parts are joined: both are in order, and no id of one pushes a nearer one of the
 * other out. */
#include "search/search.h"

#include "core/alloc.h"
#include "search/hits.h"
#include "search/mih.h"
#include "search/scan.h"

enum { SAMPLE = 32 /* queries */ };

const char *imsat_search_method_name(imsat_search_method method)
{
    static const char *const names[IMSAT_SEARCH_METHODS] = {"auto", "scan", "mih"};
    return (unsigned)method < IMSAT_SEARCH_METHODS ? names[method] : NULL;
}

void imsat_search_options_init(imsat_search_options *options)
{
    if (!options)
        return;
    *options = (imsat_search_options){.count = 10, .radius = IMSAT_ANY_DISTANCE};
}

/* Move a sample of the queries, evenly spaced, to the front. Returns how many they are. */
static size_t take_sample(uint32_t *which, size_t queries)
{
    const size_t sample = queries < SAMPLE ? queries : SAMPLE;
    for (size_t i = 0; i < sample; i++) {
        const size_t from = i * (queries / SAMPLE);
        const uint32_t other = which[i];
        which[i] = which[from];
        which[from] = other;
    }
    return sample;
}

/* Answer the queries which[first] .. which[first + count - 1] by hashing. Those it gives up
 * are moved to which[*kept] and the places after it, and counted in *kept. */
static imsat_status hash_and_keep(im_found *found, const im_search *search, uint32_t *which,
                                  size_t *kept, size_t first, size_t count, imsat_error *err)
{
    size_t left = 0;
    const imsat_status st = im_mih(found, search, which + first, count, &left, err);
    for (size_t i = 0; i < left; i++)
        which[(*kept)++] = which[first + i];
    return st;
}

imsat_status im_search_run(im_found *found, const im_search *search, size_t queries,
                           imsat_search_method method, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t tried = 0, kept = 0;
    uint32_t *which = im_alloc(queries, sizeof *which);
    if (!which)
        return im_fail_memory(err, "the queries");
    for (size_t q = 0; q < queries; q++)
        which[q] = (uint32_t)q;
    if (method != IMSAT_SEARCH_SCAN && search->index->tables && !search->index->scanned) {
        tried = method == IMSAT_SEARCH_AUTO ? take_sample(which, queries) : 0;
        IM_TRY(hash_and_keep(found, search, which, &kept, 0, tried, err));
        if (2 * kept <= tried) {
            IM_TRY(hash_and_keep(found, search, which, &kept, tried, queries - tried, err));
            tried = queries;
        }
    }
    for (size_t i = tried; i < queries; i++)
        which[kept++] = which[i];
    IM_TRY(im_scan(found, search, which, kept, err));

cleanup:
    im_free(which);
    return st;
}

static imsat_status check(const imsat_index *index, const imsat_codes *queries,
                          const imsat_search_options *options, imsat_error *err)
{
    const imsat_status st = im_words_check(queries, "the queries", err);
    if (st != IMSAT_OK)
        return st;
    if (queries->bits != index->bits)
        return im_fail(err, IMSAT_EMISMATCH,
                       "the queries have %zu bits, the codes of the index %zu", queries->bits,
                       index->bits);
    if (queries->rows > UINT32_MAX)
        return im_fail(err, IMSAT_EINVAL, "%zu queries are too many; search them in parts",
                       queries->rows);
    if ((unsigned)options->method >= IMSAT_SEARCH_METHODS)
        return im_fail(err, IMSAT_EINVAL, "the search method %d is unknown",
                       (int)options->method);
    return IMSAT_OK;
}

/* An index is const to those who search, but for its idle pools (core/pool_cache.h). */
static im_pool_cache *pools_of(const imsat_index *index)
{
    return &((imsat_index *)(uintptr_t)index)->pools;
}

/* The hits of all queries in one part of the index. */
static imsat_status search_part(imsat_hits *hits, const im_search *search, size_t queries,
                                imsat_search_method method, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_found *found = im_alloc(queries, sizeof *found);
    if (!found)
        return im_fail_memory(err, "the queries");
    IM_TRY(im_search_run(found, search, queries, method, err));
    IM_TRY(im_hits_new(hits, found, queries, search->index, search->count, search->pool, err));

cleanup:
    for (size_t q = 0; q < queries; q++)
        im_free(found[q].list);
    im_free(found);
    return st;
}

/* The hits in the tail join those in the index. */
static imsat_status search_tail(imsat_hits *hits, const im_search *search, size_t queries,
                                imsat_search_method method, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_hits more = {0};
    im_search tail = *search;
    tail.index = search->index->tail;
    IM_TRY(search_part(&more, &tail, queries, method, err));
    IM_TRY(im_hits_join(hits, &more, search->count, err));

cleanup:
    imsat_hits_clear(&more);
    return st;
}

imsat_status imsat_search(imsat_hits *hits, const imsat_index *index,
                          const imsat_codes *queries, const imsat_search_options *options,
                          imsat_error *err)
{
    IM_REQUIRE(hits);
    IM_REQUIRE(index);
    IM_REQUIRE(queries);
    IM_REQUIRE(options);
    imsat_status st = IMSAT_OK;
    const size_t n = queries->rows;
    im_pool *pool = NULL;
    uint64_t *words = NULL;
    imsat_hits found = {0};
    IM_TRY(check(index, queries, options, err));
    words = im_alloc(n * index->words, sizeof *words);
    if (!words) {
        st = im_fail_memory(err, "the queries");
        goto cleanup;
    }
    IM_TRY(im_pool_cache_take(pools_of(index), &pool, options->threads, err));
    im_words_pack(words, queries);
    const im_search search = {.index = index,
                              .queries = words,
                              .count = options->count,
                              .radius = options->radius < index->bits ? options->radius
                                                                      : index->bits,
                              .kernel = im_hamming_select(false),
                              .pool = pool,
                              .patience = IM_SEARCH_PATIENCE};
    IM_TRY(search_part(&found, &search, n, options->method, err));
    if (index->tail)
        IM_TRY(search_tail(&found, &search, n, options->method, err));

cleanup:
    st = im_bytes_check(&index->memory, st, err);
    if (st == IMSAT_OK) {
        *hits = found;
        found = (imsat_hits){0};
    }
    imsat_hits_clear(&found);
    im_free(words);
    im_pool_cache_put(pools_of(index), pool);
    return st;
}
