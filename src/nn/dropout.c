/* SPDX-License-Identifier: MIT
 * See dropout.h. Number i has word i mod 4 of block i / 4 of its unit, so that what is dropped
 * is the same however many blocks are made at once. */
#include "nn/dropout.h"

#include "core/philox.h"

enum { LANES = IM_PHILOX_LANES, WORDS = IM_PHILOX_WORDS, CHUNK = LANES * WORDS };

IM_CLONES static void factors(im_real out[CHUNK], uint32_t word[WORDS][LANES], uint32_t least,
                              im_real kept)
{
    for (int i = 0; i < LANES; i++)
        for (int w = 0; w < WORDS; w++)
            out[i * WORDS + w] = word[w][i] >= least ? kept : 0;
}

void im_dropout_apply(im_real *a, im_real *slope, const im_dropout *dropout, uint32_t unit,
                      size_t n)
{
    const im_philox_fn philox = im_philox_select();
    const im_real kept = (im_real)(1 / (1 - dropout->rate));
    const uint32_t least = (uint32_t)(dropout->rate * 0x1p32);
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t count = n - i < CHUNK ? n - i : CHUNK;
        uint32_t word[WORDS][LANES];
        im_real factor[CHUNK];
        philox(word, dropout->rng, unit, (uint32_t)(i / WORDS));
        factors(factor, word, least, kept);
        for (size_t j = 0; j < count; j++)
            a[i + j] *= factor[j];
        for (size_t j = 0; slope && j < count; j++)
            slope[i + j] *= factor[j];
    }
}
