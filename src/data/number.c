/* SPDX-License-Identifier: MIT
 *
 * Numbers; see number.h. A number of at most 2^53 times or over a power of ten up to 10^22
 * is one exact multiplication or division of doubles, hence correctly rounded (Clinger
 * 1990); that covers what data files mostly hold. The rest goes to strtod_l() with the C
 * locale, on a copy, after its form was checked: it would also take hexadecimal.
 */
#define _GNU_SOURCE
#include "data/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 500, EXACT_POWER = 22, MAX_DIGITS = 19 };

static const uint64_t LARGEST_EXACT = UINT64_C(1) << 53;

static const double power_of_ten[EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* A decimal number taken apart: mantissa * 10^exponent. */
typedef struct decimal {
    uint64_t mantissa;
    int exponent;
    bool negative;
    bool cut; /* there were more digits than the mantissa holds */
} decimal;

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Add digits from *at on to the mantissa; how many there were. Zeros in front are free. */
static inline size_t take_digits(decimal *d, const char **at, const char *end, int *room)
{
    const char *start = *at;
    const char *p = start;
    for (; p < end && is_digit(*p); p++) {
        if (*room == 0) {
            d->cut = true;
            continue;
        }
        d->mantissa = d->mantissa * 10 + (uint64_t)(*p - '0');
        *room -= d->mantissa != 0;
    }
    *at = p;
    return (size_t)(p - start);
}

/* The exponent after an e, if there is one. Beyond +-9999 it stays there: all the same. */
static bool take_exponent(decimal *d, const char **at, const char *end)
{
    const char *p = *at;
    if (p == end || (*p != 'e' && *p != 'E'))
        return true;
    p++;
    const bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || !is_digit(*p))
        return false;
    int exponent = 0;
    for (; p < end && is_digit(*p); p++)
        if (exponent < 10000)
            exponent = exponent * 10 + (*p - '0');
    d->exponent += negative ? -exponent : exponent;
    *at = p;
    return true;
}

static bool take_apart(decimal *d, const char *text, const char *end)
{
    const char *p = text;
    int room = MAX_DIGITS;
    d->negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    size_t digits = take_digits(d, &p, end, &room);
    if (p < end && *p == '.') {
        p++;
        const size_t decimals = take_digits(d, &p, end, &room);
        digits += decimals;
        d->exponent = -(int)decimals; /* of no use when cut */
    }
    return digits > 0 && take_exponent(d, &p, end) && p == end;
}

/* The exact case; false when it is not one. */
static bool exact_value(double *value, decimal d)
{
    if (d.cut)
        return false;
    if (d.mantissa == 0)
        d.exponent = 0;
    /* 1.500000000000000000e+00, as numpy prints */
    while ((d.mantissa > LARGEST_EXACT || d.exponent < -EXACT_POWER) && d.mantissa % 10 == 0) {
        d.mantissa /= 10;
        d.exponent++;
    }
    if (d.mantissa > LARGEST_EXACT || d.exponent < -EXACT_POWER || d.exponent > EXACT_POWER)
        return false;
    const double mantissa = (double)d.mantissa;
    const double size = d.exponent < 0 ? mantissa / power_of_ten[-d.exponent]
                                       : mantissa * power_of_ten[d.exponent];
    *value = d.negative ? -size : size;
    return true;
}

static double hard_value(const char *text, size_t size)
{
    char copy[LONGEST + 1];
    memcpy(copy, text, size);
    copy[size] = '\0';
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale)
        return NAN; /* refused, rather than read by the rules of the process's locale */
    const double value = strtod_l(copy, NULL, c_locale);
    freelocale(c_locale);
    return value;
}

static bool is_word(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && strncasecmp(text, word, size) == 0;
}

static im_number non_finite(double *value, const char *text, size_t size)
{
    const bool negative = size > 0 && *text == '-';
    if (size > 0 && (*text == '-' || *text == '+')) {
        text++;
        size--;
    }
    if (is_word(text, size, "nan"))
        *value = NAN;
    else if (is_word(text, size, "inf") || is_word(text, size, "infinity"))
        *value = negative ? -INFINITY : INFINITY;
    else
        return IM_NUMBER_NONE;
    return IM_NUMBER_NONFINITE;
}

im_number im_number_parse(double *value, const char *text, size_t size)
{
    decimal d = {0};
    if (size > LONGEST)
        return IM_NUMBER_NONE;
    if (!take_apart(&d, text, text + size))
        return non_finite(value, text, size);
    if (!exact_value(value, d))
        *value = hard_value(text, size);
    return isfinite(*value) ? IM_NUMBER_FINITE : IM_NUMBER_NONFINITE;
}

bool im_number_whole(int32_t *whole, double value)
{
    if (!(value >= INT32_MIN && value <= INT32_MAX) || value != floor(value))
        return false;
    *whole = (int32_t)value;
    return true;
}

/* ---- writing -------------------------------------------------------------------- */

/* The point of the locale, which may be several bytes, becomes a point. */
static size_t set_point(char *text, size_t size)
{
    size_t used = 0;
    bool before = false;
    for (size_t i = 0; i < size; i++) {
        const bool other = !is_digit(text[i]) && !strchr("+-einfa", text[i]);
        if (!other)
            text[used++] = text[i];
        else if (!before)
            text[used++] = '.';
        before = other;
    }
    text[used] = '\0';
    return used;
}

/* Whether the text is read as the value. As a float it is that by any reader: also by one that
 * rounds once, and not by way of a double. */
static bool reads_back(const char *text, size_t size, double value, bool is_float)
{
    double got = 0;
    if (im_number_parse(&got, text, size) != IM_NUMBER_FINITE)
        return false;
    if (!is_float)
        return got == value;
    const float wanted = (float)value;
    return (float)nextafter(got, -INFINITY) == wanted &&
           (float)nextafter(got, INFINITY) == wanted;
}

size_t im_number_text(char text[IM_NUMBER_ROOM], double value, bool is_float)
{
    static const double whole = 1e15;
    const int few = is_float ? 6 : 15, enough = is_float ? 9 : 17;
    if (value > -whole && value < whole && value == floor(value) &&
        !(value == 0 && signbit(value)))
        return (size_t)snprintf(text, IM_NUMBER_ROOM, "%lld", (long long)value);
    int size = snprintf(text, IM_NUMBER_ROOM, "%.*g", few, value);
    const size_t shorter = set_point(text, (size_t)size);
    if (!isfinite(value) || reads_back(text, shorter, value, is_float))
        return shorter;
    size = snprintf(text, IM_NUMBER_ROOM, "%.*g", enough, value);
    return set_point(text, (size_t)size);
}
