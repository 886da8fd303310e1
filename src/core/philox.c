/* SPDX-License-Identifier: MIT
 *
 * See philox.h. A round, with counters (c0, c1, c2, c3) and key (k0, k1):
 *
 *     a = M0 c0,  b = M1 c2                          64-bit products
 *     c0 = high(b) ^ c1 ^ k0,   c1 = low(b)
 *     c2 = high(a) ^ c3 ^ k1,   c3 = low(a)
 *
 * The vectors hold a counter's word in the lower half of 64 bits. What is in the upper half
 * does not matter: the product reads lower halves only, and so does the last store.
 */
#include "core/philox.h"

#include <string.h>

enum { ROUNDS = 10, LANES = IM_PHILOX_LANES };

static const uint32_t MULTIPLIER[2] = {0xD2511F53, 0xCD9E8D57},
                      WEYL[2] = {0x9E3779B9, 0xBB67AE85};

/* The last word of every counter. */
static uint32_t stream_word(im_rng rng)
{
    return (uint32_t)rng.stream | rng.branch << 8;
}

void im_philox_ref(uint32_t word[IM_PHILOX_WORDS][LANES], im_rng rng, uint32_t item,
                   uint32_t first)
{
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t c[IM_PHILOX_WORDS] = {first + i, item, rng.step, stream_word(rng)};
        uint32_t key[2] = {(uint32_t)rng.seed, (uint32_t)(rng.seed >> 32)};
        for (int round = 0; round < ROUNDS; round++) {
            const uint64_t a = (uint64_t)MULTIPLIER[0] * c[0];
            const uint64_t b = (uint64_t)MULTIPLIER[1] * c[2];
            c[0] = (uint32_t)(b >> 32) ^ c[1] ^ key[0];
            c[1] = (uint32_t)b;
            c[2] = (uint32_t)(a >> 32) ^ c[3] ^ key[1];
            c[3] = (uint32_t)a;
            key[0] += WEYL[0];
            key[1] += WEYL[1];
        }
        for (int w = 0; w < IM_PHILOX_WORDS; w++)
            word[w][i] = c[w];
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

enum { WIDE = 8, NARROW = 4 }; /* counters in a vector */

__attribute__((target("avx512f"))) static void philox_avx512(
    uint32_t word[IM_PHILOX_WORDS][LANES], im_rng rng, uint32_t item, uint32_t first)
{
    const __m512i step = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i m0 = _mm512_set1_epi64(MULTIPLIER[0]), m1 = _mm512_set1_epi64(MULTIPLIER[1]);
    for (uint32_t i = 0; i < LANES; i += WIDE) {
        __m512i c0 = _mm512_add_epi64(_mm512_set1_epi64(first + i), step);
        __m512i c1 = _mm512_set1_epi64(item), c2 = _mm512_set1_epi64(rng.step);
        __m512i c3 = _mm512_set1_epi64(stream_word(rng));
        uint32_t key[2] = {(uint32_t)rng.seed, (uint32_t)(rng.seed >> 32)};
        for (int round = 0; round < ROUNDS; round++) {
            const __m512i a = _mm512_mul_epu32(m0, c0), b = _mm512_mul_epu32(m1, c2);
            c0 = _mm512_xor_si512(_mm512_xor_si512(_mm512_srli_epi64(b, 32), c1),
                                  _mm512_set1_epi64(key[0]));
            c2 = _mm512_xor_si512(_mm512_xor_si512(_mm512_srli_epi64(a, 32), c3),
                                  _mm512_set1_epi64(key[1]));
            c1 = b;
            c3 = a;
            key[0] += WEYL[0];
            key[1] += WEYL[1];
        }
        _mm256_storeu_si256((__m256i *)(word[0] + i), _mm512_cvtepi64_epi32(c0));
        _mm256_storeu_si256((__m256i *)(word[1] + i), _mm512_cvtepi64_epi32(c1));
        _mm256_storeu_si256((__m256i *)(word[2] + i), _mm512_cvtepi64_epi32(c2));
        _mm256_storeu_si256((__m256i *)(word[3] + i), _mm512_cvtepi64_epi32(c3));
    }
}

/* The lower halves of four 64-bit elements. */
__attribute__((target("avx2"))) static void store_low(uint32_t *to, __m256i x)
{
    const __m256i even = _mm256_set_epi32(7, 5, 3, 1, 6, 4, 2, 0);
    const __m128i low = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(x, even));
    memcpy(to, &low, sizeof low);
}

__attribute__((target("avx2"))) static void philox_avx2(uint32_t word[IM_PHILOX_WORDS][LANES],
                                                        im_rng rng, uint32_t item,
                                                        uint32_t first)
{
    const __m256i step = _mm256_set_epi64x(3, 2, 1, 0);
    const __m256i m0 = _mm256_set1_epi64x(MULTIPLIER[0]),
                  m1 = _mm256_set1_epi64x(MULTIPLIER[1]);
    for (uint32_t i = 0; i < LANES; i += NARROW) {
        __m256i c0 = _mm256_add_epi64(_mm256_set1_epi64x(first + i), step);
        __m256i c1 = _mm256_set1_epi64x(item), c2 = _mm256_set1_epi64x(rng.step);
        __m256i c3 = _mm256_set1_epi64x(stream_word(rng));
        uint32_t key[2] = {(uint32_t)rng.seed, (uint32_t)(rng.seed >> 32)};
        for (int round = 0; round < ROUNDS; round++) {
            const __m256i a = _mm256_mul_epu32(m0, c0), b = _mm256_mul_epu32(m1, c2);
            c0 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(b, 32), c1),
                                  _mm256_set1_epi64x(key[0]));
            c2 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(a, 32), c3),
                                  _mm256_set1_epi64x(key[1]));
            c1 = b;
            c3 = a;
            key[0] += WEYL[0];
            key[1] += WEYL[1];
        }
        store_low(word[0] + i, c0);
        store_low(word[1] + i, c1);
        store_low(word[2] + i, c2);
        store_low(word[3] + i, c3);
    }
}

im_philox_fn im_philox_select(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return philox_avx512;
    return __builtin_cpu_supports("avx2") ? philox_avx2 : im_philox_ref;
}
#else
im_philox_fn im_philox_select(void)
{
    return im_philox_ref;
}
#endif
