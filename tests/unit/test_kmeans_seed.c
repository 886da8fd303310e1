/* SPDX-License-Identifier: MIT
 * Rows to start k-means from. tsan: all. */
#include "linear/kmeans_seed.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "support.h"

enum { N = 1201, D = 8, COMPONENTS = 15 };

static void seed(uint32_t *chosen, size_t k, const mixture *m, uint64_t number, size_t restart)
{
    const im_rows rows = {&m->frame, NULL, m->n};
    assert_int_equal(im_kmeans_seed(chosen, k, &rows, number, restart, m->pool, NULL, NULL),
                     IMSAT_OK);
}

/* Components lie far apart, so that each has one of the rows: by chance, of evenly drawn rows,
 * that would be so in one of 350,000 cases. */
static void rows_are_spread(void **state)
{
    (void)state;
    mixture m;
    mixture_make(&m, N, D, COMPONENTS);
    mixture_fit(&m, 2);
    for (uint64_t number = 0; number < 5; number++) {
        uint32_t chosen[COMPONENTS];
        unsigned char seen[COMPONENTS] = {0};
        size_t components = 0;
        seed(chosen, COMPONENTS, &m, number, 0);
        for (size_t c = 0; c < COMPONENTS; c++)
            seen[chosen[c] % COMPONENTS] = 1;
        for (size_t c = 0; c < COMPONENTS; c++)
            components += seen[c];
        assert_true(components >= COMPONENTS - 1);
    }
    mixture_clear(&m);
}

static void seeds_and_restarts_differ_and_threads_do_not(void **state)
{
    (void)state;
    enum { K = 20 };
    mixture m, other;
    uint32_t first[K], again[K], restarted[K], seeded[K];
    mixture_make(&m, N, D, COMPONENTS);
    mixture_fit(&m, 1);
    mixture_make(&other, N, D, COMPONENTS);
    mixture_fit(&other, 3);
    assert_int_equal(im_frame_keep(&other.frame, SIZE_MAX, other.pool, NULL, NULL), IMSAT_OK);
    seed(first, K, &m, 1, 0);
    seed(again, K, &other, 1, 0);
    seed(restarted, K, &m, 1, 1);
    seed(seeded, K, &m, 2, 0);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, restarted, sizeof first);
    assert_memory_not_equal(first, seeded, sizeof first);
    assert_memory_not_equal(restarted, seeded, sizeof first);
    mixture_clear(&m);
    mixture_clear(&other);
}

/* Row i equals row i % DIFFERENT: each is chosen once before any twice. */
static void equal_rows_are_chosen_once(void **state)
{
    (void)state;
    enum { DIFFERENT = 31, K = 35 };
    mixture m;
    uint32_t chosen[K];
    unsigned char seen[DIFFERENT] = {0};
    mixture_make(&m, N, D, COMPONENTS);
    for (size_t i = DIFFERENT; i < N; i++)
        memcpy(m.x + i * D, m.x + i % DIFFERENT * D, D * sizeof *m.x);
    mixture_fit(&m, 2);
    seed(chosen, K, &m, 9, 0);
    for (size_t c = 0; c < K; c++) {
        assert_true(chosen[c] < N);
        assert_true(c >= DIFFERENT || seen[chosen[c] % DIFFERENT]++ == 0);
    }
    mixture_clear(&m);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const mixture *m = context;
    const im_rows rows = {&m->frame, NULL, m->n};
    uint32_t chosen[3];
    return im_kmeans_seed(chosen, 3, &rows, 1, 0, m->pool, NULL, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    mixture_make(&m, N, D, 4);
    mixture_fit(&m, 2);
    assert_int_equal(fail_each(attempt, &m), 10);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_spread),
        cmocka_unit_test(seeds_and_restarts_differ_and_threads_do_not),
        cmocka_unit_test(equal_rows_are_chosen_once),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
