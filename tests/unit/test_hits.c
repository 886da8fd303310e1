/* SPDX-License-Identifier: MIT
 * Codes that were found become ids in order. */
#include "search/hits.h"

#include "support.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ids_are_by_distance_and_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
