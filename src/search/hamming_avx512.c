/* SPDX-License-Identifier: MIT
 *
 * Distances with AVX-512 and VPOPCNTDQ: a register holds a word of 8 codes, so a run is 8
 * registers a word. For codes of one word they stay in registers for all queries.
 *
 * The fast path takes exclusive or, count and minimum, three instructions for 8 codes; the
 * smallest of the 64 distances is compared with the bound once. A run almost never has a code
 * within the bound; only if it has, the masks of the 8 registers are made. (A comparison for
 * each register instead of the minimum was slower: it has fewer ports, and its masks have to
 * be joined.) */
#include "search/hamming_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { RUN = IM_HAMMING_RUN, PARTS = RUN / 8 };

/* Lane l of distance[p] is the distance of code 8 p + l. For the usual lengths `words` is a
 * constant after inlining, and the loop disappears. */
INLINE void distances_of(__m512i distance[PARTS], const uint64_t *query, const uint64_t *run,
                         size_t words)
{
    const __m512i first = _mm512_set1_epi64((long long)query[0]);
#pragma GCC unroll 8
    for (int p = 0; p < PARTS; p++)
        distance[p] =
            _mm512_popcnt_epi64(_mm512_xor_si512(first, _mm512_loadu_si512(run + 8 * p)));
#pragma GCC unroll 4
    for (size_t j = 1; j < words; j++) {
        const __m512i word = _mm512_set1_epi64((long long)query[j]);
#pragma GCC unroll 8
        for (int p = 0; p < PARTS; p++) {
            const __m512i code = _mm512_loadu_si512(run + j * RUN + 8 * p);
            distance[p] = _mm512_add_epi64(distance[p],
                                           _mm512_popcnt_epi64(_mm512_xor_si512(word, code)));
        }
    }
}

INLINE __m512i smallest(const __m512i d[PARTS])
{
    const __m512i a = _mm512_min_epu64(d[0], d[1]), b = _mm512_min_epu64(d[2], d[3]);
    const __m512i c = _mm512_min_epu64(d[4], d[5]), e = _mm512_min_epu64(d[6], d[7]);
    return _mm512_min_epu64(_mm512_min_epu64(a, b), _mm512_min_epu64(c, e));
}

INLINE uint64_t mask_of(const __m512i distance[PARTS], __m512i bound)
{
    uint64_t mask = 0;
#pragma GCC unroll 8
    for (int p = 0; p < PARTS; p++)
        mask |= (uint64_t)_mm512_cmple_epu64_mask(distance[p], bound) << 8 * p;
    return mask;
}

INLINE uint64_t mask_within(const uint64_t *query, const uint64_t *run, uint16_t bound,
                            size_t words)
{
    __m512i distance[PARTS];
    distances_of(distance, query, run, words);
    const __m512i limit = _mm512_set1_epi64(bound);
    if (__builtin_expect(_mm512_cmple_epu64_mask(smallest(distance), limit) == 0, 1))
        return 0;
    return mask_of(distance, limit);
}

TARGET static size_t within_avx512(im_hamming_pass *restrict passed, const uint64_t *queries,
                                   const uint16_t *bound, size_t count, const uint64_t *run,
                                   size_t words)
{
    return im_hamming_within(passed, queries, bound, count, run, words, mask_within);
}

TARGET static void distances_avx512(uint16_t *distance, const uint64_t *queries, size_t count,
                                    const uint64_t *run, size_t words)
{
    for (size_t q = 0; q < count; q++) {
        __m512i of[PARTS];
        distances_of(of, queries + q * words, run, words);
#pragma GCC unroll 8
        for (int p = 0; p < PARTS; p++)
            _mm_storeu_si128((__m128i *)(distance + q * RUN + 8 * (size_t)p),
                             _mm512_cvtepi64_epi16(of[p]));
    }
}

TARGET static void listed_avx512(uint16_t *distance, const uint64_t *query,
                                 const uint64_t *codes, const uint32_t *list, size_t count,
                                 size_t words)
{
    im_hamming_listed(distance, query, codes, list, count, words);
}

const im_hamming_kernel *im_hamming_avx512(void)
{
    static const im_hamming_kernel kernel = {"avx512", 0.072, distances_avx512, within_avx512,
                                             listed_avx512};
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("avx512vpopcntdq")
               ? &kernel
               : NULL;
}
#else
const im_hamming_kernel *im_hamming_avx512(void)
{
    return NULL;
}
#endif
