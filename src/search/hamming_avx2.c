/* SPDX-License-Identifier: MIT
 *
 * Distances with AVX2: a register holds a word of 4 codes. Bits are counted by a table of 16
 * in a shuffle, for the low and the high half of each byte (Mula, Kurz, Lemire 2018). The
 * counts stay in bytes while words are added up: 16 words have at most 16 * 8 = 128 bits in a
 * byte, below 255. The 8 bytes of a code are added at the end. A run is worked off in two
 * halves of 8 registers each, because the machine has only 16. */
#include "search/hamming_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { RUN = IM_HAMMING_RUN, HALF = RUN / 2, PARTS = HALF / 4 };

/* In each byte the number of bits set in it. */
INLINE __m256i count_bytes(__m256i x)
{
    const __m256i count = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0,
                                           1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i a = _mm256_shuffle_epi8(count, _mm256_and_si256(x, low));
    const __m256i b =
        _mm256_shuffle_epi8(count, _mm256_and_si256(_mm256_srli_epi16(x, 4), low));
    return _mm256_add_epi8(a, b);
}

/* Distances of 4 codes in 64-bit lanes. For the usual lengths `words` is a constant after
 * inlining, and the loop disappears. */
INLINE __m256i distances_of(const uint64_t *query, const uint64_t *run, size_t words)
{
    __m256i bytes = _mm256_setzero_si256();
#pragma GCC unroll 4
    for (size_t j = 0; j < words; j++) {
        const __m256i word = _mm256_set1_epi64x((long long)query[j]);
        const __m256i code = _mm256_loadu_si256((const __m256i *)(run + j * RUN));
        bytes = _mm256_add_epi8(bytes, count_bytes(_mm256_xor_si256(word, code)));
    }
    return _mm256_sad_epu8(bytes, _mm256_setzero_si256());
}

/* The codes of half a run that are within the bound, as a mask. */
INLINE uint64_t half_within(const uint64_t *query, const uint64_t *run, uint16_t bound,
                            size_t words)
{
    const __m256i above = _mm256_set1_epi64x(bound + 1);
    __m256i distance[PARTS], any = _mm256_setzero_si256();
#pragma GCC unroll 8
    for (int p = 0; p < PARTS; p++) {
        distance[p] = distances_of(query, run + 4 * p, words);
        any = _mm256_or_si256(any, _mm256_sub_epi64(distance[p], above));
    }
    uint64_t mask = 0;
    if (__builtin_expect(_mm256_movemask_pd(_mm256_castsi256_pd(any)) != 0, 0))
#pragma GCC unroll 8
        for (int p = 0; p < PARTS; p++) {
            const __m256i under = _mm256_cmpgt_epi64(above, distance[p]);
            mask |= (uint64_t)(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(under))
                    << 4 * p;
        }
    return mask;
}

INLINE uint64_t mask_within(const uint64_t *query, const uint64_t *run, uint16_t bound,
                            size_t words)
{
    return half_within(query, run, bound, words) | half_within(query, run + HALF, bound, words)
                                                       << HALF;
}

TARGET static size_t within_avx2(im_hamming_pass *restrict passed, const uint64_t *queries,
                                 const uint16_t *bound, size_t count, const uint64_t *run,
                                 size_t words)
{
    return im_hamming_within(passed, queries, bound, count, run, words, mask_within);
}

TARGET static void distances_avx2(uint16_t *distance, const uint64_t *queries, size_t count,
                                  const uint64_t *run, size_t words)
{
    for (size_t q = 0; q < count; q++)
        for (size_t i = 0; i < RUN; i += 4) {
            uint64_t of[4];
            _mm256_storeu_si256((__m256i *)of,
                                distances_of(queries + q * words, run + i, words));
            for (size_t l = 0; l < 4; l++)
                distance[q * RUN + i + l] = (uint16_t)of[l];
        }
}

TARGET static void listed_avx2(uint16_t *distance, const uint64_t *query,
                               const uint64_t *codes, const uint32_t *list, size_t count,
                               size_t words)
{
    im_hamming_listed(distance, query, codes, list, count, words);
}

const im_hamming_kernel *im_hamming_avx2(void)
{
    static const im_hamming_kernel kernel = {"avx2", 0.22, distances_avx2, within_avx2,
                                             listed_avx2};
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") ? &kernel : NULL;
}
#else
const im_hamming_kernel *im_hamming_avx2(void)
{
    return NULL;
}
#endif
