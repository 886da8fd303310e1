/* SPDX-License-Identifier: MIT
 * The scan where it has several shards, and of some queries only; the rest is in test_search.
 * tsan: all. */
#include "search/scan.h"

#include "codes.h"
#include "core/alloc.h"
#include "search/hamming_kernels.h"
#include "search/hits.h"
#include "support.h"

enum { ROWS = 400000, QUERIES = 5, BITS = 41 };

static void check(im_search search, const codes_case *c, size_t count, size_t radius)
{
    imsat_error err;
    imsat_hits hits;
    im_found found[QUERIES] = {{0}};
    const uint32_t which[QUERIES] = {3, 0, 4, 1, 2};
    search.count = count;
    search.radius = radius;
    assert_ok(im_scan(found, &search, which, 2, &err), &err);
    assert_true(found[3].done && found[0].done && !found[1].done && !found[4].list);
    assert_ok(im_scan(found, &search, which + 2, 3, &err), &err);
    assert_ok(im_hits_new(&hits, found, QUERIES, search.index, count, search.pool, &err),
              &err);
    assert_hits(&hits, c, count, radius);
    imsat_hits_clear(&hits);
    for (size_t q = 0; q < QUERIES; q++)
        im_free(found[q].list);
}

static void shards_are_joined(void **state)
{
    (void)state;
    imsat_error err;
    codes_case c;
    imsat_index *index;
    uint64_t queries[QUERIES];
    codes_case_make(&c, CODES_RANDOM, ROWS, QUERIES, BITS);
    assert_ok(imsat_index_new(&index, &c.codes, c.ids, &err), &err);
    assert_true(index->distinct > 3 << 17);
    im_words_pack(queries, &c.queries);
    for (int threads = 1; threads <= 3; threads++) {
        im_search search = {
            .index = index, .queries = queries, .kernel = im_hamming_select(threads == 2)};
        assert_ok(im_pool_new(&search.pool, threads, &err), &err);
        check(search, &c, 10, BITS);
        check(search, &c, 1000, 11);
        check(search, &c, 0, 9);
        im_pool_free(search.pool);
    }
    imsat_index_free(index);
    codes_case_clear(&c);
}

/* Proportional to the codes, less for queries that share the loading of codes. */
static void the_cost_grows_with_the_codes(void **state)
{
    (void)state;
    const imsat_index small = {.distinct = 1000, .words = 2};
    const imsat_index large = {.distinct = 7000, .words = 2};
    const im_search a = {.index = &small, .kernel = &im_hamming_ref};
    const im_search b = {.index = &large, .kernel = &im_hamming_ref};
    assert_near(im_scan_cost(&b, 100), 7 * im_scan_cost(&a, 100), 1e-6);
    assert_true(im_scan_cost(&a, 1) > im_scan_cost(&a, 5));
    assert_near(im_scan_cost(&a, 64), im_scan_cost(&a, 6400), 0);
    assert_true(im_scan_cost(&a, 64) > 2000 * im_hamming_ref.cost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shards_are_joined),
        cmocka_unit_test(the_cost_grows_with_the_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
