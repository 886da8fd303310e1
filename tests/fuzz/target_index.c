/* SPDX-License-Identifier: MIT
 *
 * Index files: one that is accepted answers every search as a loop over its rows does, and so
 * does what append, delete, save and open make of it. Besides files that are changed, the
 * mutator makes new ones, of random codes. */
#include "search/index.h"

#include "tensors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 8192,
    QUERIES = 3,
    ROWS_MOST = MOST / 8 + QUERIES,
    BYTES_MOST = IMSAT_MAX_BITS / 8
};

/* ---- good files ---------------------------------------------------------------- */

/* An index of random codes around a few centers, so that some are equal, with ids in no order.
 */
static imsat_index *random_index(size_t rows, size_t bits)
{
    static uint8_t bytes[ROWS_MOST * 8];
    static int64_t ids[ROWS_MOST];
    const size_t width = imsat_code_bytes(bits), centers = 1 + rows / 4;
    const imsat_codes codes = {bytes, rows, bits};
    imsat_index *index = NULL;
    imsat_error err;
    REQUIRE(rows <= ROWS_MOST && rows * width <= sizeof bytes, "%zu rows", rows);
    for (size_t i = 0; i < rows * width; i++)
        bytes[i] = i / width < centers ? (uint8_t)fuzz_random() : bytes[i % (centers * width)];
    for (size_t i = centers; i < rows; i++)
        bytes[i * width + fuzz_below(width)] ^= (uint8_t)(fuzz_below(2) << fuzz_below(8));
    for (size_t i = 1; bits % 8 && i <= rows; i++)
        bytes[i * width - 1] &= (uint8_t) ~(0xffU >> bits % 8);
    for (size_t i = 0; i < rows; i++)
        ids[i] = (int64_t)((i * 7919 + 13) % 10007) - (int64_t)(i % 2) * 20000;
    fuzz_succeeded(imsat_index_new(&index, &codes, fuzz_below(2) ? ids : NULL, &err), &err);
    return index;
}

static void seed_index(size_t rows, size_t bits)
{
    imsat_error err;
    imsat_index *index = random_index(rows, bits);
    fuzz_succeeded(imsat_index_save(index, "seed", &err), &err);
    fuzz_seed_file("seed");
    imsat_index_free(index);
}

/* An index of no codes, which only a deletion makes. */
static void seed_empty(void)
{
    imsat_error err;
    imsat_index *index = random_index(1, 9), *empty = NULL;
    const int64_t id = index->ids[0];
    fuzz_succeeded(imsat_index_delete(&empty, index, &id, 1, &err), &err);
    fuzz_succeeded(imsat_index_save(empty, "seed", &err), &err);
    fuzz_seed_file("seed");
    imsat_index_free(index);
    imsat_index_free(empty);
}

static void begin(void)
{
    fuzz_random_seed(11);
    seed_empty();
    seed_index(1, 1);
    seed_index(20, 11);
    seed_index(24, 64);
    seed_index(9, 130);
    seed_index(2, 1024);
    seed_index(200, 17); /* with tables */
}

/* ---- the search by a loop -------------------------------------------------------- */

/* A row as a search has to order them. */
typedef struct hit {
    int32_t distance;
    int64_t id;
} hit;

static int by_distance(const void *a, const void *b)
{
    const hit *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* All rows by their distance from a query, bit by bit. */
static void order_rows(hit *out, const imsat_index *index, const uint8_t *query)
{
    for (size_t c = 0; c < index->distinct; c++) {
        int32_t distance = 0;
        for (size_t i = 0; i < imsat_code_bytes(index->bits); i++) {
            const uint64_t word = index->codes[c * index->words + i / 8];
            distance +=
                __builtin_popcount((unsigned)(query[i] ^ (word >> 8 * (i % 8) & 0xff)));
        }
        for (size_t i = index->first[c]; i < index->first[c + 1]; i++)
            out[i] = (hit){distance, index->ids[i]};
    }
    qsort(out, index->rows, sizeof *out, by_distance);
}

/* The hits of every query are the first of the rows in their order (queries, rows). */
static void check_hits(const imsat_hits *hits, const hit *order, size_t rows, size_t count,
                       size_t radius)
{
    REQUIRE(hits->queries == QUERIES && hits->start[0] == 0, "%zu answers", hits->queries);
    for (size_t q = 0; q < QUERIES; q++) {
        const size_t first = hits->start[q], n = hits->start[q + 1] - first;
        const hit *expected = order + q * rows;
        size_t within = 0;
        while (within < rows && (size_t)expected[within].distance <= radius &&
               (!count || within < count))
            within++;
        REQUIRE(n == within, "query %zu: %zu hits, not %zu", q, n, within);
        for (size_t i = 0; i < n; i++)
            REQUIRE(hits->distance[first + i] == expected[i].distance &&
                        hits->ids[first + i] == expected[i].id,
                    "query %zu, hit %zu: %" PRId64 " at %d, not %" PRId64 " at %d", q, i,
                    hits->ids[first + i], hits->distance[first + i], expected[i].id,
                    expected[i].distance);
    }
}

/* Queries: zeros, a code of the index, and one beside it. */
static imsat_codes make_queries(const imsat_index *index)
{
    static uint8_t bytes[QUERIES * BYTES_MOST];
    const size_t width = imsat_code_bytes(index->bits), middle = index->distinct / 2;
    memset(bytes, 0, sizeof bytes);
    for (size_t i = 0; index->distinct && i < width; i++)
        bytes[width + i] = bytes[2 * width + i] =
            (uint8_t)(index->codes[middle * index->words + i / 8] >> 8 * (i % 8));
    bytes[2 * width] ^= 0x80;
    return (imsat_codes){bytes, QUERIES, index->bits};
}

static void check_search(const imsat_index *index)
{
    static const size_t counts[] = {3, 0}, radii[] = {IMSAT_ANY_DISTANCE, 4};
    static hit order[QUERIES * ROWS_MOST];
    const imsat_codes queries = make_queries(index);
    for (size_t q = 0; q < QUERIES; q++)
        order_rows(order + q * index->rows, index,
                   queries.bytes + q * imsat_code_bytes(queries.bits));
    for (int m = 0; m < IMSAT_SEARCH_METHODS; m++)
        for (size_t i = 0; i < 2; i++) {
            imsat_search_options options;
            imsat_hits hits = {0};
            imsat_error err;
            imsat_search_options_init(&options);
            options.method = (imsat_search_method)m;
            options.threads = 1;
            options.count = counts[i];
            options.radius = radii[i];
            fuzz_succeeded(imsat_search(&hits, index, &queries, &options, &err), &err);
            check_hits(&hits, order, index->rows, counts[i], radii[i]);
            imsat_hits_clear(&hits);
        }
}

/* ---- changes ------------------------------------------------------------------------ */

/* Save and open again: the same numbers. */
static void check_saved(const imsat_index *index)
{
    imsat_index *again = NULL;
    imsat_error err;
    fuzz_succeeded(imsat_index_save(index, "again", &err), &err);
    fuzz_succeeded(imsat_index_open(&again, "again", &err), &err);
    REQUIRE(again->rows == index->rows && again->distinct == index->distinct &&
                again->bits == index->bits && again->tables == index->tables,
            "what is saved is not what is opened");
    check_search(again);
    imsat_index_free(again);
}

/* Add a code and delete an old one. Ids that a file has twice, which opening does not look
 * for, may be refused. */
static void check_changed(const imsat_index *index)
{
    const imsat_codes queries = make_queries(index);
    imsat_index *more = NULL, *less = NULL;
    imsat_error err = {{0}};
    imsat_status st = imsat_index_append(&more, index, &queries, NULL, &err);
    if (st == IMSAT_OK) {
        REQUIRE(more->rows == index->rows + QUERIES, "%zu rows and %d are %zu", index->rows,
                QUERIES, more->rows);
        check_saved(more);
        st = imsat_index_delete(&less, more, &more->ids[0], 1, &err);
    }
    if (st == IMSAT_OK)
        REQUIRE(less->rows + 1 == more->rows, "%zu rows less one are %zu", more->rows,
                less->rows);
    else
        fuzz_refused_value(st, &err);
    imsat_index_free(more);
    imsat_index_free(less);
}

static bool run(const uint8_t *input, size_t size)
{
    imsat_index *index = NULL;
    imsat_error err = {{0}};
    fuzz_file_put("fuzzed.index", input, size);
    const imsat_status st = imsat_index_open(&index, "fuzzed.index", &err);
    if (st != IMSAT_OK) {
        REQUIRE(!index, "an index after a failure");
        fuzz_refused(st, &err, "fuzzed.index");
        return false;
    }
    REQUIRE(index->rows <= ROWS_MOST && index->bits >= 1 && index->bits <= IMSAT_MAX_BITS,
            "%zu rows of %zu bits from %zu bytes", index->rows, index->bits, size);
    check_search(index);
    if (index->rows <= 16)
        check_changed(index);
    imsat_index_free(index);
    return true;
}

/* A new index now and then. */
static size_t mutate(uint8_t *input, size_t size, size_t room)
{
    imsat_error err;
    size_t length = 0;
    if (fuzz_below(16))
        return tensors_mutate(input, size, room);
    const size_t bits = 1 + fuzz_below(fuzz_below(2) ? 20 : 200);
    imsat_index *index = random_index(1 + fuzz_below(fuzz_below(4) ? 20 : 150), bits);
    fuzz_succeeded(imsat_index_save(index, "new", &err), &err);
    imsat_index_free(index);
    const uint8_t *bytes = fuzz_file_get("new", &length);
    if (length > room)
        return tensors_mutate(input, size, room);
    memcpy(input, bytes, length);
    return length;
}

const fuzz_target fuzz_this = {"index", MOST, begin, run, mutate};
