/* SPDX-License-Identifier: MIT
 * Verdicts from numbers. */
#include "support.h"

#include "choice/decide.h"
#include "choice/structure.h"

#include <math.h>

/* The shares and nats that methods have on digits, on two moons and on iris. */
static void the_best_borders(void **state)
{
    (void)state;
    const im_candidate digits[] = {{true, 0.822, 1.867},
                                   {true, 0.832, 1.893},
                                   {true, 0.936, 2.046},
                                   {true, 0.923, 2.123}};
    const im_candidate moons[] = {{true, 0.918, 0.636},
                                  {true, 0.961, 0.666},
                                  {true, 1.000, 0.693},
                                  {true, 0.955, 0.662}};
    const im_candidate iris[] = {{true, 0.897, 0.966},
                                 {true, 0.856, 0.938},
                                 {true, 0.935, 1.001},
                                 {true, 0.831, 0.909}};
    assert_int_equal(im_decide_method(digits, 4, 0.45, 4), 3); /* a tie, and more nats */
    assert_int_equal(im_decide_method(digits, 4, 0.92, 4), 2); /* no tie */
    assert_int_equal(im_decide_method(moons, 4, 0.88, 4), 2);
    assert_int_equal(im_decide_method(iris, 4, 0.79, 4), 2);
    assert_int_equal(im_decide_method(iris, 4, 0.79, 1), 1); /* it is a mixture */
}

static void only_what_was_measured(void **state)
{
    (void)state;
    const im_candidate some[] = {{false, NAN, NAN}, {true, 0.5, 0.4}, {false, NAN, NAN}};
    assert_int_equal(im_decide_method(some, 3, 0.1, 3), 1);
    assert_int_equal(im_decide_method(some, 3, 0.1, 0), 1); /* a mixture that was left out */
    assert_int_equal(im_decide_method(some, 1, 0.1, 1), 1); /* none */
}

static void alike_is_within_deviations(void **state)
{
    (void)state;
    const double draws[] = {0.90, 0.92, 0.88, 0.94, 0.86}; /* mean 0.9, deviation 0.0316 */
    const double same[] = {0.9, 0.9, 0.9};
    assert_true(im_decide_alike(0.978, draws, 5));
    assert_false(im_decide_alike(0.980, draws, 5));
    assert_false(im_decide_alike(0.820, draws, 5));
    assert_true(im_decide_alike(0.912, same, 3));
    assert_false(im_decide_alike(0.913, same, 3));
    assert_false(im_decide_alike(NAN, same, 3));
}

static void the_largest_k_that_stands(void **state)
{
    (void)state;
    imsat_k_row rows[] = {{.k = 2, .strength = 1},   {.k = 3, .strength = 0.5},
                          {.k = 4, .strength = 0.8}, {.k = 5, .strength = 0.79},
                          {.k = 6, .strength = 0.9}, {.k = 7, .strength = NAN}};
    const bool all_but_6[] = {true, true, true, true, false, true}, none[6] = {0};
    assert_int_equal(im_decide_k(rows, 6, all_but_6), 4);
    assert_true(rows[0].stands && !rows[1].stands && rows[2].stands && !rows[4].stands);
    assert_int_equal(im_decide_k(rows, 6, none), 0);
    assert_false(rows[0].stands);
}

/* Draws of a tester and a kind: so far about a mean, in turns above and below. */
static void put_draws(im_drawn *drawn, size_t tester, imsat_null kind, double mean, double by)
{
    for (size_t i = 0; i < IM_DRAWS; i++)
        drawn->value[tester][kind][i] = mean + (i % 2 ? by : -by) * (i + 1 < IM_DRAWS);
}

/* Of 10,000 rows the least deviation is 0.004; that of the draws is sqrt(16 0.02^2 / 16). */
static void structure_is_above_both_kinds(void **state)
{
    (void)state;
    im_drawn drawn;
    for (size_t t = 0; t < IM_TESTERS; t++) {
        put_draws(&drawn, t, IMSAT_NULL_NORMAL, t ? 0.6 : 0.5, 0.02);
        put_draws(&drawn, t, IMSAT_NULL_UNIFORM, t ? 0.5 : 0.6, 0.02);
    }
    im_structure s = {.data = {0.655, 0.630}};
    im_structure_judge(&s, &drawn, 10000);
    assert_near(s.without[0], 0.6, 1e-12);
    assert_near(s.without[1], 0.6, 1e-12);
    assert_near(s.deviation, 0.02, 1e-12);
    assert_near(im_structure_excess(&s, 0), 2.75, 1e-9);
    assert_int_equal(s.best, 0);
    assert_false(s.found);
    s.data[1] = 0.661;
    im_structure_judge(&s, &drawn, 10000);
    assert_int_equal(s.best, 1);
    assert_true(s.found);
}

/* Two that exceed by little are as good as one that exceeds by much; and few rows are not
 * believed to vary as little as their draws. */
static void structure_by_both(void **state)
{
    (void)state;
    im_drawn drawn;
    for (size_t t = 0; t < IM_TESTERS; t++)
        for (imsat_null kind = IMSAT_NULL_NORMAL; kind <= IMSAT_NULL_UNIFORM; kind++)
            put_draws(&drawn, t, kind, 0.5, 0);
    im_structure s = {.data = {0.55, 0.539}};
    im_structure_judge(&s, &drawn, 400);
    assert_near(s.deviation, 0.02, 1e-12);
    assert_false(s.found);
    s.data[1] = 0.541;
    im_structure_judge(&s, &drawn, 400);
    assert_true(s.found);
    s.data[1] = 0.9;
    drawn.value[1][IMSAT_NULL_UNIFORM][2] = NAN; /* who refused rows says nothing */
    im_structure_judge(&s, &drawn, 400);
    assert_int_equal(s.best, 0);
    assert_false(s.found);
    s.data[0] = NAN;
    im_structure_judge(&s, &drawn, 400);
    assert_int_equal(s.best, IM_TESTERS);
    assert_false(s.found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_borders),
        cmocka_unit_test(only_what_was_measured),
        cmocka_unit_test(alike_is_within_deviations),
        cmocka_unit_test(the_largest_k_that_stands),
        cmocka_unit_test(structure_is_above_both_kinds),
        cmocka_unit_test(structure_by_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
