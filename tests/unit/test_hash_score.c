/* SPDX-License-Identifier: MIT
 * Scores of hash codes against their definitions, for all rules of ties; that the number of
 * threads changes nothing; what is refused.
 * tsan: threads_do_not_matter, more_queries_than_a_chunk_has. */
#include "imsat/search.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "hash_case.h"
#include "support.h"

#include <string.h>

enum { ROWS = 61, QUERIES = 43, CLASSES = 4 };

static imsat_hash_score score_of(const hash_side *gallery, const hash_side *queries,
                                 const imsat_evaluate_hash_options *options)
{
    imsat_error err;
    imsat_hash_score score;
    assert_ok(imsat_evaluate_hash(&score, &gallery->codes, gallery->labels, &queries->codes,
                                  queries->labels, options, &err),
              &err);
    return score;
}

static imsat_evaluate_hash_options options_of(imsat_ties ties, size_t at, size_t radius,
                                              int threads)
{
    imsat_evaluate_hash_options options;
    imsat_evaluate_hash_options_init(&options);
    options.ties = ties;
    options.at = at;
    options.radius = radius;
    options.threads = threads;
    return options;
}

/* Means over the queries of what hash_case.c computes. */
static void assert_ranking(const hash_side *gallery, const hash_side *queries, imsat_ties ties,
                           size_t at)
{
    hash_entry entries[ROWS];
    const size_t n = gallery->codes.rows, m = queries->codes.rows;
    const imsat_evaluate_hash_options options = options_of(ties, at, 2, 1);
    double map = 0, precision_at = 0;
    for (size_t q = 0; q < m; q++) {
        double ap, share;
        hash_entries(entries, gallery, queries, q);
        share = hash_at_listed(entries, n, at);
        if (ties == IMSAT_TIES_EXPECTED)
            hash_expected(&ap, &share, entries, n, at);
        else if (ties == IMSAT_TIES_ID)
            ap = hash_ap_listed(entries, n);
        else
            ap = ties == IMSAT_TIES_BLOCK ? hash_ap_block(entries, n)
                                          : hash_ap_trapezoid(entries, n);
        map += ap / (double)m;
        precision_at += share / (double)m;
    }
    imsat_hash_score score = score_of(gallery, queries, &options);
    assert_near(score.map, map, 1e-12);
    assert_near(score.precision_at, precision_at, 1e-12);
    assert_int_equal(score.queries, m);
    assert_int_equal(score.gallery, n);
    assert_int_equal(score.bits, gallery->codes.bits);
    imsat_hash_score_clear(&score);
}

static const size_t widths[] = {1, 7, 16, 64, 65};

static void all_but_expected_match_the_definitions(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 5; i++) {
        hash_side gallery, queries;
        hash_side_make(&gallery, ROWS, widths[i], CLASSES, i);
        hash_side_make(&queries, QUERIES, widths[i], CLASSES + 1, 100 + i);
        assert_ranking(&gallery, &queries, IMSAT_TIES_BLOCK, 11);
        assert_ranking(&gallery, &queries, IMSAT_TIES_ID, 29);
        assert_ranking(&gallery, &queries, IMSAT_TIES_TRAPEZOID, 7);
        hash_side_clear(&gallery);
        hash_side_clear(&queries);
    }
}

static void more_queries_than_a_chunk_has(void **state)
{
    (void)state;
    hash_side gallery, queries;
    hash_side_make(&gallery, ROWS - 6, 65, CLASSES, 1);
    hash_side_make(&queries, 1100, 65, CLASSES + 1, 2);
    assert_ranking(&gallery, &queries, IMSAT_TIES_BLOCK, 11);
    assert_ranking(&gallery, &queries, IMSAT_TIES_ID, 29);
    hash_side_clear(&gallery);
    hash_side_clear(&queries);
}

static void expected_is_the_mean_over_all_orders(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 15; i++) {
        hash_side gallery, queries;
        hash_side_make(&gallery, 3 + i % 5, widths[i % 5], 2, i);
        hash_side_make(&queries, 3, widths[i % 5], 3, 100 + i);
        assert_ranking(&gallery, &queries, IMSAT_TIES_EXPECTED, 1 + i % 4);
        hash_side_clear(&gallery);
        hash_side_clear(&queries);
    }
}

/* Without ties the rules agree, but for the area under straight lines. Codes 0, 1, 11, 111,
 * ... have different distances from 0. */
static void without_ties_the_rules_agree(void **state)
{
    (void)state;
    uint8_t codes[] = {0x00, 0x80, 0xc0, 0xe0, 0xf0}, zero[] = {0x00};
    int32_t labels[] = {3, 9, 3, 3, 9}, label[] = {3};
    const hash_side gallery = {{codes, 5, 6}, labels}, queries = {{zero, 1, 6}, label};
    for (int ties = 0; ties < IMSAT_TIES; ties++) {
        const imsat_evaluate_hash_options options = options_of((imsat_ties)ties, 4, 2, 1);
        imsat_hash_score score = score_of(&gallery, &queries, &options);
        const double lines = (1 + (1. / 2 + 2. / 3) / 2 + (2. / 3 + 3. / 4) / 2) / 3;
        assert_near(score.map,
                    ties == IMSAT_TIES_TRAPEZOID ? lines : (1 + 2. / 3 + 3. / 4) / 3, 1e-15);
        assert_near(score.precision_at, 3. / 4, 1e-15);
        assert_near(score.precision_radius, 2. / 3, 1e-15);
        imsat_hash_score_clear(&score);
    }
}

/* Queries at 000000 (class 3), 111111 (class 9, nothing within 1), 000000 (class 5, absent).
 */
static void curves_by_hand(void **state)
{
    (void)state;
    uint8_t codes[] = {0x00, 0x80, 0xc0, 0xe0, 0xf0}, asked[] = {0x00, 0xfc, 0x00};
    int32_t labels[] = {3, 9, 3, 3, 9}, label[] = {3, 9, 5};
    const double recall[] = {1. / 3, 1. / 3, 2. / 3 + 1. / 2, 1 + 1. / 2, 1 + 1. / 2, 2, 2};
    const double precision[] = {1,
                                1. / 2,
                                2. / 3 + 1,
                                3. / 4 + 1. / 2,
                                3. / 5 + 1. / 3,
                                3. / 5 + 2. / 4,
                                3. / 5 + 2. / 5};
    const hash_side gallery = {{codes, 5, 6}, labels}, queries = {{asked, 3, 6}, label};
    imsat_evaluate_hash_options options = options_of(IMSAT_TIES_BLOCK, 4, 1, 2);
    for (int skip = 0; skip < 2; skip++) {
        options.skip_empty = skip;
        imsat_hash_score score = score_of(&gallery, &queries, &options);
        for (size_t r = 0; r <= 6; r++) {
            assert_near(score.recall[r], recall[r] / 3, 1e-15);
            assert_near(score.precision[r], precision[r] / (skip && r < 2 ? 2 : 3), 1e-15);
        }
        assert_near(score.precision_radius, score.precision[1], 0);
        assert_int_equal(score.empty, 1);
        assert_int_equal(score.irrelevant, 1);
        imsat_hash_score_clear(&score);
    }
}

static void nothing_within_the_radius_of_any_query(void **state)
{
    (void)state;
    uint8_t codes[] = {0x00}, asked[] = {0xe0};
    int32_t label[] = {1};
    const hash_side gallery = {{codes, 1, 3}, label}, queries = {{asked, 1, 3}, label};
    imsat_evaluate_hash_options options = options_of(IMSAT_TIES_ID, 9, 2, 1);
    options.skip_empty = 1;
    imsat_hash_score score = score_of(&gallery, &queries, &options);
    assert_near(score.precision_radius, 0, 0);
    assert_int_equal(score.empty, 1);
    assert_near(score.map, 1, 0);
    assert_near(score.precision_at, 1, 0);
    imsat_hash_score_clear(&score);
    options.radius = IMSAT_ANY_DISTANCE;
    score = score_of(&gallery, &queries, &options);
    assert_near(score.precision_radius, 1, 0);
    assert_int_equal(score.empty, 0);
    imsat_hash_score_clear(&score);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    hash_side gallery, queries;
    hash_side_make(&gallery, 97, 65, CLASSES, 1);
    hash_side_make(&queries, 1100, 65, CLASSES + 1, 2);
    for (int ties = 0; ties < IMSAT_TIES; ties++) {
        imsat_hash_score scores[3];
        for (int i = 0; i < 3; i++) {
            const imsat_evaluate_hash_options options =
                options_of((imsat_ties)ties, 31, 2, i + 1);
            scores[i] = score_of(&gallery, &queries, &options);
            assert_memory_equal(&scores[i].map, &scores[0].map, sizeof(double));
            assert_memory_equal(&scores[i].precision_at, &scores[0].precision_at,
                                sizeof(double));
            assert_memory_equal(scores[i].recall, scores[0].recall, 66 * sizeof(double));
            assert_memory_equal(scores[i].precision, scores[0].precision, 66 * sizeof(double));
            assert_int_equal(scores[i].queries, 1100);
        }
        for (int i = 0; i < 3; i++)
            imsat_hash_score_clear(&scores[i]);
    }
    hash_side_clear(&gallery);
    hash_side_clear(&queries);
}

static void defaults(void **state)
{
    (void)state;
    hash_side side;
    imsat_evaluate_hash_options options;
    imsat_evaluate_hash_options_init(&options);
    assert_int_equal(options.at, 500);
    assert_int_equal(options.radius, 2);
    hash_side_make(&side, 17, 12, 2, 3);
    imsat_hash_score score = score_of(&side, &side, NULL);
    imsat_hash_score same = score_of(&side, &side, &options);
    assert_memory_equal(&score.map, &same.map, sizeof(double));
    imsat_hash_score_clear(&score);
    imsat_hash_score_clear(&same);
    hash_side_clear(&side);
    assert_string_equal(imsat_ties_name(IMSAT_TIES_BLOCK), "block");
    assert_string_equal(imsat_ties_name(IMSAT_TIES_EXPECTED), "expected");
    assert_string_equal(imsat_ties_name(IMSAT_TIES_ID), "id");
    assert_null(imsat_ties_name(IMSAT_TIES));
}

static void assert_no_score(const imsat_codes *gallery, const imsat_codes *queries,
                            const imsat_evaluate_hash_options *options, imsat_status status,
                            const char *part)
{
    static const int32_t labels[9];
    imsat_error err;
    imsat_hash_score score = {.map = -3};
    assert_refused(
        imsat_evaluate_hash(&score, gallery, labels, queries, labels, options, &err), &err,
        status, part);
    assert_near(score.map, -3, 0);
    assert_null(score.recall);
}

static void refusals(void **state)
{
    (void)state;
    uint8_t bytes[] = {0x80, 0x40, 0x20, 0x11};
    const imsat_codes good = {bytes, 2, 7}, none = {bytes, 0, 7}, wide = {bytes, 2, 8};
    const imsat_codes spare = {bytes, 4, 7}, zero = {bytes, 2, 0};
    const imsat_codes vast = {bytes, 2, IMSAT_MAX_BITS + 1};
    imsat_evaluate_hash_options options = options_of(IMSAT_TIES_BLOCK, 3, 2, 1);
    assert_no_score(&none, &good, &options, IMSAT_EINVAL, "no codes in the gallery");
    assert_no_score(&good, &none, &options, IMSAT_EINVAL, "no codes in the queries");
    assert_no_score(&good, &wide, &options, IMSAT_EMISMATCH,
                    "the gallery has codes of 7 bits, the queries of 8");
    assert_no_score(&spare, &good, &options, IMSAT_EINVAL,
                    "the codes of the gallery: row 3 has a bit set behind the last of its 7");
    assert_no_score(&zero, &good, &options, IMSAT_EINVAL,
                    "the codes of the gallery have 0 bits");
    assert_no_score(&good, &vast, &options, IMSAT_EINVAL,
                    "the codes of the queries have 1025 bits");
    options.at = 0;
    assert_no_score(&good, &good, &options, IMSAT_EINVAL, "N must be 1 or more");
    options = options_of(IMSAT_TIES, 3, 2, 1);
    assert_no_score(&good, &good, &options, IMSAT_EINVAL, "no rule 4 for ties");
    options = options_of(IMSAT_TIES_ID, 3, 2, -1);
    assert_no_score(&good, &good, &options, IMSAT_EINVAL, "threads");
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const hash_side *side = context;
    const imsat_evaluate_hash_options options = options_of(IMSAT_TIES_ID, 3, 2, 2);
    imsat_hash_score score = {.map = -3};
    const imsat_status st = imsat_evaluate_hash(&score, &side->codes, side->labels,
                                                &side->codes, side->labels, &options, err);
    if (st != IMSAT_OK) {
        assert_near(score.map, -3, 0);
        assert_null(score.recall);
    }
    imsat_hash_score_clear(&score);
    return st;
}

static void no_memory(void **state)
{
    (void)state;
    hash_side side;
    hash_side_make(&side, 13, 10, 2, 4);
    assert_true(fail_each(attempt, &side) >= 4);
    hash_side_clear(&side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_but_expected_match_the_definitions),
        cmocka_unit_test(more_queries_than_a_chunk_has),
        cmocka_unit_test(expected_is_the_mean_over_all_orders),
        cmocka_unit_test(without_ties_the_rules_agree),
        cmocka_unit_test(curves_by_hand),
        cmocka_unit_test(nothing_within_the_radius_of_any_query),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(defaults),
        cmocka_unit_test(refusals),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
