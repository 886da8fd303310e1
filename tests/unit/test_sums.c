/* SPDX-License-Identifier: MIT
 * Sums of clusters that follow their rows. tsan: all. */
#include "linear/sums.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "stopping.h"
#include "support.h"

enum { N = 733, D = 13, CLUSTERS = 9 };

static void make(mixture *m, im_sums *sums, int threads)
{
    mixture_make(m, N, D, 4);
    mixture_fit(m, threads);
    const im_rows rows = {&m->frame, NULL, N};
    assert_int_equal(im_sums_new(sums, &rows, CLUSTERS, m->pool, NULL), IMSAT_OK);
}

static void unmake(mixture *m, im_sums *sums)
{
    im_sums_clear(sums);
    mixture_clear(m);
}

static size_t follow(im_sums *sums, const uint32_t *cluster, im_pool *pool)
{
    size_t changed = 0;
    assert_int_equal(im_sums_follow(&changed, sums, cluster, pool, NULL, NULL), IMSAT_OK);
    return changed;
}

/* Some clusters of the rows, others for other `turn`. */
static void choose(uint32_t *cluster, size_t turn)
{
    for (size_t i = 0; i < N; i++)
        cluster[i] = (uint32_t)((i * i + i * turn) % 101 % (CLUSTERS - 1));
}

/* The last cluster has no rows. */
static void means_are_those_of_the_rows(void **state)
{
    (void)state;
    mixture m;
    im_sums sums;
    uint32_t cluster[N];
    double expected[CLUSTERS][D] = {{0}}, mean[D];
    size_t count[CLUSTERS] = {0};
    im_real row[D];
    float raw[D];
    double scratch[D];
    make(&m, &sums, 2);
    choose(cluster, 0);
    assert_int_equal(follow(&sums, cluster, m.pool), N);
    for (size_t i = 0; i < N; i++) {
        im_frame_scaled(row, &m.frame, i, raw, scratch);
        count[cluster[i]]++;
        for (size_t j = 0; j < D; j++)
            expected[cluster[i]][j] += row[j];
    }
    for (size_t c = 0; c < CLUSTERS; c++) {
        assert_int_equal(sums.count[c], count[c]);
        assert_int_equal(sums.changed[c], count[c] > 0);
        if (count[c] > 0)
            im_sums_mean(mean, &sums, c);
        for (size_t j = 0; count[c] > 0 && j < D; j++)
            assert_near(mean[j], expected[c][j] / (double)count[c], 1e-13);
    }
    unmake(&m, &sums);
}

/* A cluster of more rows than are taken at a time. */
static void a_large_cluster_is_taken_in_turns(void **state)
{
    (void)state;
    enum { ROWS = 1103, WIDE = 4096 };
    mixture m;
    im_sums sums;
    static uint32_t cluster[ROWS];
    static double expected[WIDE], mean[WIDE], scratch[WIDE];
    static im_real row[WIDE];
    static float raw[WIDE];
    mixture_make(&m, ROWS, WIDE, 4);
    mixture_fit(&m, 2);
    const im_rows rows = {&m.frame, NULL, ROWS};
    assert_int_equal(im_sums_new(&sums, &rows, 2, m.pool, NULL), IMSAT_OK);
    for (uint32_t i = 0; i < ROWS; i++) {
        cluster[i] = i == 17;
        im_frame_scaled(row, &m.frame, i, raw, scratch);
        for (size_t j = 0; j < WIDE && i != 17; j++)
            expected[j] += row[j];
    }
    assert_int_equal(follow(&sums, cluster, m.pool), ROWS);
    assert_int_equal(sums.count[0], ROWS - 1);
    im_sums_mean(mean, &sums, 0);
    for (size_t j = 0; j < WIDE; j++)
        assert_near(mean[j], expected[j] / (ROWS - 1), 1e-12);
    unmake(&m, &sums);
}

/* The way to the clusters does not show, nor do the threads, nor a copy of the rows. */
static void sums_have_no_history(void **state)
{
    (void)state;
    mixture a, b;
    im_sums straight, round;
    uint32_t cluster[N];
    make(&a, &straight, 1);
    make(&b, &round, 3);
    assert_int_equal(im_frame_keep(&b.frame, SIZE_MAX, b.pool, NULL, NULL), IMSAT_OK);
    for (size_t turn = 5; turn > 0; turn--) {
        choose(cluster, turn);
        assert_true(follow(&round, cluster, b.pool) > 0);
    }
    assert_int_equal(follow(&round, cluster, b.pool), 0);
    assert_int_equal(follow(&straight, cluster, a.pool), N);
    assert_memory_equal(straight.sum, round.sum, sizeof(int64_t[CLUSTERS * D]));
    assert_memory_equal(straight.count, round.count, sizeof(size_t[CLUSTERS]));
    unmake(&a, &straight);
    unmake(&b, &round);
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    mixture m;
    im_sums sums;
    imsat_error err;
    uint32_t cluster[N];
    size_t changed = 0;
    make(&m, &sums, 2);
    choose(cluster, 0);
    assert_stopped(im_sums_follow(&changed, &sums, cluster, m.pool, &stopping, &err));
    unmake(&m, &sums);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const mixture *m = context;
    const im_rows rows = {&m->frame, NULL, m->n};
    im_sums sums = {0};
    const imsat_status st = im_sums_new(&sums, &rows, CLUSTERS, m->pool, err);
    assert_true((st == IMSAT_OK) == (sums.sum != NULL));
    im_sums_clear(&sums);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    mixture_make(&m, N, D, 4);
    mixture_fit(&m, 2);
    assert_int_equal(fail_each(attempt, &m), 7);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_those_of_the_rows),
        cmocka_unit_test(a_large_cluster_is_taken_in_turns),
        cmocka_unit_test(sums_have_no_history),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
