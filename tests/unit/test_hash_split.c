/* SPDX-License-Identifier: MIT
 * Queries drawn from the data: how many of each class, that all rows have their chance, and
 * that the scores are those of the drawn queries. */
#include "imsat/search.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "hash_case.h"
#include "support.h"

#include <string.h>

enum { ROWS = 150, PER_CLASS = 7 };

static void split_of(uint8_t *query, const int32_t *labels, size_t n, size_t per_class,
                     uint64_t seed)
{
    imsat_error err;
    assert_ok(imsat_hash_split(query, labels, n, per_class, seed, &err), &err);
}

static void so_many_of_each_class(void **state)
{
    (void)state;
    hash_side side;
    uint8_t query[ROWS];
    hash_side_make(&side, ROWS, 8, 5, 1);
    split_of(query, side.labels, ROWS, PER_CLASS, 3);
    for (int32_t label = -1; label < 4; label++) {
        size_t drawn = 0;
        for (size_t i = 0; i < ROWS; i++) {
            assert_true(query[i] <= 1);
            drawn += side.labels[i] == label && query[i];
        }
        assert_int_equal(drawn, PER_CLASS);
    }
    hash_side_clear(&side);
}

/* 400 seeds draw 3 of 10 rows: each row about 120 times, with a deviation of 9. */
static void every_row_has_its_chance(void **state)
{
    (void)state;
    enum { N = 21, SEEDS = 400 };
    int32_t labels[N];
    size_t drawn[N] = {0};
    for (size_t i = 0; i < N; i++)
        labels[i] = i % 2 ? 5 : -2; /* 11 of -2, 10 of 5 */
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint8_t query[N];
        split_of(query, labels, N, 3, seed);
        for (size_t i = 0; i < N; i++)
            drawn[i] += query[i];
    }
    for (size_t i = 0; i < N; i++)
        assert_in_range(drawn[i], i % 2 ? 75 : 64, i % 2 ? 165 : 154);
}

static void the_seed_decides(void **state)
{
    (void)state;
    hash_side side;
    uint8_t first[ROWS], again[ROWS], other[ROWS];
    hash_side_make(&side, ROWS, 8, 5, 1);
    split_of(first, side.labels, ROWS, PER_CLASS, 3);
    split_of(again, side.labels, ROWS, PER_CLASS, 3);
    split_of(other, side.labels, ROWS, PER_CLASS, 4);
    assert_memory_equal(first, again, ROWS);
    assert_true(memcmp(first, other, ROWS) != 0);
    hash_side_clear(&side);
}

/* Row 2 i is of one class, row 2 i + 1 of the other. */
static void classes_are_drawn_apart(void **state)
{
    (void)state;
    int32_t labels[ROWS];
    uint8_t query[ROWS];
    size_t differing = 0;
    for (size_t i = 0; i < ROWS; i++)
        labels[i] = (int32_t)(i % 2);
    split_of(query, labels, ROWS, PER_CLASS, 3);
    for (size_t i = 0; i < ROWS; i += 2)
        differing += query[i] != query[i + 1];
    assert_true(differing > 0);
}

static void scores_are_those_of_the_drawn(void **state)
{
    (void)state;
    imsat_error err;
    imsat_hash_score score, same;
    hash_side side, gallery = {{NULL, 0, 12}, NULL}, queries = {{NULL, 0, 12}, NULL};
    uint8_t query[ROWS], gallery_bytes[2 * ROWS], query_bytes[2 * ROWS];
    int32_t gallery_labels[ROWS], query_labels[ROWS];
    hash_side_make(&side, ROWS, 12, 5, 2);
    split_of(query, side.labels, ROWS, PER_CLASS, 9);
    gallery.codes.bytes = gallery_bytes;
    gallery.labels = gallery_labels;
    queries.codes.bytes = query_bytes;
    queries.labels = query_labels;
    for (size_t i = 0; i < ROWS; i++) {
        hash_side *to = query[i] ? &queries : &gallery;
        memcpy(to->codes.bytes + 2 * to->codes.rows, side.codes.bytes + 2 * i, 2);
        to->labels[to->codes.rows++] = side.labels[i];
    }
    assert_ok(
        imsat_evaluate_hash_split(&score, &side.codes, side.labels, PER_CLASS, 9, NULL, &err),
        &err);
    assert_ok(imsat_evaluate_hash(&same, &gallery.codes, gallery_labels, &queries.codes,
                                  query_labels, NULL, &err),
              &err);
    assert_int_equal(score.queries, 5 * PER_CLASS);
    assert_int_equal(score.gallery, ROWS - 5 * PER_CLASS);
    assert_memory_equal(&score.map, &same.map, sizeof(double));
    assert_memory_equal(score.recall, same.recall, 13 * sizeof(double));
    imsat_hash_score_clear(&score);
    imsat_hash_score_clear(&same);
    hash_side_clear(&side);
}

static void refusals(void **state)
{
    (void)state;
    imsat_error err;
    uint8_t query[5] = {7, 7, 7, 7, 7}, bytes[5] = {0};
    const int32_t labels[] = {4, -6, 4, -6, 4}, even[] = {1, 1, 2, 2};
    const imsat_codes codes = {bytes, 4, 8}, none = {bytes, 0, 8};
    imsat_hash_score score = {.map = -3};
    assert_refused(imsat_hash_split(query, labels, 5, 3, 1, &err), &err, IMSAT_EINVAL,
                   "3 queries of each class cannot be drawn: class -6 has 2 rows");
    assert_refused(imsat_hash_split(query, labels, 5, 0, 1, &err), &err, IMSAT_EINVAL,
                   "must be 1 or more");
    assert_refused(imsat_hash_split(query, labels, 0, 1, 1, &err), &err, IMSAT_EINVAL,
                   "no rows");
    assert_int_equal(query[0], 7);
    assert_refused(imsat_evaluate_hash_split(&score, &codes, even, 2, 1, NULL, &err), &err,
                   IMSAT_EINVAL, "leave nothing for the gallery");
    assert_refused(imsat_evaluate_hash_split(&score, &none, even, 2, 1, NULL, &err), &err,
                   IMSAT_EINVAL, "no rows");
    assert_near(score.map, -3, 0);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const hash_side *side = context;
    imsat_hash_score score = {.map = -3};
    imsat_evaluate_hash_options options;
    imsat_evaluate_hash_options_init(&options);
    options.threads = 1;
    const imsat_status st =
        imsat_evaluate_hash_split(&score, &side->codes, side->labels, 2, 1, &options, err);
    if (st != IMSAT_OK)
        assert_near(score.map, -3, 0);
    imsat_hash_score_clear(&score);
    return st;
}

static void no_memory(void **state)
{
    (void)state;
    hash_side side;
    hash_side_make(&side, 40, 10, 2, 4);
    assert_true(fail_each(attempt, &side) >= 8);
    hash_side_clear(&side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(so_many_of_each_class),
        cmocka_unit_test(every_row_has_its_chance),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(classes_are_drawn_apart),
        cmocka_unit_test(scores_are_those_of_the_drawn),
        cmocka_unit_test(refusals),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
