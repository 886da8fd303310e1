/* SPDX-License-Identifier: MIT
 * The table of terms: names, formulas, and which task has which. */
#include "objective/terms.h"

#include "support.h"

static void test_table(void **state)
{
    (void)state;
    for (imsat_term i = 0; i < IMSAT_TERMS; i++) {
        assert_non_null(imsat_term_name(i));
        assert_non_null(imsat_term_formula(i));
        assert_true(im_terms_serve(i, IMSAT_TASK_CLUSTER) ||
                    im_terms_serve(i, IMSAT_TASK_HASH));
        for (imsat_term j = 0; j < i; j++)
            assert_string_not_equal(imsat_term_name(i), imsat_term_name(j));
    }
    assert_null(imsat_term_name(IMSAT_TERMS));
    assert_null(imsat_term_formula(IMSAT_TERMS));
    assert_false(im_terms_serve(IMSAT_TERMS, IMSAT_TASK_CLUSTER));
    assert_false(im_terms_serve(IMSAT_TERM_MARGINAL_KL, IMSAT_TASK_HASH));
    assert_false(im_terms_serve(IMSAT_TERM_PAIR_INFO, IMSAT_TASK_CLUSTER));
    assert_true(im_terms_recorded(IMSAT_TERM_SAT, IMSAT_TASK_HASH));
    assert_false(im_terms_recorded(IMSAT_TERM_DECAY, IMSAT_TASK_HASH));
}

static void test_sums(void **state)
{
    (void)state;
    im_terms sums = {.objective = 1}, terms = {.objective = 3};
    for (size_t i = 0; i < IMSAT_TERMS; i++) {
        sums.term[i] = (double)i;
        terms.term[i] = 10;
    }
    im_terms_add(&sums, &terms);
    im_terms_scale(&sums, 0.5);
    assert_near(sums.objective, 2, 0);
    for (size_t i = 0; i < IMSAT_TERMS; i++)
        assert_near(sums.term[i], 0.5 * ((double)i + 10), 0);
}

/* Methods have the terms of their task, or none. */
static void test_methods(void **state)
{
    (void)state;
    assert_true(
        imsat_method_has_term("linear-rim", IMSAT_TASK_CLUSTER, IMSAT_TERM_MARGINAL_KL));
    assert_false(imsat_method_has_term("imsat-vat", IMSAT_TASK_HASH, IMSAT_TERM_MARGINAL_KL));
    assert_false(imsat_method_has_term("kmeans", IMSAT_TASK_CLUSTER, IMSAT_TERM_SAT));
    assert_false(imsat_method_has_term("nothing", IMSAT_TASK_CLUSTER, IMSAT_TERM_SAT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
