/* SPDX-License-Identifier: MIT
 * See axis.h. */
#include "plot/axis.h"

#include "core/elementary.h"
#include "data/number.h"

#include <math.h>

enum { WANTED = 5 };

bool im_axis_holds(const im_axis *axis, double value)
{
    return isfinite(value) && fabs(value) < 1e100 && (!axis->log || value > 1e-100);
}

void im_axis_cover(const im_axis *axis, double *low, double *high, const double *values,
                   size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!im_axis_holds(axis, values[i]))
            continue;
        *low = fmin(*low, values[i]);
        *high = fmax(*high, values[i]);
    }
}

/* 10^e. A power above 1 is a product and one below is a quotient, so that both are the double
 * nearest to what is meant as far as doubles have it: 3 times 1/10 is 0.3. */
static double ten(int e)
{
    double p = 1;
    for (int i = 0; i < (e < 0 ? -e : e); i++)
        p *= 10;
    return p;
}

static double times_ten(double mantissa, int e)
{
    return e < 0 ? mantissa / ten(e) : mantissa * ten(e);
}

/* The largest power of ten that is not above a positive value. */
static int magnitude(double value)
{
    int e = 0;
    while (e < 110 && times_ten(1, e + 1) <= value)
        e++;
    while (e > -110 && times_ten(1, e) > value)
        e--;
    return e;
}

/* A step of 1, 2 or 5 times a power of ten: mantissa and exponent of the smallest of which at
 * most `wanted` fit into a range. */
static double step_of(double range, size_t wanted, int *exponent)
{
    static const double steps[] = {1, 2, 5, 10};
    const double least = range / (double)wanted;
    *exponent = magnitude(least);
    for (size_t i = 0; i < 3; i++)
        if (times_ten(steps[i], *exponent) >= least * (1 - 1e-9))
            return steps[i];
    return steps[3];
}

static double log_of(double value)
{
    return im_elementary_log(value);
}

/* A range that has no extent gets some. */
static void widen(const im_axis *axis, double *low, double *high)
{
    if (!(*low <= *high)) {
        *low = axis->log ? 1 : 0;
        *high = axis->log ? 10 : 1;
    } else if (axis->log && *high < *low * 1.001) {
        *low /= 2;
        *high *= 2;
    } else if (!axis->log && *high - *low <= 1e-9 * fmax(fabs(*low), fabs(*high))) {
        const double by = *low == 0 ? 1 : fabs(*low) / 10;
        *low -= by;
        *high += by;
    }
}

void im_axis_settle(im_axis *axis, double low, double high)
{
    if (axis->low < axis->high)
        return;
    widen(axis, &low, &high);
    if (!axis->log) {
        int e;
        const double m = step_of(high - low, WANTED, &e);
        low = times_ten(floor(low / times_ten(m, e) + 1e-9) * m, e);
        high = times_ten(ceil(high / times_ten(m, e) - 1e-9) * m, e);
    }
    axis->low = low;
    axis->high = high;
}

double im_axis_place(const im_axis *axis, double value)
{
    const double share = axis->log ? (log_of(value) - log_of(axis->low)) /
                                         (log_of(axis->high) - log_of(axis->low))
                                   : (value - axis->low) / (axis->high - axis->low);
    return axis->at + share * axis->length;
}

static size_t log_ticks(const im_axis *axis, double ticks[IM_AXIS_TICKS])
{
    static const double multiples[] = {1, 2, 5};
    const int first = magnitude(axis->low), last = magnitude(axis->high);
    const size_t used = last - first < 3 ? 3 : 1; /* of the multiples */
    const int apart = 1 + (last - first) / 12;    /* decades between two ticks */
    size_t count = 0;
    for (int e = first; e <= last; e += apart)
        for (size_t i = 0; i < used && count < IM_AXIS_TICKS; i++) {
            const double tick = times_ten(multiples[i], e);
            if (tick >= axis->low * (1 - 1e-9) && tick <= axis->high * (1 + 1e-9))
                ticks[count++] = tick;
        }
    return count;
}

size_t im_axis_ticks(const im_axis *axis, double ticks[IM_AXIS_TICKS], size_t wanted)
{
    if (axis->log)
        return log_ticks(axis, ticks);
    int e;
    const double range = axis->high - axis->low, m = step_of(range, wanted ? wanted : 1, &e);
    const double step = times_ten(m, e), first = ceil(axis->low / step - 1e-9);
    size_t count = 0;
    for (; count < IM_AXIS_TICKS; count++) {
        const double tick = times_ten((first + (double)count) * m, e);
        if (tick > axis->high + 1e-9 * range)
            break;
        ticks[count] = tick;
    }
    return count;
}

void im_axis_text(im_strbuf *out, double tick)
{
    char text[IM_NUMBER_ROOM];
    im_strbuf_bytes(out, text, im_number_text(text, tick == 0 ? 0 : tick, false));
}
