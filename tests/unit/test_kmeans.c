/* SPDX-License-Identifier: MIT
 * K-means against a plain one in double, and what it promises beside. tsan:
 * threads_change_nothing, bounds_change_nothing. */
#include "linear/kmeans.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "mixture.h"
#include "support.h"

#include <math.h>

enum { N = 1511, D = 21, COMPONENTS = 12 };

static im_rows all_rows(const mixture *m)
{
    return (im_rows){&m->frame, NULL, m->n};
}

/* Start from given rows, spread over the data. */
static float *rows_at(const mixture *m, size_t k)
{
    float *start = im_alloc(k * m->d, sizeof *start);
    assert_non_null(start);
    for (size_t c = 0; c < k; c++)
        memcpy(start + c * m->d, m->x + c * m->n / k * m->d, m->d * sizeof *start);
    return start;
}

static im_kmeans fit(const mixture *m, const im_kmeans_options *opt)
{
    imsat_error err;
    im_kmeans result = {0};
    const im_rows rows = all_rows(m);
    assert_ok(im_kmeans_fit(&result, &rows, opt, m->pool, NULL, &err), &err);
    return result;
}

static void assert_same(const im_kmeans *a, const im_kmeans *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->iterations, b->iterations);
    assert_int_equal(a->restart, b->restart);
    assert_memory_equal(a->labels, b->labels, a->n * sizeof *a->labels);
    assert_memory_equal(a->centers, b->centers, a->k * a->d * sizeof *a->centers);
    assert_memory_equal(&a->inertia, &b->inertia, sizeof a->inertia);
}

/* ---- the plain one --------------------------------------------------------- */

static double sq_distance(const float *x, const double *c, size_t d)
{
    double sq = 0;
    for (size_t j = 0; j < d; j++)
        sq += (x[j] - c[j]) * (x[j] - c[j]);
    return sq;
}

static double plain_assign(int32_t *labels, const mixture *m, const double *centers, size_t k)
{
    double inertia = 0;
    for (size_t i = 0; i < m->n; i++) {
        double best = INFINITY;
        for (size_t c = 0; c < k; c++) {
            const double sq = sq_distance(m->x + i * m->d, centers + c * m->d, m->d);
            if (sq < best) {
                best = sq;
                labels[i] = (int32_t)c;
            }
        }
        inertia += best;
    }
    return inertia;
}

static void plain_move(double *centers, const mixture *m, const int32_t *labels, size_t k)
{
    for (size_t c = 0; c < k; c++) {
        double count = 0, sum[D] = {0};
        for (size_t i = 0; i < m->n; i++) {
            count += labels[i] == (int32_t)c;
            for (size_t j = 0; labels[i] == (int32_t)c && j < m->d; j++)
                sum[j] += m->x[i * m->d + j];
        }
        for (size_t j = 0; count > 0 && j < m->d; j++)
            centers[c * m->d + j] = sum[j] / count;
    }
}

static void compare_with_plain(size_t k, size_t iterations)
{
    mixture m;
    mixture_make(&m, N, D, COMPONENTS);
    mixture_fit(&m, 2);
    float *start = rows_at(&m, k);
    double *centers = im_alloc(k * D, sizeof *centers);
    int32_t *labels = im_alloc(N, sizeof *labels);
    assert_true(centers && labels);
    for (size_t i = 0; i < k * D; i++)
        centers[i] = start[i];
    for (size_t i = 0; i < iterations; i++) {
        plain_assign(labels, &m, centers, k);
        plain_move(centers, &m, labels, k);
    }
    const double inertia = plain_assign(labels, &m, centers, k);
    const im_kmeans_options opt = {
        .k = k, .restarts = 1, .iterations = iterations, .start = start};
    im_kmeans result = fit(&m, &opt);
    assert_memory_equal(result.labels, labels, N * sizeof *labels);
    for (size_t i = 0; i < k * D; i++)
        assert_near(result.centers[i], centers[i], 1e-6);
    assert_near(result.inertia, inertia, 1e-9 * inertia);
    im_kmeans_clear(&result);
    im_free(start);
    im_free(centers);
    im_free(labels);
    mixture_clear(&m);
}

static void it_is_the_iteration_of_lloyd(void **state)
{
    (void)state;
    compare_with_plain(1, 1);
    compare_with_plain(5, 3);
    compare_with_plain(11, 9);
    compare_with_plain(47, 4);
    compare_with_plain(130, 12);
}

static void the_inertia_falls(void **state)
{
    (void)state;
    mixture m;
    double last = INFINITY;
    size_t steps = 0;
    mixture_make(&m, N, D, COMPONENTS);
    mixture_fit(&m, 2);
    float *start = rows_at(&m, 40);
    for (size_t i = 1; i < 30; i++) {
        const im_kmeans_options opt = {
            .k = 40, .restarts = 1, .iterations = i, .start = start, .repair_empty = true};
        im_kmeans result = fit(&m, &opt);
        assert_true(result.inertia <= last * (1 + 1e-12));
        steps += result.inertia < last;
        assert_true(result.iterations <= i);
        last = result.inertia;
        im_kmeans_clear(&result);
    }
    assert_true(steps > 5);
    im_free(start);
    mixture_clear(&m);
}

/* ---- the same bits --------------------------------------------------------- */

static void threads_change_nothing(void **state)
{
    (void)state;
    const int threads[] = {1, 2, 3, 7};
    const size_t ks[] = {7, 45};
    for (size_t i = 0; i < 2; i++) {
        im_kmeans_options opt = im_kmeans_defaults(ks[i], 5);
        im_kmeans one = {0};
        opt.restarts = 3;
        for (size_t t = 0; t < 4; t++) {
            mixture m;
            mixture_make(&m, N, D, COMPONENTS);
            mixture_fit(&m, threads[t]);
            im_kmeans result = fit(&m, &opt);
            if (t == 0) {
                one = result;
            } else {
                assert_same(&one, &result);
                im_kmeans_clear(&result);
            }
            mixture_clear(&m);
        }
        im_kmeans_clear(&one);
    }
}

static void a_copy_of_the_rows_changes_nothing(void **state)
{
    (void)state;
    const size_t ks[] = {9, 75};
    for (size_t i = 0; i < 2; i++) {
        mixture m;
        im_kmeans_options opt = im_kmeans_defaults(ks[i], 3);
        opt.restarts = 2;
        mixture_make(&m, N, D, COMPONENTS);
        mixture_fit(&m, 2);
        im_kmeans read = fit(&m, &opt);
        assert_int_equal(im_frame_keep(&m.frame, SIZE_MAX, m.pool, NULL, NULL), IMSAT_OK);
        assert_non_null(m.frame.kept);
        im_kmeans kept = fit(&m, &opt);
        assert_same(&read, &kept);
        im_kmeans_clear(&read);
        im_kmeans_clear(&kept);
        mixture_clear(&m);
    }
}

/* Coordinates that are small integers make many distances equal. A sanitizer has four of the
 * k, two of them with such coordinates. */
static void bounds_change_nothing(void **state)
{
    (void)state;
    const size_t ks[] = {2, 10, 32, 33, 70, 131};
    for (size_t i = 0; i < 12; i += SANITIZED ? 3 : 1) {
        mixture m;
        mixture_make(&m, N, D, COMPONENTS);
        for (size_t j = 0; i % 2 && j < N * D; j++)
            m.x[j] = rintf(m.x[j] / 4);
        mixture_fit(&m, 2);
        for (size_t iterations = 1; iterations < 40; iterations *= 3) {
            im_kmeans_options opt = im_kmeans_defaults(ks[i / 2], i);
            opt.restarts = 2;
            opt.iterations = iterations;
            opt.tolerance = 0;
            im_kmeans bounded = fit(&m, &opt);
            opt.all_products = true;
            im_kmeans all = fit(&m, &opt);
            assert_same(&bounded, &all);
            im_kmeans_clear(&bounded);
            im_kmeans_clear(&all);
        }
        mixture_clear(&m);
    }
}

/* All centers are the same: the first gets all rows and moves to their mean. What is nearer to
 * where it was belongs to the second, the lowest of those that are still there. */
static void equally_near_is_the_lowest(void **state)
{
    (void)state;
    enum { K = 70 };
    mixture m;
    static float start[K * D];
    mixture_make(&m, N, D, COMPONENTS);
    mixture_fit(&m, 2);
    const im_kmeans_options opt = {.k = K, .restarts = 1, .iterations = 1, .start = start};
    im_kmeans result = fit(&m, &opt);
    assert_int_equal(result.converged, false);
    assert_int_equal(result.empty, K - 2);
    for (size_t i = 0; i < N; i++)
        assert_true(result.labels[i] < 2);
    im_kmeans_clear(&result);
    mixture_clear(&m);
}

/* ---- edges ----------------------------------------------------------------- */

static void as_many_clusters_as_rows(void **state)
{
    (void)state;
    enum { ROWS = 61 };
    mixture m;
    const im_kmeans_options opt = im_kmeans_defaults(ROWS, 1);
    unsigned char seen[ROWS] = {0};
    mixture_make(&m, ROWS, D, 3);
    mixture_fit(&m, 2);
    im_kmeans result = fit(&m, &opt);
    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(seen[result.labels[i]]++, 0);
    assert_near(result.inertia, 0, 1e-9);
    assert_int_equal(result.empty, 0);
    im_kmeans_clear(&result);
    mixture_clear(&m);
}

static void one_cluster_is_the_mean(void **state)
{
    (void)state;
    mixture m;
    const im_kmeans_options opt = im_kmeans_defaults(1, 1);
    double mean[D] = {0};
    mixture_make(&m, N, D, COMPONENTS);
    mixture_fit(&m, 2);
    for (size_t i = 0; i < N * D; i++)
        mean[i % D] += m.x[i] / (double)N;
    im_kmeans result = fit(&m, &opt);
    for (size_t j = 0; j < D; j++)
        assert_near(result.centers[j], mean[j], 1e-6);
    assert_true(result.converged);
    im_kmeans_clear(&result);
    mixture_clear(&m);
}

/* Seven different rows, many times each. */
static void fewer_rows_than_clusters_differ(void **state)
{
    (void)state;
    enum { DIFFERENT = 7 };
    const size_t ks[] = {DIFFERENT - 1, DIFFERENT, 13, 40};
    for (size_t i = 0; i < 4; i++) {
        mixture m;
        mixture_make(&m, N, D, COMPONENTS);
        for (size_t row = DIFFERENT; row < N; row++)
            memcpy(m.x + row * D, m.x + row % DIFFERENT * D, D * sizeof *m.x);
        mixture_fit(&m, 2);
        const im_kmeans_options opt = im_kmeans_defaults(ks[i], 4);
        im_kmeans result = fit(&m, &opt);
        assert_int_equal(result.empty, ks[i] > DIFFERENT ? ks[i] - DIFFERENT : 0);
        assert_true((result.inertia < 1e-6) == (ks[i] >= DIFFERENT));
        assert_true(result.converged && result.iterations < 5);
        im_kmeans_clear(&result);
        mixture_clear(&m);
    }
}

static void set_far_start(float *start, const mixture *m, size_t k)
{
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < D; j++)
            start[c * D + j] = c ? 1000 + (float)c : m->x[j];
}

static void centers_without_rows_get_some(void **state)
{
    (void)state;
    enum { K = 37 };
    mixture m;
    static float start[K * D];
    mixture_make(&m, N, D, COMPONENTS);
    mixture_fit(&m, 3);
    set_far_start(start, &m, K);
    im_kmeans_options opt = {.k = K, .restarts = 1, .iterations = 30, .start = start};
    im_kmeans stay = fit(&m, &opt);
    opt.repair_empty = true;
    im_kmeans repaired = fit(&m, &opt);
    assert_int_equal(stay.empty, K - 1);
    assert_int_equal(repaired.empty, 0);
    assert_true(repaired.inertia < 0.9 * stay.inertia);
    for (size_t i = D; i < K * D; i++)
        assert_near(stay.centers[i], start[i], 1e-3);
    opt.all_products = true;
    im_kmeans all = fit(&m, &opt);
    assert_same(&repaired, &all);
    im_kmeans_clear(&stay);
    im_kmeans_clear(&repaired);
    im_kmeans_clear(&all);
    mixture_clear(&m);
}

/* Scaling by a power of two changes neither labels nor the way to them. */
static void scale_does_not_matter(void **state)
{
    (void)state;
    mixture m;
    const im_kmeans_options opt = im_kmeans_defaults(15, 8);
    mixture_make(&m, N, D, COMPONENTS);
    mixture_fit(&m, 2);
    im_kmeans plain = fit(&m, &opt);
    im_frame_clear(&m.frame);
    for (size_t i = 0; i < N * D; i++)
        m.x[i] *= 0x1p50F;
    assert_int_equal(im_frame_fit(&m.frame, &m.data, &m.pre, m.pool, NULL, NULL), IMSAT_OK);
    im_kmeans scaled = fit(&m, &opt);
    assert_memory_equal(plain.labels, scaled.labels, N * sizeof *plain.labels);
    assert_true(scaled.inertia == plain.inertia * 0x1p100);
    im_kmeans_clear(&plain);
    im_kmeans_clear(&scaled);
    mixture_clear(&m);
}

/* Some of the rows, in another order: as if there were no others. */
static void places_choose_rows(void **state)
{
    (void)state;
    enum { SOME = 401 };
    mixture m, few;
    uint32_t places[SOME];
    im_kmeans some = {0};
    const im_kmeans_options opt = im_kmeans_defaults(6, 2);
    mixture_make(&m, N, D, COMPONENTS);
    mixture_fit(&m, 2);
    mixture_make(&few, SOME, D, COMPONENTS);
    for (size_t i = 0; i < SOME; i++) {
        places[i] = (uint32_t)((i * 601 + 17) % N);
        memcpy(few.x + i * D, m.x + places[i] * D, D * sizeof *m.x);
    }
    mixture_fit(&few, 1);
    const im_rows rows = {&m.frame, places, SOME};
    assert_int_equal(im_kmeans_fit(&some, &rows, &opt, m.pool, NULL, NULL), IMSAT_OK);
    im_kmeans alone = fit(&few, &opt);
    assert_memory_equal(some.labels, alone.labels, SOME * sizeof *some.labels);
    assert_near(some.inertia, alone.inertia, 1e-6 * alone.inertia);
    im_kmeans_clear(&some);
    im_kmeans_clear(&alone);
    mixture_clear(&m);
    mixture_clear(&few);
}

/* ---- restarts, stops, refusals --------------------------------------------- */

static void restarts_keep_the_best(void **state)
{
    (void)state;
    enum { MOST = 8 };
    mixture m;
    double inertia[MOST];
    size_t kept[MOST];
    mixture_make(&m, N, D, 30);
    mixture_fit(&m, 2);
    for (size_t i = 0; i < MOST; i++) {
        im_kmeans_options opt = im_kmeans_defaults(27, 1);
        opt.restarts = i + 1;
        im_kmeans result = fit(&m, &opt);
        inertia[i] = result.inertia;
        kept[i] = result.restart;
        im_kmeans_clear(&result);
    }
    assert_true(kept[0] == 0 && inertia[MOST - 1] < inertia[0]);
    for (size_t i = 1; i < MOST; i++) {
        assert_true(kept[i] == i ? inertia[i] < inertia[i - 1] : inertia[i] == inertia[i - 1]);
        assert_true(kept[i] == i || kept[i] == kept[i - 1]);
    }
    mixture_clear(&m);
}

static void tolerance_stops_early(void **state)
{
    (void)state;
    mixture m;
    im_kmeans_options opt = im_kmeans_defaults(40, 1);
    opt.restarts = 1;
    mixture_make(&m, N, D, COMPONENTS);
    mixture_fit(&m, 2);
    opt.tolerance = 1e-1;
    im_kmeans early = fit(&m, &opt);
    opt.tolerance = 0;
    im_kmeans late = fit(&m, &opt);
    opt.iterations = late.iterations - 1;
    im_kmeans cut = fit(&m, &opt);
    assert_true(early.iterations < late.iterations && early.converged && late.converged);
    assert_true(!cut.converged);
    im_kmeans_clear(&early);
    im_kmeans_clear(&late);
    im_kmeans_clear(&cut);
    mixture_clear(&m);
}

static int stop(void *user, double fraction)
{
    return fraction >= *(const double *)user;
}

static void progress_can_stop(void **state)
{
    (void)state;
    double at[] = {0, 0.05, 0.3, 0.8};
    mixture m;
    mixture_make(&m, N, D, COMPONENTS);
    mixture_fit(&m, 2);
    for (size_t i = 0; i < 4; i++) {
        imsat_error err;
        im_kmeans result = {.k = 77};
        const im_rows rows = all_rows(&m);
        const im_stage stage = {"testing", stop, &at[i], 0, 1};
        const im_kmeans_options opt = im_kmeans_defaults(5, 1);
        assert_int_equal(im_kmeans_fit(&result, &rows, &opt, m.pool, &stage, &err),
                         IMSAT_ESTOPPED);
        assert_true(result.k == 77 && !result.labels);
    }
    mixture_clear(&m);
}

static void refuse(const mixture *m, const im_kmeans_options *opt, const char *part)
{
    imsat_error err;
    im_kmeans result = {0};
    const im_rows rows = all_rows(m);
    assert_refused(im_kmeans_fit(&result, &rows, opt, m->pool, NULL, &err), &err, IMSAT_EINVAL,
                   part);
    assert_null(result.centers);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    mixture m;
    float start[2 * 3] = {0, 0, 0, 0, NAN, 0};
    mixture_make(&m, 20, 3, 2);
    mixture_fit(&m, 1);
    im_kmeans_options opt = im_kmeans_defaults(0, 1);
    refuse(&m, &opt, "k is 0, and must be from 1 to the number of rows, 20");
    opt.k = 21;
    refuse(&m, &opt, "k is 21");
    opt.k = 2;
    opt.restarts = 0;
    refuse(&m, &opt, "0 restarts of 300 iterations");
    opt.restarts = 1;
    opt.iterations = 0;
    refuse(&m, &opt, "1 restarts of 0 iterations");
    opt.iterations = 1;
    opt.start = start;
    refuse(&m, &opt, "column 1 of center 1 to start from is nan");
    start[4] = 1e30F;
    refuse(&m, &opt, "far from all rows");
    mixture_clear(&m);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const mixture *m = context;
    static float start[3 * D];
    im_kmeans result = {0};
    const im_rows rows = all_rows(m);
    im_kmeans_options opt = im_kmeans_defaults(3, 1);
    imsat_status st = im_kmeans_fit(&result, &rows, &opt, m->pool, NULL, err);
    im_kmeans_clear(&result);
    if (st != IMSAT_OK)
        return st;
    set_far_start(start, m, 3);
    opt.start = start; /* clusters are repaired */
    st = im_kmeans_fit(&result, &rows, &opt, m->pool, NULL, err);
    assert_true((st == IMSAT_OK) == (result.labels != NULL));
    im_kmeans_clear(&result);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    mixture m;
    mixture_make(&m, 41, D, 1);
    mixture_fit(&m, 2);
    assert_true(fail_each(attempt, &m) >= 60);
    mixture_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_iteration_of_lloyd),
        cmocka_unit_test(the_inertia_falls),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(a_copy_of_the_rows_changes_nothing),
        cmocka_unit_test(bounds_change_nothing),
        cmocka_unit_test(equally_near_is_the_lowest),
        cmocka_unit_test(as_many_clusters_as_rows),
        cmocka_unit_test(one_cluster_is_the_mean),
        cmocka_unit_test(fewer_rows_than_clusters_differ),
        cmocka_unit_test(centers_without_rows_get_some),
        cmocka_unit_test(scale_does_not_matter),
        cmocka_unit_test(places_choose_rows),
        cmocka_unit_test(restarts_keep_the_best),
        cmocka_unit_test(tolerance_stops_early),
        cmocka_unit_test(progress_can_stop),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
