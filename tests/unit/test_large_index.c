/* SPDX-License-Identifier: MIT
 * Indexes and codes larger than a limit on memory: searches, changes and scores hold no more
 * than the limit, and have the answers that they have without one. What cannot be done so is
 * refused, with a limit under which it is done. */
#define _GNU_SOURCE
#include "core/limit.h"
#include "imsat/imsat.h"
#include "imsat/process.h"
#include "imsat/search.h"
#include "process.h"
#include "search/index.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

/* The index takes 40 MB, a page share of LIMIT_MIB about 5. A code in eight comes twice. */
enum { ROWS = 800000, QUERIES = 70, NEAREST = 9, RADIUS = 17, LIMIT_MIB = 56, BYTES = 8 };

static char index_path[300], answer_path[300];
static uint8_t bytes[(size_t)ROWS * BYTES], near[QUERIES * BYTES];
static const imsat_codes codes = {bytes, ROWS, 64}, queries = {near, QUERIES, 64};

/* What a search finds, as numbers that tell. */
typedef struct answer {
    size_t found[2];
    int64_t ids[QUERIES * NEAREST];
    int32_t distances[QUERIES * NEAREST];
    uint64_t sum; /* of all ids within the radius, each times its place */
    int scanned;
} answer;

/* Set the limit; with a sanitizer, one that leaves as much for the library. */
static bool set_limit(size_t mebibytes)
{
    imsat_error err;
    if (!SANITIZED)
        return imsat_set_max_memory(mebibytes << 20, &err) == IMSAT_OK;
    im_limit_set(mebibytes << 20, (size_t)34 << 20);
    return true;
}

static imsat_status search(answer *out, imsat_error *err)
{
    imsat_index *index = NULL;
    imsat_hits nearest = {0}, within = {0};
    imsat_search_options options;
    memset(out, 0, sizeof *out);
    imsat_search_options_init(&options);
    options.threads = 2;
    options.count = NEAREST;
    imsat_status st = imsat_index_open(&index, index_path, err);
    if (st == IMSAT_OK)
        st = imsat_search(&nearest, index, &queries, &options, err);
    options.count = 0;
    options.radius = RADIUS;
    if (st == IMSAT_OK)
        st = imsat_search(&within, index, &queries, &options, err);
    if (st == IMSAT_OK) {
        out->scanned = index->scanned;
        out->found[0] = nearest.start[QUERIES];
        out->found[1] = within.start[QUERIES];
        memcpy(out->ids, nearest.ids, sizeof out->ids);
        memcpy(out->distances, nearest.distance, sizeof out->distances);
        for (size_t i = 0; i < out->found[1]; i++)
            out->sum += (uint64_t)within.ids[i] * (i + 1);
    }
    imsat_hits_clear(&nearest);
    imsat_hits_clear(&within);
    imsat_index_free(index);
    return st;
}

static int peak(void)
{
    return process_peak() > 250 ? 250 : (int)process_peak();
}

/* In a process of its own: the answer goes to a file, and the peak is the exit code. */
static int search_within(const void *context)
{
    static answer found;
    imsat_error err;
    (void)context;
    if (!set_limit(LIMIT_MIB) || search(&found, &err) != IMSAT_OK)
        return 255;
    write_file(answer_path, &found, sizeof found);
    return peak();
}

static void a_search_has_the_same_answers(void **state)
{
    (void)state;
    static answer within, without;
    imsat_error err;
    const int most = process_run(search_within, NULL);
    assert_in_range(most, 1, SANITIZED ? 250 : LIMIT_MIB);
    assert_int_equal(read_file(answer_path, &within, sizeof within), sizeof within);
    assert_true(within.scanned);
    assert_ok(search(&without, &err), &err);
    assert_false(without.scanned);
    assert_int_equal(without.found[0], QUERIES * NEAREST);
    assert_true(without.found[1] > QUERIES);
    without.scanned = within.scanned;
    assert_memory_equal(&within, &without, sizeof within);
}

/* ---- what is refused --------------------------------------------------------------- */

/* The limit that a refusal names, in MiB; 0: it names none. */
static size_t named(const imsat_error *err)
{
    size_t enough = 0;
    const char *advice = strstr(err->message, "; allow ");
    return advice && sscanf(advice, "; allow %zuM", &enough) == 1 ? enough : 0;
}

/* Delete a row of the file, under limits that refusals name: 0 if it was refused, and then
 * done, after two of them at most: for what is certain, and for what is known when all codes
 * are sorted. */
static int delete_at_last(const void *context)
{
    const int64_t id = 5;
    const imsat_index_change change = {.delete_ids = &id, .delete_count = 1};
    imsat_index_info info;
    imsat_error err;
    size_t limit = LIMIT_MIB, refusals = 0;
    (void)context;
    while (set_limit(limit)) {
        const imsat_status st = imsat_index_update(&info, index_path, &change, &err);
        if (st == IMSAT_OK)
            return info.rows != ROWS - 1 || !refusals;
        limit = named(&err);
        if (st != IMSAT_ENOMEM || limit == 0 || ++refusals > 2)
            break;
    }
    return 2;
}

static void a_change_is_refused_with_a_limit_that_does(void **state)
{
    (void)state;
    imsat_index_info info;
    imsat_error err;
    assert_int_equal(process_run(delete_at_last, NULL), 0);
    assert_ok(imsat_index_peek(&info, index_path, &err), &err);
    assert_int_equal(info.rows, ROWS - 1);
}

/* All codes are near enough: too many for the limit, however few the queries are. */
static int find_too_many(const void *context)
{
    imsat_index *index = NULL;
    imsat_hits hits = {0};
    imsat_search_options options;
    imsat_error err;
    const imsat_codes one = {near, 1, 64};
    (void)context;
    imsat_search_options_init(&options);
    options.count = 0;
    options.radius = 64;
    if (!set_limit(LIMIT_MIB) || imsat_index_open(&index, index_path, &err) != IMSAT_OK)
        return 2;
    const imsat_status st = imsat_search(&hits, index, &one, &options, &err);
    imsat_index_free(index);
    return st == IMSAT_ENOMEM && named(&err) > LIMIT_MIB ? 0 : 3;
}

static void answers_without_room_are_refused(void **state)
{
    (void)state;
    assert_int_equal(process_run(find_too_many, NULL), 0);
}

/* ---- scores -------------------------------------------------------------------------- */

/* Of codes, of which the words take 7 MB, under a limit that the refusal names. */
static int score_at_last(const void *context)
{
    static int32_t labels[ROWS];
    imsat_hash_score score = {0};
    imsat_error err;
    const imsat_codes few = {near, 3, 64};
    (void)context;
    for (size_t i = 0; i < ROWS; i++)
        labels[i] = bytes[i * BYTES] % 3;
    im_limit_set((size_t)LIMIT_MIB << 20, (size_t)50 << 20);
    if (imsat_evaluate_hash(&score, &codes, labels, &few, labels, NULL, &err) != IMSAT_ENOMEM)
        return 2;
    im_limit_set(named(&err) << 20, (size_t)50 << 20);
    const imsat_status st =
        imsat_evaluate_hash(&score, &codes, labels, &few, labels, NULL, &err);
    const size_t rows = score.gallery;
    imsat_hash_score_clear(&score);
    return st == IMSAT_OK && rows == ROWS ? 0 : 3;
}

static void a_score_is_refused_with_a_limit_that_does(void **state)
{
    (void)state;
    assert_int_equal(process_run(score_at_last, NULL), 0);
}

static int setup(void **state)
{
    imsat_index *index = NULL;
    imsat_error err;
    uint64_t noise = 1;
    folder_setup(state);
    snprintf(index_path, sizeof index_path, "%s", in_folder("codes.index"));
    snprintf(answer_path, sizeof answer_path, "%s", in_folder("answer"));
    for (size_t i = 0; i < ROWS; i++) {
        noise = noise * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint64_t code = noise ^ noise >> 31;
        memcpy(bytes + i * BYTES, i % 8 == 7 ? bytes + i / 2 * BYTES : (const void *)&code,
               BYTES);
    }
    for (size_t q = 0; q < QUERIES; q++) {
        memcpy(near + q * BYTES, bytes + q * 11000 * BYTES, BYTES);
        near[q * BYTES] ^= (uint8_t)q;
    }
    assert_ok(imsat_index_new(&index, &codes, NULL, &err), &err);
    assert_ok(imsat_index_save(index, index_path, &err), &err);
    imsat_index_free(index);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_has_the_same_answers),
        cmocka_unit_test(answers_without_room_are_refused),
        cmocka_unit_test(a_change_is_refused_with_a_limit_that_does),
        cmocka_unit_test(a_score_is_refused_with_a_limit_that_does),
    };
    if (!can_fork())
        return 77;
    return cmocka_run_group_tests_name("large index", tests, setup, folder_teardown);
}
