/* SPDX-License-Identifier: MIT
 * The kernels of hamming, one file each; NULL where this machine cannot run it. */
#ifndef IM_SEARCH_HAMMING_KERNELS_H
#define IM_SEARCH_HAMMING_KERNELS_H

#include "search/hamming.h"

extern const im_hamming_kernel im_hamming_ref;

/* The body of `listed` where the machine has an instruction that counts the bits of a word. It
 * is inlined into a function that is compiled for that instruction, because elsewhere the
 * compiler would count them by a call. */
__attribute__((always_inline)) static inline void im_hamming_listed(uint16_t *distance,
                                                                    const uint64_t *query,
                                                                    const uint64_t *codes,
                                                                    const uint32_t *list,
                                                                    size_t count, size_t words)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t *code = codes + list[i] * words;
        int sum = 0;
        for (size_t j = 0; j < words; j++)
            sum += __builtin_popcountll(query[j] ^ code[j]);
        distance[i] = (uint16_t)sum;
    }
}

/* The codes of a run that are within the bound of one query, as a mask: bit i is code i. */
typedef uint64_t im_hamming_mask(const uint64_t *query, const uint64_t *run, uint16_t bound,
                                 size_t words);

__attribute__((always_inline)) static inline size_t im_hamming_within_words(
    im_hamming_pass *restrict passed, const uint64_t *queries, const uint16_t *bound,
    size_t count, const uint64_t *run, size_t words, im_hamming_mask *mask_within)
{
    size_t n = 0;
    for (size_t q = 0; q < count; q++) {
        const uint64_t mask = mask_within(queries + q * words, run, bound[q], words);
        if (__builtin_expect(mask != 0, 0))
            passed[n++] = (im_hamming_pass){mask, (uint32_t)q};
    }
    return n;
}

/* The body of `within` of the fast kernels, inlined together with the kernel's mask. Codes of
 * 64, 128 and 256 bits have code of their own, in which the number of words is a constant: the
 * loops over words disappear, and a run of one-word codes stays in registers for all queries.
 * The reference kernel does not share it, so that it can check the others. */
__attribute__((always_inline)) static inline size_t im_hamming_within(
    im_hamming_pass *restrict passed, const uint64_t *queries, const uint16_t *bound,
    size_t count, const uint64_t *run, size_t words, im_hamming_mask *mask_within)
{
    switch (words) {
    case 1: return im_hamming_within_words(passed, queries, bound, count, run, 1, mask_within);
    case 2: return im_hamming_within_words(passed, queries, bound, count, run, 2, mask_within);
    case 4: return im_hamming_within_words(passed, queries, bound, count, run, 4, mask_within);
    default:
        return im_hamming_within_words(passed, queries, bound, count, run, words, mask_within);
    }
}

const im_hamming_kernel *im_hamming_avx2(void);
const im_hamming_kernel *im_hamming_avx512(void); /* with VPOPCNTDQ */
const im_hamming_kernel *im_hamming_neon(void);

#endif
