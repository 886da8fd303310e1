/* SPDX-License-Identifier: MIT
 *
 * Distances in plain C. Bits are counted by adding neighbors: pairs, nibbles, bytes, and the
 * sum of the bytes by a product. The compiler makes vectors of it where it can. */
#include "search/hamming_kernels.h"

enum { RUN = IM_HAMMING_RUN };

static inline uint64_t count_bits(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return x * 0x0101010101010101 >> 56;
}

static void distances_of(uint16_t *distance, const uint64_t *query, const uint64_t *run,
                         size_t words)
{
    uint64_t sum[RUN];
    for (size_t i = 0; i < RUN; i++)
        sum[i] = count_bits(query[0] ^ run[i]);
    for (size_t j = 1; j < words; j++)
        for (size_t i = 0; i < RUN; i++)
            sum[i] += count_bits(query[j] ^ run[j * RUN + i]);
    for (size_t i = 0; i < RUN; i++)
        distance[i] = (uint16_t)sum[i];
}

static void distances_ref(uint16_t *distance, const uint64_t *queries, size_t count,
                          const uint64_t *run, size_t words)
{
    for (size_t q = 0; q < count; q++)
        distances_of(distance + q * RUN, queries + q * words, run, words);
}

static size_t within_ref(im_hamming_pass *restrict passed, const uint64_t *queries,
                         const uint16_t *bound, size_t count, const uint64_t *run,
                         size_t words)
{
    size_t n = 0;
    for (size_t q = 0; q < count; q++) {
        uint16_t distance[RUN];
        uint64_t mask = 0;
        distances_of(distance, queries + q * words, run, words);
        for (size_t i = 0; i < RUN; i++)
            mask |= (uint64_t)(distance[i] <= bound[q]) << i;
        if (mask)
            passed[n++] = (im_hamming_pass){mask, (uint32_t)q};
    }
    return n;
}

static void listed_ref(uint16_t *distance, const uint64_t *query, const uint64_t *codes,
                       const uint32_t *list, size_t count, size_t words)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t *code = codes + list[i] * words;
        uint64_t sum = 0;
        for (size_t j = 0; j < words; j++)
            sum += count_bits(query[j] ^ code[j]);
        distance[i] = (uint16_t)sum;
    }
}

const im_hamming_kernel im_hamming_ref = {"reference", 1.2, distances_ref, within_ref,
                                          listed_ref};
