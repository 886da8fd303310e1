/* SPDX-License-Identifier: MIT
 * Codes that were found become ids in order. */
#include "search/hits.h"

#include "core/alloc.h"
#include "support.h"

#include <string.h>

static const uint32_t first[] = {0, 3, 4, 7, 8};
static const int64_t ids[] = {-5, 20, 90, 21, -9, 22, 89, 0};
static const imsat_index index_of = {
    .bits = 9, .words = 1, .distinct = 4, .rows = 8, .first = first, .ids = ids};

static void assert_query(const imsat_hits *hits, size_t q, const int64_t *expected,
                         const int32_t *distance, size_t n)
{
    assert_int_equal(hits->start[q + 1] - hits->start[q], n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(hits->ids[hits->start[q] + i], expected[i]);
        assert_int_equal(hits->distance[hits->start[q] + i], distance[i]);
    }
}

/* Equal distances are merged by id; what is too much is cut off at the last distance. */
static void ids_are_by_distance_and_number(void **state)
{
    (void)state;
    imsat_error err;
    im_pool *pool;
    imsat_hits hits;
    im_near list[] = {{2, 4}, {1, 4}, {3, 1}, {0, 4}}, other[] = {{1, 7}};
    const im_found found[] = {{list, 4, true}, {NULL, 0, true}, {other, 1, true}};
    const int64_t expected[] = {0, -9, -5, 20, 21, 22, 89, 90};
    const int32_t distance[] = {1, 4, 4, 4, 4, 4, 4, 4};
    assert_ok(im_pool_new(&pool, 2, &err), &err);
    for (size_t count = 0; count < 10; count++) {
        assert_ok(im_hits_new(&hits, found, 3, &index_of, count, pool, &err), &err);
        assert_int_equal(hits.queries, 3);
        assert_query(&hits, 0, expected, distance, count && count < 8 ? count : 8);
        assert_query(&hits, 1, NULL, NULL, 0);
        assert_query(&hits, 2, &ids[3], &(int32_t){7}, 1);
        imsat_hits_clear(&hits);
    }
    im_pool_free(pool);
}

static imsat_hits hits_of(const size_t *starts, size_t queries, const int64_t *numbers,
                          const int32_t *distance)
{
    imsat_hits hits = {queries, im_alloc(queries + 1, sizeof *hits.start),
                       im_alloc(starts[queries], sizeof *hits.ids),
                       im_alloc(starts[queries], sizeof *hits.distance)};
    assert_true(hits.start && hits.ids && hits.distance);
    memcpy(hits.start, starts, (queries + 1) * sizeof *starts);
    memcpy(hits.ids, numbers, starts[queries] * sizeof *numbers);
    memcpy(hits.distance, distance, starts[queries] * sizeof *distance);
    return hits;
}

/* Three queries: of both parts, of the second alone, of the first alone. */
static void parts_are_joined_in_order(void **state)
{
    (void)state;
    imsat_error err;
    const size_t one_start[] = {0, 4, 4, 6}, two_start[] = {0, 3, 5, 5};
    const int64_t one_ids[] = {8, -1, 3, 9, 4, 5}, two_ids[] = {0, 3, 4, 6, 7};
    const int32_t one_distance[] = {0, 2, 2, 2, 1, 1}, two_distance[] = {2, 2, 3, 1, 2};
    const int64_t expected[] = {8, -1, 0, 3, 3, 9, 4};
    const int32_t distance[] = {0, 2, 2, 2, 2, 2, 3};
    imsat_hits two = hits_of(two_start, 3, two_ids, two_distance);
    for (size_t count = 0; count < 9; count++) {
        imsat_hits hits = hits_of(one_start, 3, one_ids, one_distance);
        assert_ok(im_hits_join(&hits, &two, count, &err), &err);
        assert_query(&hits, 0, expected, distance, count && count < 7 ? count : 7);
        assert_query(&hits, 1, two_ids + 3, two_distance + 3, count == 1 ? 1 : 2);
        assert_query(&hits, 2, one_ids + 4, one_distance + 4, count == 1 ? 1 : 2);
        imsat_hits_clear(&hits);
    }
    imsat_hits_clear(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ids_are_by_distance_and_number),
                                       cmocka_unit_test(parts_are_joined_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
