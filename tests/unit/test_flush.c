/* SPDX-License-Identifier: MIT
 * Subnormal numbers are zero between begin and end, and the caller's mode comes back. Runs for
 * 64-bit ARM, too (tests/builds/arm.sh). */
#include "core/flush.h"

#include "support.h"

#include <fenv.h>
#include <float.h>

/* volatile: computed when the test runs. */
static volatile float tiny = FLT_MIN, half = 0.5f, million = 1e6f;
static volatile double tiny_double = DBL_MIN, half_double = 0.5;

static int flushes_results(void)
{
    return tiny * half == 0 && tiny_double * half_double == 0;
}

/* The operand is a subnormal number, the result would not be. */
static int flushes_operands(void)
{
    union {
        unsigned bits;
        float value;
    } subnormal = {1u << 22};
    volatile float operand = subnormal.value;
    return operand * million == 0;
}

static void subnormal_numbers_are_zero_inside(void **state)
{
    (void)state;
    assert_false(flushes_results());
    assert_false(flushes_operands());
    const im_flush before = im_flush_begin();
    assert_true(flushes_results());
    assert_true(flushes_operands());
    assert_true(tiny * 1.5f > FLT_MIN); /* normal numbers are as ever */
    im_flush_end(before);
    assert_false(flushes_results());
    assert_false(flushes_operands());
}

static void a_mode_that_was_on_stays_on(void **state)
{
    (void)state;
    const im_flush outer = im_flush_begin();
    const im_flush inner = im_flush_begin();
    im_flush_end(inner);
    assert_true(flushes_results());
    im_flush_end(outer);
    assert_false(flushes_results());
}

static void other_modes_and_flags_are_left_alone(void **state)
{
    (void)state;
    assert_int_equal(fesetround(FE_UPWARD), 0);
    feclearexcept(FE_ALL_EXCEPT);
    const im_flush before = im_flush_begin();
    assert_int_equal(fegetround(), FE_UPWARD);
    feraiseexcept(FE_DIVBYZERO);
    im_flush_end(before);
    assert_int_equal(fegetround(), FE_UPWARD);
    assert_true(fetestexcept(FE_DIVBYZERO));
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(FE_TONEAREST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subnormal_numbers_are_zero_inside),
        cmocka_unit_test(a_mode_that_was_on_stays_on),
        cmocka_unit_test(other_modes_and_flags_are_left_alone),
    };
    return cmocka_run_group_tests_name("flush", tests, NULL, NULL);
}
