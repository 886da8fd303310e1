/* SPDX-License-Identifier: MIT
 *
 * Index files, with and without a journal: one that is accepted answers every search as a loop
 * over its rows does, and so does what append, delete, save and open make of it. Small ones
 * are also changed as files: then they are in memory that has a descriptor, since appending
 * reads and writes by one. Besides files that are changed, the mutator makes new ones, of
 * random codes. */
#define _GNU_SOURCE
#include "search/index.h"

#include "records.h"
#include "tensors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    MOST = 8192,
    QUERIES = 3,
    SMALL = 16, /* rows, at most, of an index that is changed */
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

/* The last seed again, with some records behind it. */
static void seed_journal(size_t records)
{
    static uint8_t bytes[MOST];
    size_t size = 0;
    const uint8_t *seed = fuzz_file_get("seed", &size);
    REQUIRE(seed && size <= MOST, "a seed of %zu bytes", size);
    memcpy(bytes, seed, size);
    for (size_t i = 0; i < records; i++) {
        const size_t grown = records_add(bytes, size, MOST);
        REQUIRE(grown > size, "no room for record %zu", i);
        size = grown;
    }
    fuzz_seed(bytes, size);
}

static void begin(void)
{
    fuzz_random_seed(11);
    seed_empty();
    seed_journal(1);
    seed_index(1, 1);
    seed_index(20, 11);
    seed_journal(3);
    seed_index(24, 64);
    seed_index(9, 130);
    seed_journal(2);
    seed_index(2, 1024);
    seed_index(150, 9);
    seed_journal(1);     /* so few that an append merges nothing */
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

/* The rows of one part of an index, with their distance from a query, bit by bit. */
static void list_rows(hit *out, const imsat_index *part, const uint8_t *query)
{
    for (size_t c = 0; c < part->distinct; c++) {
        int32_t distance = 0;
        for (size_t i = 0; i < imsat_code_bytes(part->bits); i++) {
            const uint64_t word = part->codes[c * part->words + i / 8];
            distance +=
                __builtin_popcount((unsigned)(query[i] ^ (word >> 8 * (i % 8) & 0xff)));
        }
        for (size_t i = part->first[c]; i < part->first[c + 1]; i++)
            out[i] = (hit){distance, part->ids[i]};
    }
}

/* All rows by their distance. */
static void order_rows(hit *out, const imsat_index *index, const uint8_t *query)
{
    list_rows(out, index, query);
    if (index->tail)
        list_rows(out + index->rows, index->tail, query);
    qsort(out, imsat_index_rows(index), sizeof *out, by_distance);
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
    const size_t rows = imsat_index_rows(index);
    for (size_t q = 0; q < QUERIES; q++)
        order_rows(order + q * rows, index,
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
            check_hits(&hits, order, rows, counts[i], radii[i]);
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
        REQUIRE(more->rows == imsat_index_rows(index) + QUERIES, "%zu rows and %d are %zu",
                imsat_index_rows(index), QUERIES, more->rows);
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

/* The input as a file of the system, which has no name in any folder; its path. */
static const char *put_in_system(const uint8_t *input, size_t size)
{
    static char path[32];
    static int file = -1;
    if (file < 0)
        file = memfd_create("fuzzed", MFD_CLOEXEC);
    REQUIRE(file >= 0 && ftruncate(file, 0) == 0 &&
                pwrite(file, input, size, 0) == (ssize_t)size,
            "no file for %zu bytes", size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return path;
}

/* Append to a file, and open what it then is: where it was merged, in memory.c. */
static imsat_status append_to_file(imsat_index **out, const char *path,
                                   const imsat_codes *codes, imsat_error *err)
{
    static uint8_t bytes[2 * MOST];
    const imsat_index_change change = {.codes = codes};
    imsat_status st = imsat_index_update(NULL, path, &change, err);
    if (st != IMSAT_OK)
        return st;
    size_t size = 0;
    if (fuzz_file_get(path, &size))
        return imsat_index_open(out, path, err);
    FILE *file = fopen(path, "rb");
    REQUIRE(file, "%s: cannot be read", path);
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    fuzz_file_put("appended", bytes, size);
    return imsat_index_open(out, "appended", err);
}

/* What an index says of itself from its first and last bytes alone is so, and codes that are
 * appended to it by these are there. */
static void check_file(const imsat_index *index, const uint8_t *input, size_t size)
{
    const char *path = put_in_system(input, size);
    const imsat_codes queries = make_queries(index);
    const size_t rows = imsat_index_rows(index);
    imsat_index *more = NULL;
    imsat_index_info info;
    imsat_error err = {{0}};
    fuzz_succeeded(imsat_index_peek(&info, path, &err), &err);
    REQUIRE(info.rows == rows && info.bits == index->bits &&
                info.journal_rows == imsat_index_journal_rows(index),
            "%zu rows of %zu bits, %zu of them in the journal, are said to be %zu of %zu, %zu",
            rows, index->bits, imsat_index_journal_rows(index), info.rows, info.bits,
            info.journal_rows);
    const imsat_status st = append_to_file(&more, path, &queries, &err);
    if (st == IMSAT_OK) {
        REQUIRE(imsat_index_rows(more) == rows + QUERIES, "%zu rows and %d are %zu", rows,
                QUERIES, imsat_index_rows(more));
        REQUIRE(im_index_largest(more) == im_index_largest(index) + QUERIES,
                "after %" PRId64 " come ids up to %" PRId64, im_index_largest(index),
                im_index_largest(more));
        check_search(more);
    } else {
        fuzz_refused_value(st, &err);
    }
    imsat_index_free(more);
}

/* A file that cannot be opened may be appended to, which reads little of it; or this is
 * refused. */
static void check_refused_file(const uint8_t *input, size_t size)
{
    static uint8_t zeros[BYTES_MOST];
    const char *path = put_in_system(input, size);
    imsat_index_info info;
    imsat_error err = {{0}};
    imsat_status st = imsat_index_peek(&info, path, &err);
    if (st == IMSAT_OK) {
        const imsat_codes codes = {zeros, 1, info.bits};
        const imsat_index_change change = {.codes = &codes};
        st = imsat_index_update(NULL, path, &change, &err);
    }
    if (st != IMSAT_OK)
        fuzz_refused_value(st, &err);
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
        if (records_start(input, size) < size)
            check_refused_file(input, size);
        return false;
    }
    const size_t rows = imsat_index_rows(index);
    REQUIRE(rows <= ROWS_MOST && index->bits >= 1 && index->bits <= IMSAT_MAX_BITS,
            "%zu rows of %zu bits from %zu bytes", rows, index->bits, size);
    check_search(index);
    if (rows <= SMALL)
        check_changed(index);
    if (rows <= SMALL || index->tail)
        check_file(index, input, size);
    imsat_index_free(index);
    return true;
}

/* A new index. */
static size_t make_new(uint8_t *input, size_t size, size_t room)
{
    imsat_error err;
    size_t length = 0;
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

/* Change the base alone; the journal behind it still fits. */
static size_t mutate_base(uint8_t *input, size_t start, size_t size, size_t room)
{
    static uint8_t journal[MOST];
    const size_t rest = size - start;
    if (size > room || rest > MOST)
        return tensors_mutate(input, size, room);
    memcpy(journal, input + start, rest);
    const size_t base = tensors_mutate(input, start, room - rest);
    memcpy(input + base, journal, rest);
    records_rebase(input, base, base + rest);
    return base + rest;
}

/* A new index now and then, and another record. */
static size_t mutate(uint8_t *input, size_t size, size_t room)
{
    const size_t start = records_start(input, size);
    switch (fuzz_below(16)) {
    case 0: return make_new(input, size, room);
    case 1: return records_add(input, size, room);
    default:
        if (start < size && fuzz_below(2))
            return records_mutate(input, start, size);
        return mutate_base(input, start, size, room);
    }
}

const fuzz_target fuzz_this = {"index", MOST, begin, run, mutate};
