/* SPDX-License-Identifier: MIT
 * See row_weights.h. */
#include "train/row_weights.h"

#include "core/elementary.h"

#include <assert.h>
#include <stdlib.h>

enum { SAMPLE = 4096 };

static int smaller_first(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

im_row_weights im_row_weights_of(const float *radius, size_t n, double thin)
{
    assert(n > 0 && thin >= 1);
    float sorted[SAMPLE] = {0};
    const size_t count = n < SAMPLE ? n : SAMPLE;
    const double step = (double)n / (double)count;
    for (size_t i = 0; i < count; i++)
        sorted[i] = radius[(size_t)(step * (double)i)];
    qsort(sorted, count, sizeof *sorted, smaller_first);
    im_row_weights w = {sorted[count / 2], 0, 2 * thin};
    const double upper = sorted[count * 9 / 10];
    if (w.middle > 0 && upper > w.middle)
        w.power = im_elementary_log(thin) / im_elementary_log(upper / w.middle);
    return w;
}

double im_row_weights_at(const im_row_weights *w, double radius)
{
    if (!(w->power > 0))
        return 1;
    const double weight = im_elementary_exp(w->power * im_elementary_log(radius / w->middle));
    if (weight < 1 / w->most)
        return 1 / w->most;
    return weight < w->most ? weight : w->most;
}
