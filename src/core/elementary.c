/* SPDX-License-Identifier: MIT
 *
 * See elementary.h. Where a term is added to one that is larger, the larger one is a pair of
 * doubles, high and low, or exact, so that the last addition is nearly the only rounding.
 */
#include "core/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A number as high + low, where low is the rest that high has no digits for. */
typedef struct pair {
    double high, low;
} pair;

/* a + b, |a| >= |b| or a = 0. */
static pair add(double a, double b)
{
    const double sum = a + b;
    return (pair){sum, b - (sum - a)};
}

/* a b, by halves of 26 bits whose products are exact. */
static pair multiply(double a, double b)
{
    const double half = 0x1p27 + 1, product = a * b;
    const double a_high = half * a - (half * a - a), a_low = a - a_high;
    const double b_high = half * b - (half * b - b), b_low = b - b_high;
    return (pair){product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) +
                               a_low * b_low};
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double number_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- e^x ------------------------------------------------------------------- */

/* 2^(j/32) */
static const pair POWER[32] = {{0x1p0, 0},
                               {0x1.059b0d3158574p0, 0x1.d73e2a475b465p-55},
                               {0x1.0b5586cf9890fp0, 0x1.8a62e4adc610bp-54},
                               {0x1.11301d0125b51p0, -0x1.6c51039449b3ap-54},
                               {0x1.172b83c7d517bp0, -0x1.19041b9d78a76p-55},
                               {0x1.1d4873168b9aap0, 0x1.e016e00a2643cp-54},
                               {0x1.2387a6e756238p0, 0x1.9b07eb6c70573p-54},
                               {0x1.29e9df51fdee1p0, 0x1.612e8afad1255p-55},
                               {0x1.306fe0a31b715p0, 0x1.6f46ad23182e4p-55},
                               {0x1.371a7373aa9cbp0, -0x1.63aeabf42eae2p-54},
                               {0x1.3dea64c123422p0, 0x1.ada0911f09ebcp-55},
                               {0x1.44e086061892dp0, 0x1.89b7a04ef80dp-59},
                               {0x1.4bfdad5362a27p0, 0x1.d4397afec42e2p-56},
                               {0x1.5342b569d4f82p0, -0x1.07abe1db13cadp-55},
                               {0x1.5ab07dd485429p0, 0x1.6324c054647adp-54},
                               {0x1.6247eb03a5585p0, -0x1.383c17e40b497p-54},
                               {0x1.6a09e667f3bcdp0, -0x1.bdd3413b26456p-54},
                               {0x1.71f75e8ec5f74p0, -0x1.16e4786887a99p-55},
                               {0x1.7a11473eb0187p0, -0x1.41577ee04992fp-55},
                               {0x1.82589994cce13p0, -0x1.d4c1dd41532d8p-54},
                               {0x1.8ace5422aa0dbp0, 0x1.6e9f156864b27p-54},
                               {0x1.93737b0cdc5e5p0, -0x1.75fc781b57ebcp-57},
                               {0x1.9c49182a3f09p0, 0x1.c7c46b071f2bep-56},
                               {0x1.a5503b23e255dp0, -0x1.d2f6edb8d41e1p-54},
                               {0x1.ae89f995ad3adp0, 0x1.7a1cd345dcc81p-54},
                               {0x1.b7f76f2fb5e47p0, -0x1.5584f7e54ac3bp-56},
                               {0x1.c199bdd85529cp0, 0x1.11065895048ddp-55},
                               {0x1.cb720dcef9069p0, 0x1.503cbd1e949dbp-56},
                               {0x1.d5818dcfba487p0, 0x1.2ed02d75b3707p-55},
                               {0x1.dfc97337b9b5fp0, -0x1.1a5cd4f184b5cp-54},
                               {0x1.ea4afa2a490dap0, -0x1.e9c23179c2893p-54},
                               {0x1.f50765b6e454p0, 0x1.9d3e12dd8a18bp-54}};

/* x = (32 k + j) log 2 / 32 + r:  e^x = 2^k 2^(j/32) e^r,  |r| < 0.011. */
double im_elementary_exp(double x)
{
    static const double PER_STEP = 0x1.71547652b82fep5; /* 32 / log 2 */
    /* log 2 / 32: times a whole number of 16 bits, the first is exact. */
    static const pair STEP = {0x1.62e42fefap-6, 0x1.cf79abc9e3b3ap-45};
    static const double WHOLE = 0x1.8p52; /* what is added to it is rounded to whole */
    if (!(x >= -708 && x <= 709))
        return x < 0 ? 0 : x > 0 ? (double)INFINITY : x;
    const double steps = (x * PER_STEP + WHOLE) - WHOLE;
    const double r = (x - steps * STEP.high) - steps * STEP.low;
    const double q = r * r;
    const double low = 1 / 2.0 + r * (1 / 6.0), middle = 1 / 24.0 + r * (1 / 120.0);
    const double tail = q * (low + q * (middle + q * (1 / 720.0 + r * (1 / 5040.0))));
    const int64_t n = (int64_t)steps;
    const pair power = POWER[n & 31];
    const double scale = number_of((uint64_t)(1023 + (n >> 5)) << 52);
    return scale * (power.high + (power.low + power.high * (r + tail)));
}

/* ---- log x ----------------------------------------------------------------- */

enum { FIRST = 23 };

/* log(j/32) from j = FIRST on; the high parts, and that of LOG_2, are multiples of 2^-41. */
static const pair LOG[24] = {
    {-0x1.522ae0738ap-2, -0x1.ebe708164c759p-45}, {-0x1.269621134ep-2, 0x1.1b61f10522625p-44},
    {-0x1.f991c6cb3cp-3, 0x1.90d04cd7cc834p-44},  {-0x1.a93ed3c8acp-3, -0x1.9e36f2bea77a6p-43},
    {-0x1.5bf406b544p-3, 0x1.27023eb68981cp-46},  {-0x1.1178e8228p-3, 0x1.b8421cc74be04p-43},
    {-0x1.9335e5d598p-4, 0x1.b3ba8f150ae0ap-43},  {-0x1.08598b59ep-4, -0x1.d034451fecdfbp-43},
    {-0x1.0415d89e7p-5, -0x1.1111c05cf1d75p-43},  {0, 0},
    {0x1.f829b0e78p-6, 0x1.980267c7e09e4p-45},    {0x1.f0a30c011p-5, 0x1.8a9985f325c5cp-43},
    {0x1.6f0d28ae58p-4, -0x1.4b4641b664613p-44},  {0x1.e27076e2bp-4, -0x1.a342c2af0003cp-45},
    {0x1.29552f82p-3, -0x1.5b967f4471dfcp-44},    {0x1.5ff3070a78p-3, 0x1.3d3c873e20a07p-43},
    {0x1.9525a9cf44p-3, 0x1.6b47641307539p-43},   {0x1.c8ff7c79a8p-3, 0x1.a21ac25d81ef3p-43},
    {0x1.fb9186d5e4p-3, -0x1.d572aab993c87p-47},  {0x1.1675cababap-2, 0x1.8380e731f55c4p-44},
    {0x1.2e8e2bae12p-2, -0x1.67b1e99b72bd8p-45},  {0x1.4618bc21c6p-2, -0x1.3d82f484c84ccp-46},
    {0x1.5d1bdbf58p-2, 0x1.394a11b1c1ee4p-43},    {0x1.739d7f6bbep-2, -0x1.ff2c63b67580ap-43}};

/* 32/j */
static const double INVERSE[24] = {
    32.0 / 23, 32.0 / 24, 32.0 / 25, 32.0 / 26, 32.0 / 27, 32.0 / 28, 32.0 / 29, 32.0 / 30,
    32.0 / 31, 32.0 / 32, 32.0 / 33, 32.0 / 34, 32.0 / 35, 32.0 / 36, 32.0 / 37, 32.0 / 38,
    32.0 / 39, 32.0 / 40, 32.0 / 41, 32.0 / 42, 32.0 / 43, 32.0 / 44, 32.0 / 45, 32.0 / 46};

/* log(1 + r) - r, |r| < 0.022: the series to r^11, in parts that do not wait for each other.
 */
static double log_tail(double r)
{
    const double q = r * r;
    const double low = (-1 / 2.0 + r * (1 / 3.0)) + q * (-1 / 4.0 + r * (1 / 5.0));
    const double middle = (-1 / 6.0 + r * (1 / 7.0)) + q * (-1 / 8.0 + r * (1 / 9.0));
    const double high = -1 / 10.0 + r * (1 / 11.0);
    return q * (low + q * q * (middle + q * q * high));
}

/* x = 2^k z,  z = c + f with c = j/32 nearest:  log x = k log 2 + log c + log(1 + f / c). */
double im_elementary_log(double x)
{
    static const pair LOG_2 = {0x1.62e42fefa4p-1, -0x1.8432a1b0e2634p-43};
    static const double TO_32NDS = 0x1.8p47, SHORT = 0x1.8p12;  /* to multiples of 2^-40 */
    static const uint64_t LEAST = UINT64_C(0x3FE6C00000000000); /* 45.5/64: z is not below */
    if (!(x >= 0x1p-1022 && x < (double)INFINITY))
        return x < 0 ? (double)NAN : x < 1 ? -(double)INFINITY : x;
    const uint64_t bits = bits_of(x);
    const int64_t k = (int64_t)(bits - LEAST) >> 52;
    const double z = number_of(bits - ((uint64_t)k << 52)), shifted = z + TO_32NDS;
    const size_t j = (size_t)(bits_of(shifted) & 63) - FIRST;
    const double c = shifted - TO_32NDS, f = z - c, over_c = INVERSE[j];
    const double r = (f * over_c + SHORT) - SHORT, rest = (f - r * c) * over_c;
    const pair log_c = LOG[j];
    const double high = (double)k * LOG_2.high + log_c.high + r; /* exact, as is f - r c */
    return high + ((double)k * LOG_2.low + log_c.low + (rest + log_tail(r + rest)));
}

/* ---- x^n ------------------------------------------------------------------- */

static pair multiply_pairs(pair a, pair b)
{
    const pair product = multiply(a.high, b.high);
    return add(product.high, product.low + (a.high * b.low + a.low * b.high));
}

double im_elementary_power(double x, uint64_t n)
{
    pair result = {1, 0};
    for (pair square = {x, 0}; n; n >>= 1, square = multiply_pairs(square, square))
        if (n & 1)
            result = multiply_pairs(result, square);
    return result.high;
}

/* ---- angles ---------------------------------------------------------------- */

/* By the series, within 45 degrees of the nearest axis. */
void im_elementary_turn(double *cosine, double *sine, double degrees)
{
    const double quarters = floor(degrees / 90 + 0.5),
                 whole = quarters - 4 * floor(quarters / 4);
    const double x = (degrees - 90 * quarters) * (3.141592653589793 / 180), q = x * x;
    double s = 0, c = 0;
    for (int i = 18; i >= 2; i -= 2) {
        c = (1 - c) * q / (i * (i - 1));
        s = (1 - s) * q / (i * (i + 1));
    }
    c = 1 - c;
    s = x - x * s;
    const bool odd = whole == 1 || whole == 3;
    *cosine = (whole == 1 || whole == 2 ? -1 : 1) * (odd ? s : c);
    *sine = (whole >= 2 ? -1 : 1) * (odd ? c : s);
}
