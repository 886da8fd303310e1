/* SPDX-License-Identifier: MIT
 * See agreement.h. */
#include "model/agreement.h"

#include "core/rng.h"

#include <math.h>

enum { PAIRS = 65536 };

static double distance(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    int bits = 0;
    for (size_t i = 0; i < bytes; i++)
        bits += __builtin_popcount((unsigned)(a[i] ^ b[i]));
    return bits;
}

/* Two different rows; rows is at least 2. */
static void draw_pair(size_t pair[2], uint32_t item, size_t rows)
{
    const im_rng rng = {0, IM_STREAM_AGREEMENT, 0, 0};
    double u[2];
    im_rng_uniforms(u, 2, rng, item);
    pair[0] = (size_t)(u[0] * (double)rows);
    pair[1] = (size_t)(u[1] * (double)(rows - 1));
    pair[1] += pair[1] >= pair[0];
}

double im_agreement_codes(const uint8_t *a, const uint8_t *b, size_t rows, size_t bytes)
{
    double sum_x = 0, sum_y = 0, sum_xx = 0, sum_yy = 0, sum_xy = 0;
    for (uint32_t item = 0; item < PAIRS; item++) {
        size_t pair[2];
        draw_pair(pair, item, rows);
        const size_t i = pair[0] * bytes, j = pair[1] * bytes;
        const double x = distance(a + i, a + j, bytes), y = distance(b + i, b + j, bytes);
        sum_x += x;
        sum_y += y;
        sum_xx += x * x;
        sum_yy += y * y;
        sum_xy += x * y;
    }
    /* Sums of whole numbers: exact, so that equal distances have a variance of 0. The root is
     * of the product, because that of a square, rounded, is exact: so the result is at most 1.
     */
    const double var_x = PAIRS * sum_xx - sum_x * sum_x;
    const double var_y = PAIRS * sum_yy - sum_y * sum_y;
    if (!(var_x > 0) || !(var_y > 0))
        return var_x > 0 || var_y > 0 ? 0 : 1;
    return (PAIRS * sum_xy - sum_x * sum_y) / sqrt(var_x * var_y);
}
