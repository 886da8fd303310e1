/* SPDX-License-Identifier: MIT
 * Measures without labels: those of scikit-learn and NumPy on the same rows, and small cases
 * by hand. */
#include "choices.h"
#include "failing_alloc.h"
#include "support.h"

#include "choice/measure.h"

#include <math.h>

enum { ROWS = 40, DIM = 3, K = 3 };

static float rows[ROWS * DIM];
static im_pool *pool;
static im_portion portion;
static int32_t labels[ROWS];

/* Three rows of points, of which three points have another's label. */
static int open_rows(void **state)
{
    (void)state;
    imsat_error err;
    for (int i = 0; i < ROWS; i++) {
        rows[i * DIM] = (float)(3.0 * (i % 3) + sin(i * i * 0.7 + 1));
        rows[i * DIM + 1] = (float)(sin(i * i * 1.3 + 2) * 1.5);
        rows[i * DIM + 2] = (float)cos(i * 0.9);
    }
    assert_ok(im_pool_new(&pool, 2, &err), &err);
    portion = choices_portion(rows, ROWS, DIM, pool);
    for (size_t i = 0; i < ROWS; i++) {
        const size_t row = portion.row[i];
        labels[i] = row == 5 ? 0 : row == 17 ? 2 : row == 22 ? 1 : (int32_t)(row % 3);
    }
    return 0;
}

static int close_rows(void **state)
{
    (void)state;
    im_portion_clear(&portion);
    im_pool_free(pool);
    return 0;
}

static void a_sample_has_each_row_once(void **state)
{
    (void)state;
    int seen[ROWS] = {0};
    assert_int_equal(portion.n, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(seen[portion.row[i]]++, 0);
        assert_memory_equal(portion.x + i * DIM, rows + portion.row[i] * DIM,
                            DIM * sizeof *rows);
    }
}

/* silhouette_score() of scikit-learn 1.2. */
static void silhouette_of_scikit_learn(void **state)
{
    (void)state;
    double found = 0;
    assert_ok(im_measure_silhouette(&found, &portion, labels, K, pool, NULL), NULL);
    assert_near(found, 0.301405336642, 1e-9);
}

static void one_cluster_has_no_silhouette(void **state)
{
    (void)state;
    static const int32_t same[ROWS];
    double found = 1;
    assert_ok(im_measure_silhouette(&found, &portion, same, K, pool, NULL), NULL);
    assert_true(found == 0);
}

/* NumPy, of the graph that joins rows to their ten nearest with weight 1/2 each way. */
static void information_of_numpy(void **state)
{
    (void)state;
    double share = 0, nats = 0;
    assert_ok(im_measure_information(&share, &nats, &portion.graph, labels, K, NULL), NULL);
    assert_near(nats, 0.356044708736, 1e-6);
    assert_near(share, 0.326045414679, 1e-6);
}

/* Parts that no edge joins tell all; one cluster tells nothing. */
static void information_of_parts(void **state)
{
    (void)state;
    enum { N = 60 };
    static float far[N * 2];
    int32_t parts[N] = {0};
    double share = 0, nats = 0;
    choices_blobs(far, N, 2, 3, 100, 1);
    im_portion s = choices_portion(far, N, 2, pool);
    assert_ok(im_measure_information(&share, &nats, &s.graph, parts, 4, NULL), NULL);
    assert_true(share == 0 && nats == 0);
    for (size_t i = 0; i < N; i++)
        parts[i] = (int32_t)(s.row[i] % 3);
    assert_ok(im_measure_information(&share, &nats, &s.graph, parts, 4, NULL), NULL);
    assert_near(share, 1, 1e-12);
    assert_near(nats, log(3), 0.02);
    im_portion_clear(&s);
}

/* Of six rows in cluster 0 the prediction has four and two together: 6 + 1 of 15 pairs. Of the
 * three in cluster 1, two: 1 of 3 pairs. The row that is alone has no pairs. */
static void strength_by_hand(void **state)
{
    (void)state;
    const int32_t own[] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 2};
    const int32_t predicted[] = {2, 2, 2, 2, 1, 1, 0, 0, 1, 1};
    double found = 0;
    assert_ok(im_measure_strength(&found, own, predicted, 6, 3, NULL), NULL);
    assert_near(found, 7.0 / 15, 1e-12);
    assert_ok(im_measure_strength(&found, own, predicted, 10, 3, NULL), NULL);
    assert_near(found, 1.0 / 3, 1e-12);
    assert_ok(im_measure_strength(&found, own, own, 10, 3, NULL), NULL);
    assert_true(found == 1);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    double a, b;
    (void)context;
    IM_TRY(im_measure_silhouette(&a, &portion, labels, K, pool, err));
    IM_TRY(im_measure_information(&a, &b, &portion.graph, labels, K, err));
    IM_TRY(im_measure_strength(&a, labels, labels, ROWS, K, err));

cleanup:
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_each(attempt, NULL), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_has_each_row_once),
        cmocka_unit_test(silhouette_of_scikit_learn),
        cmocka_unit_test(one_cluster_has_no_silhouette),
        cmocka_unit_test(information_of_numpy),
        cmocka_unit_test(information_of_parts),
        cmocka_unit_test(strength_by_hand),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, open_rows, close_rows);
}
