/* SPDX-License-Identifier: MIT
 * Counter-based random numbers; see rng.h. The only file that knows Random123. Normal ones
 * are in normals.c. */
#include "core/rng.h"

#include <Random123/philox.h>
void im_rng_block(uint32_t out[4], im_rng rng, uint32_t item, uint32_t index)
{
    const uint32_t stream = (uint32_t)rng.stream | rng.branch << 8;
    const philox4x32_ctr_t counter = {{index, item, rng.step, stream}};
    const philox4x32_key_t key = {{(uint32_t)rng.seed, (uint32_t)(rng.seed >> 32)}};
    const philox4x32_ctr_t word = philox4x32(counter, key);
    for (int i = 0; i < 4; i++)
        out[i] = word.v[i];
}

void im_rng_uniforms(double *out, size_t n, im_rng rng, uint32_t item)
{
    uint32_t word[4];
    for (size_t i = 0; i < n; i++) {
        if (i % 4 == 0)
            im_rng_block(word, rng, item, (uint32_t)(i / 4));
        out[i] = word[i % 4] * 0x1p-32;
    }
}

enum { ROUNDS = 6 };

uint64_t im_rng_permute(uint64_t index, uint64_t n, im_rng rng)
{
    unsigned half = 1;
    while (half < 32 && (UINT64_C(1) << (2 * half)) < n)
        half++;
    const uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t left = index >> half, right = index & mask;
        for (uint32_t round = 0; round < ROUNDS; round++) {
            uint32_t word[4];
            im_rng_block(word, rng, (uint32_t)right, round);
            const uint64_t mixed = (left ^ word[0]) & mask;
            left = right;
            right = mixed;
        }
        index = left << half | right;
    } while (index >= n);
    return index;
}
