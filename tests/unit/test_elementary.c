/* SPDX-License-Identifier: MIT
 * Elementary functions: close to the true values, and the same bits everywhere. */
#include "core/elementary.h"

#include "core/rng.h"
#include "support.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { DRAWS = 100000 };

/* Draw i of a number in [from, to). */
static double draw(uint32_t i, double from, double to)
{
    const im_rng rng = {.seed = 3, .stream = IM_STREAM_INIT};
    double u;
    im_rng_uniforms(&u, 1, rng, i);
    return from + u * (to - from);
}

/* Fail unless y is within `most` units in the last place of the true value. On x86 a long
 * double has 11 bits more than a double; elsewhere libm's own error may add to ours. */
static void assert_close(const char *what, double x, double y, long double truth, double most)
{
    int exponent;
    frexp(y, &exponent);
    const double unit = ldexp(1, exponent - DBL_MANT_DIG);
    const double off = (double)fabsl(((long double)y - truth) / (long double)unit);
    if (!(off <= most))
        fail_msg("%s of %a is %a, off by %g units", what, x, y, off);
}

static void they_are_close(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < DRAWS; i++) {
        const double x = draw(i, -700, 700), small = draw(i, -20, 0), p = draw(i, 1e-8, 1);
        const double near = draw(i, 0.96, 1.05), angle = draw(i, -10, 10);
        const double any = im_elementary_exp(x);
        double cosine, sine;
        assert_close("exp", x, any, expl(x), 0.54);
        assert_close("exp", small, im_elementary_exp(small), expl(small), 0.54);
        assert_close("log", p, im_elementary_log(p), logl(p), 0.53);
        assert_close("log", near, im_elementary_log(near), logl(near), 0.53);
        assert_close("log", any, im_elementary_log(any), logl(any), 0.53);
        im_elementary_turn(&cosine, &sine, angle);
        const double radians = angle * (3.141592653589793 / 180);
        assert_close("cos", angle, cosine, cosl(radians), 0.53);
        assert_close("sin", angle, sine, sinl(radians), 0.53);
    }
    for (uint64_t n = 0; n < 6000; n++) {
        assert_close("0.9^n", (double)n, im_elementary_power(0.9, n), powl(0.9, n), 0.51);
        assert_close("0.999^n", (double)n, im_elementary_power(0.999, n), powl(0.999, n),
                     0.51);
    }
}

static void exact_where_they_can_be(void **state)
{
    (void)state;
    double cosine, sine;
    assert_true(im_elementary_exp(0) == 1 && im_elementary_exp(-0.0) == 1);
    assert_true(im_elementary_log(1) == 0);
    assert_true(im_elementary_power(0.3, 0) == 1 && im_elementary_power(0.3, 1) == 0.3);
    assert_true(im_elementary_power(0.5, 1000) == 0x1p-1000);
    assert_true(im_elementary_power(0.9, UINT64_MAX) == 0);
    assert_true(im_elementary_power(1, UINT64_MAX) == 1 && im_elementary_power(0, 3) == 0);
    for (int turns = -2; turns <= 2; turns++)
        for (int quarter = 0; quarter < 4; quarter++) {
            im_elementary_turn(&cosine, &sine, 360 * turns + 90 * quarter);
            assert_true(cosine == (quarter == 0) - (quarter == 2));
            assert_true(sine == (quarter == 1) - (quarter == 3));
        }
    im_elementary_turn(&cosine, &sine, 225);
    assert_near(cosine, -0.70710678118654752, 1e-15);
    assert_near(sine, -0.70710678118654752, 1e-15);
}

static void the_ends(void **state)
{
    (void)state;
    assert_true(im_elementary_exp(-708.5) == 0 && im_elementary_exp(-(double)INFINITY) == 0);
    assert_true(im_elementary_exp(-708) > 0 && im_elementary_exp(709) < DBL_MAX);
    assert_true(isinf(im_elementary_exp(709.5)) && isinf(im_elementary_exp((double)INFINITY)));
    assert_true(isnan(im_elementary_exp((double)NAN)));
    assert_true(im_elementary_log(0) == -(double)INFINITY);
    assert_true(im_elementary_log(DBL_MIN / 2) == -(double)INFINITY);
    assert_near(im_elementary_log(DBL_MIN), -708.39641853226411, 1e-12);
    assert_near(im_elementary_log(DBL_MAX), 709.78271289338397, 1e-12);
    assert_true(isinf(im_elementary_log((double)INFINITY)));
    assert_true(isnan(im_elementary_log(-1)) && isnan(im_elementary_log((double)NAN)));
}

/* A number for the bits of all results. */
static uint64_t mix(uint64_t sum, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    sum = (sum ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    return sum ^ sum >> 29;
}

/* Models depend on every bit: these numbers are the same on every machine, and may not change.
 */
static void the_bits_are_known(void **state)
{
    (void)state;
    uint64_t exps = 1, logs = 1, powers = 1, turns = 1;
    for (uint32_t i = 0; i < DRAWS; i++) {
        double cosine, sine;
        im_elementary_turn(&cosine, &sine, draw(i, -10, 10));
        exps = mix(exps, im_elementary_exp(draw(i, -40, 1)));
        logs = mix(logs, im_elementary_log(draw(i, 1e-8, 2)));
        powers = mix(powers, im_elementary_power(i % 2 ? 0.9 : 0.999, i));
        turns = mix(mix(turns, cosine), sine);
    }
    assert_int_equal(exps, UINT64_C(0x645DDA2FC9E43487));
    assert_int_equal(logs, UINT64_C(0xF068BEE9F76EDE21));
    assert_int_equal(powers, UINT64_C(0x131ACE3E6045F743));
    assert_int_equal(turns, UINT64_C(0x304CB2DB5EEAF62C));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_close),
        cmocka_unit_test(exact_where_they_can_be),
        cmocka_unit_test(the_ends),
        cmocka_unit_test(the_bits_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
