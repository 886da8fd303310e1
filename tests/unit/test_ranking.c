/* SPDX-License-Identifier: MIT
 * Scores from counts: by hand, and against lists of codes in order. */
#include "evaluate/ranking.h"

#include "core/rng.h"
#include "hash_case.h"
#include "support.h"

enum { BITS = 4, MOST = 7 };

typedef struct counts {
    size_t all[BITS + 1], relevant[BITS + 1];
} counts;

static im_ranking ranking_of(const counts *c)
{
    return (im_ranking){BITS, c->all, c->relevant};
}

/* Up to n random entries at distances 0 .. BITS, and their counts. */
static void draw(hash_entry *entries, counts *c, size_t n, uint64_t seed)
{
    double u[2 * MOST];
    im_rng_uniforms(u, 2 * n, (im_rng){seed, IM_STREAM_BATCH, 0, 0}, 0);
    *c = (counts){{0}, {0}};
    for (size_t i = 0; i < n; i++) {
        entries[i] = (hash_entry){(size_t)(u[2 * i] * (BITS + 1)), i, u[2 * i + 1] < 0.4};
        c->all[entries[i].distance]++;
        c->relevant[entries[i].distance] += entries[i].relevant;
    }
    hash_sort(entries, n);
}

static void by_hand(void **state)
{
    (void)state;
    /* One at 0, not relevant; three at 2, two relevant; two at 4, one relevant. */
    const counts c = {{1, 0, 3, 0, 2}, {0, 0, 2, 0, 1}};
    const im_ranking ranking = ranking_of(&c);
    assert_int_equal(im_ranking_codes(ranking), 6);
    assert_int_equal(im_ranking_relevant(ranking), 3);
    assert_near(im_ranking_ap_block(ranking), (2 * (2. / 4) + 3. / 6) / 3, 1e-15);
    /* The three in the middle: relevant at ranks (2,3), (2,4) or (3,4); the last at 5 or 6. */
    const double middle = (1. / 2 + 2. / 3 + 1. / 2 + 2. / 4 + 1. / 3 + 2. / 4) / 3;
    assert_near(im_ranking_ap_expected(ranking), (middle + (3. / 5 + 3. / 6) / 2) / 3, 1e-15);
    /* Precision 1, then 0 of the first, 1/2 at the end of the next, 1/2 at the last. */
    assert_near(im_ranking_ap_trapezoid(ranking), (2 * (0 + 1. / 2) / 2 + 1. / 2) / 3, 1e-15);
    assert_near(im_ranking_at_expected(ranking, 1), 0, 0);
    assert_near(im_ranking_at_expected(ranking, 3), (2 * 2. / 3) / 3, 1e-15);
    assert_near(im_ranking_at_expected(ranking, 5), (2 + 1. / 2) / 5, 1e-15);
    assert_near(im_ranking_at_expected(ranking, 6), 3. / 6, 1e-15);
    assert_near(im_ranking_at_expected(ranking, 100), 3. / 6, 1e-15);
}

static void where_a_list_ends(void **state)
{
    (void)state;
    const counts c = {{1, 0, 3, 0, 2}, {1, 0, 2, 0, 1}};
    const im_ranking_end first = im_ranking_cut(ranking_of(&c), 1);
    assert_int_equal(first.distance, 0);
    assert_int_equal(first.taken, 1);
    const im_ranking_end whole = im_ranking_cut(ranking_of(&c), 4);
    assert_int_equal(whole.distance, 2);
    assert_int_equal(whole.taken, 3);
    assert_int_equal(whole.nearer, 1);
    const im_ranking_end part = im_ranking_cut(ranking_of(&c), 5);
    assert_int_equal(part.distance, 4);
    assert_int_equal(part.taken, 1);
    assert_int_equal(part.nearer, 3);
    const im_ranking_end beyond = im_ranking_cut(ranking_of(&c), 77);
    assert_int_equal(beyond.length, 6);
    assert_int_equal(beyond.taken, 2);
}

static void nothing_relevant_is_zero(void **state)
{
    (void)state;
    const counts c = {{2, 0, 1, 5, 0}, {0}};
    assert_near(im_ranking_ap_block(ranking_of(&c)), 0, 0);
    assert_near(im_ranking_ap_expected(ranking_of(&c)), 0, 0);
    assert_near(im_ranking_ap_trapezoid(ranking_of(&c)), 0, 0);
    assert_near(im_ranking_at_expected(ranking_of(&c), 3), 0, 0);
}

static void the_mean_over_all_orders(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        hash_entry entries[MOST];
        counts c;
        double ap, precision_at;
        const size_t n = 1 + (size_t)seed % MOST, at = 1 + (size_t)seed % 5;
        draw(entries, &c, n, seed);
        hash_expected(&ap, &precision_at, entries, n, at);
        assert_near(im_ranking_ap_expected(ranking_of(&c)), ap, 1e-12);
        assert_near(im_ranking_at_expected(ranking_of(&c), at), precision_at, 1e-12);
        assert_near(im_ranking_ap_block(ranking_of(&c)), hash_ap_block(entries, n), 1e-15);
    }
}

/* From tests/golden/make_trapezoid.py. */
static void straight_lines_by_numpy(void **state)
{
    (void)state;
    static const struct {
        counts c;
        double ap;
    } oracle[] = {
        {{{3, 0, 4, 6, 1}, {2, 0, 2, 4, 0}}, 0.65979853479853479},
        {{{0, 5, 0, 5, 2}, {0, 1, 0, 3, 0}}, 0.375},
        {{{4, 5, 2, 2, 0}, {4, 5, 1, 0, 0}}, 0.99545454545454548},
        {{{5, 1, 0, 3, 4}, {5, 1, 0, 3, 0}}, 1},
        {{{1, 3, 6, 0, 1}, {1, 3, 5, 0, 0}}, 0.97222222222222232},
        {{{3, 6, 2, 1, 4}, {3, 0, 2, 1, 3}}, 0.65098905723905731},
        {{{1, 1, 3, 5, 1}, {1, 1, 0, 1, 1}}, 0.67045454545454541},
        {{{5, 5, 3, 5, 2}, {1, 4, 2, 4, 1}}, 0.49526353276353269},
    };
    for (size_t i = 0; i < sizeof oracle / sizeof *oracle; i++)
        assert_near(im_ranking_ap_trapezoid(ranking_of(&oracle[i].c)), oracle[i].ap, 1e-15);
}

/* Far down a long list the terms of a block are tiny, and must not be lost. */
static void small_blocks_behind_many_codes(void **state)
{
    (void)state;
    const size_t n = 100000000;
    const counts c = {{n, 2, 0, 1, 0}, {0, 2, 0, 1, 0}};
    const double first = 1 / (double)(n + 1), second = 2 / (double)(n + 2);
    const double third = 3 / (double)(n + 3);
    assert_near(im_ranking_ap_expected(ranking_of(&c)), (first + second + third) / 3, 1e-22);
    assert_near(im_ranking_ap_block(ranking_of(&c)), (2 * second + third) / 3, 1e-22);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(where_a_list_ends),
        cmocka_unit_test(nothing_relevant_is_zero),
        cmocka_unit_test(the_mean_over_all_orders),
        cmocka_unit_test(straight_lines_by_numpy),
        cmocka_unit_test(small_blocks_behind_many_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
