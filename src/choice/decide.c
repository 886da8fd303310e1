/* SPDX-License-Identifier: MIT
 * See decide.h. */
#include "choice/decide.h"

#include <math.h>

size_t im_decide_method(const im_candidate *candidates, size_t count, double without,
                        size_t mixture)
{
    static const double TIE = 0.1;
    size_t best = count;
    double top = -INFINITY;
    if (mixture < count && candidates[mixture].usable)
        return mixture;
    for (size_t i = 0; i < count; i++)
        if (candidates[i].usable)
            top = fmax(top, candidates[i].information);
    const double least = top - TIE * fmax(top - without, 0);
    for (size_t i = 0; i < count; i++)
        if (candidates[i].usable && candidates[i].information >= least &&
            (best == count || candidates[i].nats > candidates[best].nats))
            best = i;
    return best;
}

bool im_decide_alike(double value, const double *draws, size_t count)
{
    static const double FAR = 2.5, LEAST_DEVIATION = 0.005;
    double mean = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        mean += draws[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (draws[i] - mean) * (draws[i] - mean);
    const double deviation = fmax(sqrt(squares / (double)(count - 1)), LEAST_DEVIATION);
    return fabs(value - mean) <= FAR * deviation;
}

size_t im_decide_k(imsat_k_row *rows, size_t count, const bool *structure)
{
    static const double STRONG = 0.8;
    size_t k = 0;
    for (size_t i = 0; i < count; i++) {
        rows[i].stands = structure[i] && rows[i].strength >= STRONG;
        if (rows[i].stands && rows[i].k > k)
            k = rows[i].k;
    }
    return k;
}
