/* SPDX-License-Identifier: MIT
 *
 * Distances with NEON, which every 64-bit ARM has: a register holds a word of 2 codes. CNT
 * counts the bits of each byte. The counts stay in bytes while words are added up: 16 words
 * have at most 16 * 8 = 128 bits in a byte, below 255. The 8 bytes of a code are added at the
 * end. A run is worked off in pieces of 16 codes.
 *
 * tests/builds/arm.sh runs the test of the kernels on it in an emulator. Its speed has not
 * been measured; the cost is an estimate from the number of instructions. */
#include "search/hamming_kernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define INLINE static inline __attribute__((always_inline))

enum { RUN = IM_HAMMING_RUN, PIECE = 16, PARTS = PIECE / 2 };

/* Distances of 2 codes in 64-bit lanes. For the usual lengths `words` is a constant after
 * inlining, and the loop disappears. */
INLINE uint64x2_t distances_of(const uint64_t *query, const uint64_t *run, size_t words)
{
    uint8x16_t bytes = vdupq_n_u8(0);
#pragma GCC unroll 4
    for (size_t j = 0; j < words; j++) {
        const uint64x2_t differ = veorq_u64(vdupq_n_u64(query[j]), vld1q_u64(run + j * RUN));
        bytes = vaddq_u8(bytes, vcntq_u8(vreinterpretq_u8_u64(differ)));
    }
    return vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(bytes)));
}

INLINE uint64_t piece_within(const uint64_t *query, const uint64_t *run, uint16_t bound,
                             size_t words)
{
    const uint64x2_t limit = vdupq_n_u64(bound);
    uint64x2_t within[PARTS], any = vdupq_n_u64(0);
#pragma GCC unroll 8
    for (int p = 0; p < PARTS; p++) {
        within[p] = vcleq_u64(distances_of(query, run + 2 * p, words), limit);
        any = vorrq_u64(any, within[p]);
    }
    uint64_t mask = 0;
    if (__builtin_expect((vgetq_lane_u64(any, 0) | vgetq_lane_u64(any, 1)) != 0, 0))
#pragma GCC unroll 8
        for (int p = 0; p < PARTS; p++)
            mask |= (vgetq_lane_u64(within[p], 0) & 1) << 2 * p |
                    (vgetq_lane_u64(within[p], 1) & 1) << (2 * p + 1);
    return mask;
}

INLINE uint64_t mask_within(const uint64_t *query, const uint64_t *run, uint16_t bound,
                            size_t words)
{
    uint64_t mask = 0;
    for (size_t i = 0; i < RUN; i += PIECE)
        mask |= piece_within(query, run + i, bound, words) << i;
    return mask;
}

static size_t within_neon(im_hamming_pass *restrict passed, const uint64_t *queries,
                          const uint16_t *bound, size_t count, const uint64_t *run,
                          size_t words)
{
    return im_hamming_within(passed, queries, bound, count, run, words, mask_within);
}

static void distances_neon(uint16_t *distance, const uint64_t *queries, size_t count,
                           const uint64_t *run, size_t words)
{
    for (size_t q = 0; q < count; q++)
        for (size_t i = 0; i < RUN; i += 2) {
            const uint64x2_t of = distances_of(queries + q * words, run + i, words);
            distance[q * RUN + i] = (uint16_t)vgetq_lane_u64(of, 0);
            distance[q * RUN + i + 1] = (uint16_t)vgetq_lane_u64(of, 1);
        }
}

static void listed_neon(uint16_t *distance, const uint64_t *query, const uint64_t *codes,
                        const uint32_t *list, size_t count, size_t words)
{
    im_hamming_listed(distance, query, codes, list, count, words);
}

const im_hamming_kernel *im_hamming_neon(void)
{
    static const im_hamming_kernel kernel = {"neon", 0.5, distances_neon, within_neon,
                                             listed_neon};
    return &kernel;
}
#else
const im_hamming_kernel *im_hamming_neon(void)
{
    return NULL;
}
#endif
