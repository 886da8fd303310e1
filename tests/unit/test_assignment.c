/* SPDX-License-Identifier: MIT
 * The assignment against all permutations, on random and on hand-made costs. */
#include "core/assignment.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "failing_alloc.h"
#include "support.h"

#include <math.h>

enum { SIDE = 6, TRIALS = 40 };

/* The least cost of matching rows from `row` on, at least as many columns as rows. */
static double brute_force(const double *cost, size_t rows, size_t cols, size_t row,
                          bool *taken)
{
    double best = INFINITY;
    if (row == rows)
        return 0;
    for (size_t j = 0; j < cols; j++) {
        if (taken[j])
            continue;
        taken[j] = true;
        const double rest = brute_force(cost, rows, cols, row + 1, taken);
        best = fmin(best, cost[row * cols + j] + rest);
        taken[j] = false;
    }
    return best;
}

static void transpose(double *out, const double *in, size_t rows, size_t cols)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            out[j * rows + i] = in[i * cols + j];
}

/* The matching's cost; fails unless it is one to one and as large as it can be. */
static double matching_cost(const size_t *column, const double *cost, size_t rows, size_t cols)
{
    bool taken[SIDE] = {false};
    size_t matched = 0;
    double sum = 0;
    for (size_t i = 0; i < rows; i++) {
        if (column[i] == IM_UNASSIGNED)
            continue;
        assert_true(column[i] < cols);
        assert_false(taken[column[i]]);
        taken[column[i]] = true;
        sum += cost[i * cols + column[i]];
        matched++;
    }
    assert_int_equal(matched, rows < cols ? rows : cols);
    return sum;
}

static void check(const double *cost, size_t rows, size_t cols, const char *what,
                  uint64_t seed)
{
    imsat_error err;
    size_t column[SIDE];
    bool taken[SIDE] = {false};
    double turned[SIDE * SIDE];
    assert_ok(im_assignment_solve(column, cost, rows, cols, &err), &err);
    transpose(turned, cost, rows, cols);
    const double best = rows <= cols ? brute_force(cost, rows, cols, 0, taken)
                                     : brute_force(turned, cols, rows, 0, taken);
    const double found = matching_cost(column, cost, rows, cols);
    if (fabs(found - best) > 1e-12)
        fail_msg("%s, seed %llu, %zu x %zu: cost %.17g, the best is %.17g", what,
                 (unsigned long long)seed, rows, cols, found, best);
}

static void random_costs_match_brute_force(void **state)
{
    (void)state;
    for (size_t rows = 1; rows <= SIDE; rows++)
        for (size_t cols = 1; cols <= SIDE; cols++)
            for (uint64_t seed = 0; seed < TRIALS; seed++) {
                double cost[SIDE * SIDE];
                im_rng_uniforms(cost, rows * cols, (im_rng){seed, IM_STREAM_INIT, 0, 0}, 0);
                for (size_t i = 0; i < rows * cols; i++)
                    cost[i] -= 0.4; /* both signs */
                check(cost, rows, cols, "uniform", seed);
                for (size_t i = 0; i < rows * cols; i++)
                    cost[i] = floor(4 * cost[i]); /* many ties */
                check(cost, rows, cols, "ties", seed);
            }
}

static void greedy_is_not_enough(void **state)
{
    (void)state;
    imsat_error err;
    const double cost[] = {1, 2, 9, /* row by row: 1 + 4 + 9 = 14 */
                           1, 4, 8, 7, 6, 9};
    size_t column[3];
    assert_ok(im_assignment_solve(column, cost, 3, 3, &err), &err);
    assert_int_equal(column[0], 1);
    assert_int_equal(column[1], 0);
    assert_int_equal(column[2], 2); /* 2 + 1 + 9 = 12 */
}

static void ties_and_leftovers_are_deterministic(void **state)
{
    (void)state;
    imsat_error err;
    const double zero[15] = {0};
    size_t column[5];
    assert_ok(im_assignment_solve(column, zero, 3, 5, &err), &err);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(column[i], i);
    assert_ok(im_assignment_solve(column, zero, 5, 3, &err), &err);
    for (size_t i = 0; i < 5; i++)
        assert_true(column[i] == (i < 3 ? i : IM_UNASSIGNED));
    assert_ok(im_assignment_solve(column, zero, 0, 3, &err), &err);
    assert_ok(im_assignment_solve(column, zero, 2, 0, &err), &err);
    assert_true(column[0] == IM_UNASSIGNED && column[1] == IM_UNASSIGNED);
}

static void large_costs_keep_their_optimum(void **state)
{
    (void)state;
    imsat_error err;
    enum { N = 150 };
    double *cost = im_alloc((size_t)N * N, sizeof *cost);
    size_t *column = im_alloc(N, sizeof *column);
    assert_true(cost && column);
    /* (i + 1)(j + 1) is least when large meets small. */
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            cost[i * N + j] = 1e6 * (double)((i + 1) * (j + 1));
    assert_ok(im_assignment_solve(column, cost, N, N, &err), &err);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(column[i], N - 1 - i);
    im_free(cost);
    im_free(column);
}

static void costs_must_be_finite(void **state)
{
    (void)state;
    imsat_error err;
    size_t column[2] = {7, 8};
    double cost[] = {0, 1, 2, 3, NAN, 5};
    assert_refused(im_assignment_solve(column, cost, 2, 3, &err), &err, IMSAT_EINVAL,
                   "row 1, column 1");
    cost[4] = -INFINITY;
    assert_refused(im_assignment_solve(column, cost, 2, 3, &err), &err, IMSAT_EINVAL, "-inf");
    assert_int_equal(column[0], 7);
    assert_int_equal(column[1], 8);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    (void)context;
    const double cost[] = {3, 1, 2, 1, 2, 3};
    size_t column[2] = {9, 9};
    const imsat_status st = im_assignment_solve(column, cost, 2, 3, err);
    assert_int_equal(column[0], st == IMSAT_OK ? 1 : 9);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_each(attempt, NULL), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_costs_match_brute_force),
        cmocka_unit_test(greedy_is_not_enough),
        cmocka_unit_test(ties_and_leftovers_are_deterministic),
        cmocka_unit_test(large_costs_keep_their_optimum),
        cmocka_unit_test(costs_must_be_finite),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("assignment", tests, NULL, NULL);
}
