/* SPDX-License-Identifier: MIT
 * See dropout.h. */
#include "nn/dropout.h"

void im_dropout_apply(im_real *a, im_real *slope, const im_dropout *dropout, uint32_t unit,
                      size_t n)
{
    const im_real kept = (im_real)(1 / (1 - dropout->rate));
    const uint32_t least = (uint32_t)(dropout->rate * 0x1p32);
    uint32_t word[4];
    for (size_t i = 0; i < n; i++) {
        if (i % 4 == 0)
            im_rng_block(word, dropout->rng, unit, (uint32_t)(i / 4));
        const im_real factor = word[i % 4] >= least ? kept : 0;
        a[i] *= factor;
        if (slope)
            slope[i] *= factor;
    }
}
