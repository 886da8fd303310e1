/* SPDX-License-Identifier: MIT
 * Search of the 10 nearest of 10^6 codes of 64 bits (--full: 10^7): random codes beside
 * FAISS's exhaustive search, and beside the loop that FAISS has, compiled for this machine,
 * since Debian compiles it for any; and codes that crowd around centers and repeat, as learned
 * ones do, by both methods beside the scan of all of them; and calls with one query. */
#include "bench.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "search/index.h"
#include "search/scan.h"

#include <stdio.h>
#include <string.h>

enum {
    ROWS = 1000000,
    FULL_ROWS = 10000000,
    FEW_ROWS = 1000,
    QUERIES = 1000,
    CALLS = 1000,
    BITS = 64,
    BYTES = BITS / 8,
    NEAREST = 10
};

typedef struct searching {
    const imsat_index *index;
    imsat_codes queries;
    imsat_search_options opt;
} searching;

static void run_search(void *context)
{
    searching *s = context;
    imsat_hits hits;
    if (imsat_search(&hits, s->index, &s->queries, &s->opt, NULL) != IMSAT_OK) {
        fprintf(stderr, "bench: the search failed\n");
        return;
    }
    imsat_hits_clear(&hits);
}

static void random_codes(uint8_t *bytes, size_t rows, uint64_t seed)
{
    uint32_t block[4];
    for (size_t i = 0; i < rows; i++) {
        im_rng_block(block, (im_rng){seed, IM_STREAM_INIT, 0, 0}, (uint32_t)i, 0);
        memcpy(bytes + i * BYTES, block, BYTES);
    }
}

/* One of `centers` random codes, each bit of it flipped with a probability of 2^-5. */
static void crowded_codes(uint8_t *bytes, size_t rows, uint64_t seed, uint32_t centers)
{
    uint32_t block[4], flips[4];
    for (size_t i = 0; i < rows; i++) {
        uint8_t center[BYTES], flipped[BYTES];
        im_rng_block(block, (im_rng){seed, IM_STREAM_INIT, 0, 0}, (uint32_t)i, 0);
        random_codes(center, 1, 1000 + block[0] % centers);
        memset(flipped, 255, sizeof flipped);
        for (uint32_t b = 1; b <= 3; b++) { /* the and of five random codes */
            im_rng_block(flips, (im_rng){seed, IM_STREAM_INIT, 0, 0}, (uint32_t)i, b);
            for (size_t j = 0; j < BYTES; j++)
                flipped[j] &= (uint8_t)(flips[j / 4] >> 8 * (j % 4)) &
                              (b < 3 ? (uint8_t)(flips[2 + j / 4] >> 8 * (j % 4)) : 255);
        }
        for (size_t j = 0; j < BYTES; j++)
            bytes[i * BYTES + j] = center[j] ^ flipped[j];
    }
}

static bench_row *add_method(bench *b, searching *s, imsat_search_method method,
                             const char *what)
{
    char name[64];
    s->opt.method = method;
    snprintf(name, sizeof name, "search %s, %s", what, imsat_search_method_name(method));
    return bench_add(b, name, bench_best(run_search, s, 2), 0);
}

/* ---- the scan of all codes, repeated ones, too --------------------------------- */

typedef struct scanning {
    im_search search;
    uint32_t which[QUERIES];
    im_found found[QUERIES];
} scanning;

static void run_scan(void *context)
{
    scanning *s = context;
    if (im_scan(s->found, &s->search, s->which, QUERIES, NULL) != IMSAT_OK)
        fprintf(stderr, "bench: the scan failed\n");
    for (size_t q = 0; q < QUERIES; q++) {
        im_free(s->found[q].list);
        s->found[q] = (im_found){0};
    }
}

/* An index in name only: each row a code of its own. */
static void add_scan_of_all(bench *b, const imsat_codes *codes, const imsat_codes *queries,
                            const char *what)
{
    static scanning s;
    uint64_t *words = im_alloc(codes->rows, sizeof *words);
    uint64_t *asked = im_alloc(queries->rows, sizeof *asked);
    uint32_t *first = im_alloc(codes->rows + 1, sizeof *first);
    int64_t *ids = im_alloc(codes->rows, sizeof *ids);
    if (words && asked && first && ids) {
        im_words_pack(words, codes);
        im_words_pack(asked, queries);
        for (size_t i = 0; i < codes->rows; i++) {
            first[i + 1] = (uint32_t)i + 1;
            ids[i] = (int64_t)i;
        }
        const imsat_index rows = {.bits = BITS,
                                  .words = 1,
                                  .rows = codes->rows,
                                  .distinct = codes->rows,
                                  .codes = words,
                                  .first = first,
                                  .ids = ids};
        s.search = (im_search){.index = &rows,
                               .queries = asked,
                               .count = NEAREST,
                               .radius = BITS,
                               .kernel = im_hamming_select(false),
                               .pool = b->pool};
        for (uint32_t q = 0; q < QUERIES; q++)
            s.which[q] = q;
        char name[64];
        snprintf(name, sizeof name, "search %s, scan of all rows", what);
        bench_add(b, name, bench_best(run_scan, &s, 2), 0);
    }
    im_free(words);
    im_free(asked);
    im_free(first);
    im_free(ids);
}

/* ---- a plain loop, as a peer ----------------------------------------------------- */

/* Each query by itself, each code by itself: the distance, and, if it is less than the largest
 * of the nearest so far, its place among them. */
typedef struct looping {
    bench *b;
    const uint64_t *codes, *queries;
    size_t rows;
    uint32_t sum[QUERIES]; /* of the distances that were found, so that they are computed */
} looping;

#if defined(__x86_64__)
__attribute__((target("popcnt")))
#endif
static void
loop_query(void *context, size_t q, int thread)
{
    looping *l = context;
    (void)thread;
    uint32_t nearest[NEAREST], sum = 0;
    for (size_t i = 0; i < NEAREST; i++)
        nearest[i] = BITS;
    for (size_t i = 0; i < l->rows; i++) {
        const uint32_t distance = (uint32_t)__builtin_popcountll(l->codes[i] ^ l->queries[q]);
        if (distance >= nearest[NEAREST - 1])
            continue;
        size_t at = NEAREST - 1;
        for (; at > 0 && nearest[at - 1] > distance; at--)
            nearest[at] = nearest[at - 1];
        nearest[at] = distance;
    }
    for (size_t i = 0; i < NEAREST; i++)
        sum += nearest[i];
    l->sum[q] = sum;
}

static void run_loop(void *context)
{
    looping *l = context;
    im_pool_run(l->b->pool, loop_query, l, QUERIES);
}

static void add_loop(bench *b, double ours, const imsat_codes *codes,
                     const imsat_codes *queries)
{
    static looping l;
    uint64_t *words = im_alloc(codes->rows, sizeof *words);
    uint64_t *asked = im_alloc(queries->rows, sizeof *asked);
    if (b->peers && words && asked) {
        im_words_pack(words, codes);
        im_words_pack(asked, queries);
        l = (looping){.b = b, .codes = words, .queries = asked, .rows = codes->rows};
        bench_row *row = bench_add(b, "search random, scan", ours, 0);
        snprintf(row->setting, sizeof row->setting,
                 "each code by itself, with the instruction that counts bits, threads %d",
                 b->threads);
        bench_beside(row, "plain loop", bench_best(run_loop, &l, 2));
    }
    im_free(words);
    im_free(asked);
}

/* Calls with one query: what a call costs besides the search, with the threads of this
 * benchmark and with one. */
static void run_calls(void *context)
{
    for (int i = 0; i < CALLS; i++)
        run_search(context);
}

static void bench_calls(bench *b, searching s, const imsat_codes *codes)
{
    const int threads[2] = {b->threads, 1};
    const imsat_codes few = {codes->bytes, FEW_ROWS, BITS};
    imsat_index *index = NULL;
    char name[64];
    if (imsat_index_new(&index, &few, NULL, NULL) != IMSAT_OK)
        return;
    s.index = index;
    s.queries.rows = 1;
    s.opt.method = IMSAT_SEARCH_AUTO;
    for (int i = 0; i < 2; i++) {
        s.opt.threads = threads[i];
        snprintf(name, sizeof name, "search 1 query %d times, threads: %d", CALLS, threads[i]);
        bench_add(b, name, bench_best(run_calls, &s, 5), 0);
    }
    imsat_index_free(index);
}

static void bench_random(bench *b, searching *s, const imsat_codes *codes)
{
    char arguments[64];
    imsat_index *index = NULL;
    if (imsat_index_new(&index, codes, NULL, NULL) != IMSAT_OK)
        return;
    s->index = index;
    bench_row *row = add_method(b, s, IMSAT_SEARCH_SCAN, "random");
    snprintf(arguments, sizeof arguments, "%zu %d", codes->rows, QUERIES);
    bench_peer(b, row, "FAISS", "faiss_binary_peer.py", arguments);
    add_loop(b, row->ours, codes, &s->queries);
    add_method(b, s, IMSAT_SEARCH_MIH, "random");
    add_method(b, s, IMSAT_SEARCH_AUTO, "random");
    imsat_index_free(index);
}

/* Codes that repeat. */
static void bench_repeated(bench *b, searching *s, const imsat_codes *codes, const char *what)
{
    imsat_index *index = NULL;
    if (imsat_index_new(&index, codes, NULL, NULL) != IMSAT_OK)
        return;
    s->index = index;
    fprintf(stderr, "%s: %zu rows have %zu different codes\n", what, codes->rows,
            index->distinct);
    add_scan_of_all(b, codes, &s->queries, what);
    add_method(b, s, IMSAT_SEARCH_SCAN, what);
    add_method(b, s, IMSAT_SEARCH_MIH, what);
    imsat_index_free(index);
}

static void bench_files(bench *b, searching s)
{
    imsat_codes codes = {0};
    imsat_error err;
    s.queries = (imsat_codes){0};
    if (imsat_codes_read(&codes, &b->codes, 1, NULL, &err) != IMSAT_OK ||
        imsat_codes_read(&s.queries, &b->queries, 1, NULL, &err) != IMSAT_OK)
        fprintf(stderr, "bench: %s\n", err.message);
    else if (codes.bits != BITS || s.queries.bits != BITS || s.queries.rows != QUERIES)
        fprintf(stderr, "bench: --codes and --queries must have %d bits, and %d queries\n",
                BITS, QUERIES);
    else
        bench_repeated(b, &s, &codes, "learned");
    imsat_codes_clear(&codes);
    imsat_codes_clear(&s.queries);
}

void bench_search(bench *b)
{
    searching s = {.queries = {im_alloc(QUERIES, BYTES), QUERIES, BITS}};
    const size_t rows = b->full ? FULL_ROWS : ROWS;
    const imsat_codes codes = {im_alloc(rows, BYTES), rows, BITS};
    imsat_search_options_init(&s.opt);
    s.opt.count = NEAREST;
    s.opt.threads = b->threads;
    if (codes.bytes && s.queries.bytes) {
        random_codes(codes.bytes, rows, 1);
        random_codes(s.queries.bytes, QUERIES, 2);
        bench_random(b, &s, &codes);
        bench_calls(b, s, &codes);
        crowded_codes(codes.bytes, rows, 3, 100);
        crowded_codes(s.queries.bytes, QUERIES, 4, 100);
        bench_repeated(b, &s, &codes, "crowded");
    }
    if (b->codes && b->queries)
        bench_files(b, s);
    im_free(codes.bytes);
    im_free(s.queries.bytes);
}
