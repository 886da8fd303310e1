/* SPDX-License-Identifier: MIT
 * Rows without clusters: what they share with the rows that they stand for, and what not.
 *
 * tsan: the_same_rows_for_any_threads. */
#include "choices.h"
#include "failing_alloc.h"
#include "support.h"

#include "choice/null.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1500, DIM = 3, DRAWS = 4 };

static float rows[ROWS * DIM];
static im_pool *pool;
static im_portion portion;

/* Two clusters, and columns that depend on each other. */
static int open_rows(void **state)
{
    (void)state;
    imsat_error err;
    choices_blobs(rows, ROWS, DIM, 2, 8, 3);
    for (size_t i = 0; i < ROWS; i++)
        rows[i * DIM + 1] = rows[i * DIM + 1] / 2 + rows[i * DIM] / 4 + 5;
    assert_ok(im_pool_new(&pool, 1, &err), &err);
    portion = choices_portion(rows, ROWS, DIM, pool);
    return 0;
}

static int close_rows(void **state)
{
    (void)state;
    im_portion_clear(&portion);
    im_pool_free(pool);
    return 0;
}

static double mean(const im_portion *s, size_t j)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += s->x[i * s->d + j];
    return sum / (double)s->n;
}

static double covariance(const im_portion *s, size_t a, size_t b)
{
    const double mean_a = mean(s, a), mean_b = mean(s, b);
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += (s->x[i * s->d + a] - mean_a) * (s->x[i * s->d + b] - mean_b);
    return sum / (double)s->n;
}

static im_portion draw(imsat_null kind, uint32_t number)
{
    im_portion drawn = {0};
    imsat_error err;
    assert_ok(im_null_draw(&drawn, &portion, kind, 1, number, pool, &err), &err);
    return drawn;
}

/* Of each draw within the noise of 1500 rows, whose deviation is 0.037 of a variance. */
static void covariances_are_those_of_the_rows(void **state)
{
    (void)state;
    for (imsat_null kind = IMSAT_NULL_NORMAL; kind <= IMSAT_NULL_UNIFORM; kind++)
        for (uint32_t number = 0; number < DRAWS; number++) {
            im_portion drawn = draw(kind, number);
            for (size_t a = 0; a < DIM; a++) {
                const double scale = sqrt(covariance(&portion, a, a));
                assert_near(mean(&drawn, a), mean(&portion, a), 0.12 * scale);
                for (size_t b = 0; b < DIM; b++)
                    assert_near(covariance(&drawn, a, b), covariance(&portion, a, b),
                                0.16 * scale * sqrt(covariance(&portion, b, b)));
            }
            im_portion_clear(&drawn);
        }
}

/* The fourth moment along the long axis, in units of the squared variance: 3 of a normal, 1.8
 * of a uniform, near 1.2 of the two clusters. */
static double kurtosis(const im_portion *s)
{
    const double about = mean(s, 0), var = covariance(s, 0, 0);
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += pow(s->x[i * s->d] - about, 4);
    return sum / (double)s->n / (var * var);
}

static void forms_are_what_they_are_called(void **state)
{
    (void)state;
    im_portion normal = draw(IMSAT_NULL_NORMAL, 0), uniform = draw(IMSAT_NULL_UNIFORM, 0);
    assert_true(kurtosis(&portion) < 1.4);
    assert_near(kurtosis(&normal), 3, 0.4);
    assert_near(kurtosis(&uniform), 1.8, 0.15);
    im_portion_clear(&normal);
    im_portion_clear(&uniform);
}

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void copy_column(float *out, const im_portion *s, size_t j)
{
    for (size_t i = 0; i < s->n; i++)
        out[i] = s->x[i * s->d + j];
    qsort(out, s->n, sizeof *out, ascending);
}

/* The same values in every column, and no covariance. */
static void permuted_columns_keep_their_values(void **state)
{
    (void)state;
    static float one[ROWS], two[ROWS];
    im_portion drawn = draw(IMSAT_NULL_PERMUTED, 0);
    for (size_t j = 0; j < DIM; j++) {
        copy_column(one, &portion, j);
        copy_column(two, &drawn, j);
        assert_memory_equal(one, two, sizeof one);
    }
    const double scale = sqrt(covariance(&portion, 0, 0) * covariance(&portion, 1, 1));
    assert_true(covariance(&portion, 0, 1) > 0.8 * scale);
    assert_near(covariance(&drawn, 0, 1), 0, 0.1 * scale);
    im_portion_clear(&drawn);
}

/* A normal for each cluster: two far parts as before, and each of its own mean. */
static void normals_of_clusters(void **state)
{
    (void)state;
    static int32_t labels[ROWS];
    imsat_error err;
    im_portion drawn = {0};
    double sum[2] = {0, 0}, drawn_sum[2] = {0, 0};
    for (size_t i = 0; i < ROWS; i++)
        labels[i] = (int32_t)(portion.row[i] % 2);
    assert_ok(im_null_normals(&drawn, &portion, labels, 2, 1, 0, pool, &err), &err);
    for (size_t i = 0; i < ROWS; i++) {
        sum[labels[i]] += portion.x[i * DIM] / (ROWS / 2);
        drawn_sum[labels[i]] += drawn.x[i * DIM] / (ROWS / 2);
    }
    assert_near(drawn_sum[0], sum[0], 0.15);
    assert_near(drawn_sum[1], sum[1], 0.15);
    assert_true(kurtosis(&drawn) < 1.4);
    im_portion_clear(&drawn);
}

static void draws_differ(void **state)
{
    (void)state;
    for (imsat_null kind = 0; kind < IMSAT_NULLS; kind++) {
        im_portion one = draw(kind, 0), two = draw(kind, 1);
        assert_memory_not_equal(one.x, two.x, ROWS * DIM * sizeof *one.x);
        im_portion_clear(&one);
        im_portion_clear(&two);
    }
}

static void the_same_rows_for_any_threads(void **state)
{
    (void)state;
    imsat_error err;
    for (imsat_null kind = 0; kind < IMSAT_NULLS; kind++) {
        im_portion one = draw(kind, 2), two = {0};
        im_pool *three = NULL;
        assert_ok(im_pool_new(&three, 3, &err), &err);
        assert_ok(im_null_draw(&two, &portion, kind, 1, 2, three, &err), &err);
        assert_memory_equal(one.x, two.x, ROWS * DIM * sizeof *one.x);
        im_portion_clear(&one);
        im_portion_clear(&two);
        im_pool_free(three);
    }
}

static imsat_status attempt(void *context, imsat_error *err)
{
    im_portion drawn = {0};
    const imsat_status st = im_null_draw(&drawn, context, IMSAT_NULL_UNIFORM, 1, 0, pool, err);
    assert_true(st == IMSAT_OK || !drawn.x);
    im_portion_clear(&drawn);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    im_portion few = choices_portion(rows, 64, DIM, pool);
    assert_true(fail_each(attempt, &few) > 12);
    im_portion_clear(&few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covariances_are_those_of_the_rows),
        cmocka_unit_test(forms_are_what_they_are_called),
        cmocka_unit_test(permuted_columns_keep_their_values),
        cmocka_unit_test(normals_of_clusters),
        cmocka_unit_test(draws_differ),
        cmocka_unit_test(the_same_rows_for_any_threads),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, open_rows, close_rows);
}
