/* SPDX-License-Identifier: MIT
 * Scores of clusterings against their definitions, written another way: pairs of points for
 * ARI, entropies of joint labels for NMI, all matchings for ACC. */
#include "core/partition.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "failing_alloc.h"
#include "support.h"

#include <math.h>

enum { N = 83, PARTS = 5 };

static imsat_cluster_score score_of(const int32_t *predicted, const int32_t *truth, size_t n)
{
    imsat_error err;
    imsat_cluster_score score;
    assert_ok(imsat_evaluate_clusters(&score, predicted, truth, n, &err), &err);
    return score;
}

static void assert_score(double found, double expected, const char *what, uint64_t seed)
{
    if (!(fabs(found - expected) <= 1e-12))
        fail_msg("%s, seed %llu: %.17g, not %.17g", what, (unsigned long long)seed, found,
                 expected);
}

/* n labels below `parts`; half of b follow a, so that the partitions agree somewhat. */
static void random_labels(int32_t *a, int32_t *b, size_t n, int a_parts, int b_parts,
                          uint64_t seed)
{
    double u[3 * N];
    im_rng_uniforms(u, 3 * n, (im_rng){seed, IM_STREAM_BATCH, 0, 0}, 0);
    for (size_t i = 0; i < n; i++) {
        a[i] = (int32_t)(u[3 * i] * u[3 * i] * a_parts);
        b[i] = u[3 * i + 1] < 0.5 ? a[i] % b_parts : (int32_t)(u[3 * i + 2] * b_parts);
    }
}

/* By looking at every pair of points. */
static double ari_by_pairs(const int32_t *a, const int32_t *b, size_t n)
{
    double together = 0, only_a = 0, only_b = 0, apart = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            const bool in_a = a[i] == a[j], in_b = b[i] == b[j];
            together += in_a && in_b;
            only_a += in_a && !in_b;
            only_b += !in_a && in_b;
            apart += !in_a && !in_b;
        }
    if (only_a == 0 && only_b == 0)
        return 1;
    return 2 * (together * apart - only_a * only_b) /
           ((together + only_a) * (only_a + apart) + (together + only_b) * (only_b + apart));
}

/* The entropy of the pair (a, b): the mean over points of -log of the share of equal ones. */
static double joint_entropy(const int32_t *a, const int32_t *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        size_t equal = 0;
        for (size_t j = 0; j < n; j++)
            equal += a[i] == a[j] && b[i] == b[j];
        sum -= log((double)equal / (double)n);
    }
    return sum / (double)n;
}

static double nmi_by_entropies(const int32_t *a, const int32_t *b, size_t n)
{
    const double of_a = joint_entropy(a, a, n), of_b = joint_entropy(b, b, n);
    const double information = of_a + of_b - joint_entropy(a, b, n);
    return information / ((of_a + of_b) / 2);
}

/* The most points kept by giving clusters from `cluster` on different classes or none. */
static size_t best_matching(const int32_t *a, const int32_t *b, size_t n, int cluster,
                            unsigned classes_left)
{
    if (cluster == PARTS)
        return 0;
    size_t best = best_matching(a, b, n, cluster + 1, classes_left);
    for (int c = 0; c < PARTS; c++) {
        if (!(classes_left >> c & 1U))
            continue;
        size_t kept = 0;
        for (size_t i = 0; i < n; i++)
            kept += a[i] == cluster && b[i] == c;
        kept += best_matching(a, b, n, cluster + 1, classes_left & ~(1U << c));
        best = kept > best ? kept : best;
    }
    return best;
}

static double purity_by_definition(const int32_t *a, const int32_t *b, size_t n)
{
    size_t sum = 0;
    for (int cluster = 0; cluster < PARTS; cluster++) {
        size_t largest = 0;
        for (int c = 0; c < PARTS; c++) {
            size_t count = 0;
            for (size_t i = 0; i < n; i++)
                count += a[i] == cluster && b[i] == c;
            largest = count > largest ? count : largest;
        }
        sum += largest;
    }
    return (double)sum / (double)n;
}

static void random_labels_match_the_definitions(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        int32_t a[N], b[N];
        const size_t n = 20 + (size_t)seed; /* 20 .. 79 */
        random_labels(a, b, n, 2 + (int)(seed % 4), 2 + (int)(seed % 3), seed);
        const imsat_cluster_score score = score_of(a, b, n);
        const double acc = (double)best_matching(a, b, n, 0, (1U << PARTS) - 1) / (double)n;
        assert_score(score.acc, acc, "acc", seed);
        assert_score(score.nmi, nmi_by_entropies(a, b, n), "nmi", seed);
        assert_score(score.ari, ari_by_pairs(a, b, n), "ari", seed);
        assert_score(score.purity, purity_by_definition(a, b, n), "purity", seed);
        double ari;
        imsat_error err;
        assert_ok(im_partition_ari(&ari, b, a, n, &err), &err);
        assert_score(ari, score.ari, "ari is symmetric", seed);
    }
}

static void a_case_by_hand(void **state)
{
    (void)state;
    /* Cluster 0 holds 2 of class 0; cluster 1 holds 1 of class 0 and 3 of class 1; cluster
     * 2 holds 1 of class 1. Matched: 0 with 0, 1 with 1. */
    const int32_t predicted[] = {0, 0, 1, 1, 1, 1, 2};
    const int32_t truth[] = {0, 0, 0, 1, 1, 1, 1};
    const imsat_cluster_score score = score_of(predicted, truth, 7);
    assert_score(score.acc, 5.0 / 7, "acc", 0);
    assert_score(score.purity, 6.0 / 7, "purity", 0);
    /* S = 1 + 3, A = 1 + 6, B = 3 + 6, T = 21: (4 - 3) / (8 - 3) */
    assert_score(score.ari, 0.2, "ari", 0);
    assert_int_equal(score.clusters, 3);
    assert_int_equal(score.classes, 2);
}

static void names_of_labels_do_not_matter(void **state)
{
    (void)state;
    const int32_t predicted[] = {INT32_MIN, INT32_MIN, 7, 7, INT32_MAX, -1};
    const int32_t truth[] = {3, 3, INT32_MAX, INT32_MAX, INT32_MIN, 0};
    const imsat_cluster_score score = score_of(predicted, truth, 6);
    assert_true(score.acc == 1 && score.ari == 1 && score.purity == 1);
    assert_score(score.nmi, 1, "nmi", 0);
    assert_int_equal(score.clusters, 4);
    assert_int_equal(score.classes, 4);
}

static void degenerate_partitions(void **state)
{
    (void)state;
    const int32_t one[] = {4, 4, 4, 4}, each[] = {1, 2, 3, 4}, two[] = {0, 1, 0, 1};
    imsat_cluster_score score = score_of(one, one, 4);
    assert_true(score.nmi == 1 && score.ari == 1 && score.acc == 1 && score.purity == 1);
    score = score_of(each, each, 4);
    assert_true(score.ari == 1 && score.acc == 1);
    assert_score(score.nmi, 1, "nmi", 0);
    score = score_of(one, two, 4);
    assert_true(score.nmi == 0 && score.ari == 0 && score.acc == 0.5 && score.purity == 0.5);
    score = score_of(two, one, 4);
    assert_true(score.nmi == 0 && score.ari == 0 && score.acc == 0.5 && score.purity == 1);
    score = score_of(one, each, 4);
    assert_true(score.nmi == 0 && score.ari == 0 && score.acc == 0.25);
    score = score_of(one, two, 1); /* one point: two partitions of one part */
    assert_true(score.nmi == 1 && score.ari == 1 && score.acc == 1 && score.purity == 1);
}

static void opposite_partitions_are_below_chance(void **state)
{
    (void)state;
    const int32_t rows[] = {0, 0, 1, 1}, columns[] = {0, 1, 0, 1};
    const imsat_cluster_score score = score_of(rows, columns, 4);
    assert_score(score.ari, -0.5, "ari", 0); /* (0 - 2/3) / (2 - 2/3) */
    assert_score(score.nmi, 0, "nmi", 0);
}

static void no_labels_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    const int32_t label = 1;
    imsat_cluster_score score = {.acc = 42};
    double ari = 42;
    assert_refused(imsat_evaluate_clusters(&score, &label, &label, 0, &err), &err,
                   IMSAT_EINVAL, "no labels");
    assert_refused(imsat_evaluate_clusters(&score, NULL, &label, 1, NULL), &err, IMSAT_EINVAL,
                   "no labels");
    assert_refused(im_partition_ari(&ari, &label, &label, 0, &err), &err, IMSAT_EINVAL,
                   "no labels");
    assert_true(score.acc == 42 && ari == 42);
}

/* 5000 x 5000 distinct labels are too many to match, but not for ARI. */
static void a_huge_table_is_refused(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    imsat_error err;
    imsat_cluster_score score = {.acc = 42};
    double ari;
    int32_t *a = im_alloc(MANY, sizeof *a);
    assert_non_null(a);
    for (int i = 0; i < MANY; i++)
        a[i] = 3 * i;
    assert_refused(imsat_evaluate_clusters(&score, a, a, MANY, &err), &err, IMSAT_EINVAL,
                   "5000 clusters and 5000 classes");
    assert_true(score.acc == 42);
    assert_ok(im_partition_ari(&ari, a, a, MANY, &err), &err);
    assert_true(ari == 1);
    im_free(a);
}

static imsat_status attempt_scores(void *context, imsat_error *err)
{
    (void)context;
    const int32_t a[] = {0, 1, 1}, b[] = {2, 2, 1};
    imsat_cluster_score score = {.acc = 42};
    const imsat_status st = imsat_evaluate_clusters(&score, a, b, 3, err);
    assert_true((score.acc == 42) == (st != IMSAT_OK));
    return st;
}

static imsat_status attempt_ari(void *context, imsat_error *err)
{
    (void)context;
    const int32_t a[] = {0, 1, 1}, b[] = {2, 2, 1};
    double ari = 42;
    const imsat_status st = im_partition_ari(&ari, a, b, 3, err);
    assert_true((ari == 42) == (st != IMSAT_OK));
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_each(attempt_scores, NULL), 9);
    assert_int_equal(fail_each(attempt_ari, NULL), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_labels_match_the_definitions),
        cmocka_unit_test(a_case_by_hand),
        cmocka_unit_test(names_of_labels_do_not_matter),
        cmocka_unit_test(degenerate_partitions),
        cmocka_unit_test(opposite_partitions_are_below_chance),
        cmocka_unit_test(no_labels_are_refused),
        cmocka_unit_test(a_huge_table_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("clusters", tests, NULL, NULL);
}
