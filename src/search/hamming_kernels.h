/* SPDX-License-Identifier: MIT
 * The kernels of hamming, one file each; NULL where this machine cannot run it. */
#ifndef IM_SEARCH_HAMMING_KERNELS_H
#define IM_SEARCH_HAMMING_KERNELS_H

#include "search/hamming.h"

extern const im_hamming_kernel im_hamming_ref;

/* The body of `listed` where the machine counts the bits of a word: inlined into a function
 * for its instructions, since without them the compiler calls another. */
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

const im_hamming_kernel *im_hamming_avx2(void);
const im_hamming_kernel *im_hamming_avx512(void); /* with VPOPCNTDQ */
const im_hamming_kernel *im_hamming_neon(void);

#endif
