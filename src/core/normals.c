/* SPDX-License-Identifier: MIT
 *
 * Normal random numbers, 64 at a time, in loops the compiler turns into vectors: VAT draws
 * one for every input of every step. The words come from philox.c.
 *
 *     Box and Muller:  sqrt(-2 log u) cos(2 pi v),  sqrt(-2 log u) sin(2 pi v)
 *
 * log and the circular functions are series of plain arithmetic, good to 1e-6, so the bits are
 * the same on every machine and with every libm.
 */
#include "core/philox.h"
#include "core/real.h"

#include <math.h>
#include <string.h>

enum { LANES = IM_PHILOX_LANES, WORDS = IM_PHILOX_WORDS, CHUNK = LANES * WORDS };

/* (u + 1/2) / 2^24 from the upper 24 bits: never 0, never 1. */
static inline float open_unit(uint32_t word)
{
    return ((float)(int32_t)(word >> 8) + 0.5F) * 0x1p-24F;
}

/* log x = e log 2 + 2 atanh((m - 1) / (m + 1)), x = m 2^e, m in [1/sqrt(2), sqrt(2)): the
 * series of atanh to the 9th power is off by less than 4e-10. */
static inline float log_series(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int32_t exponent = (bits - 0x3F3504F3) >> 23; /* 0x3F3504F3: 1/sqrt(2) */
    bits -= exponent * (1 << 23);
    float m;
    memcpy(&m, &bits, sizeof m);
    const float s = (m - 1) / (m + 1), q = s * s;
    const float atanh_s =
        s + s * q * (1 / 3.0F + q * (1 / 5.0F + q * (1 / 7.0F + q * (1 / 9.0F))));
    return (float)exponent * 0.693147181F + 2 * atanh_s;
}

/* cos and sin of 2 pi v, 0 <= v < 1, by Taylor series within an eighth of a turn of the
 * nearest axis. */
static inline void turn(float *c, float *s, float v)
{
    const int32_t axis = (int32_t)(4 * v + 0.5F);
    const float t = (v - 0.25F * (float)axis) * 6.283185307F, q = t * t;
    const float sine =
        t * (1 - q * (1 / 6.0F - q * (1 / 120.0F - q * (1 / 5040.0F - q / 362880.0F))));
    const float cosine =
        1 - q * (1 / 2.0F - q * (1 / 24.0F - q * (1 / 720.0F - q / 40320.0F)));
    const float x = axis & 1 ? sine : cosine, y = axis & 1 ? cosine : sine;
    *c = (axis + 1) & 2 ? -x : x; /* axes 1 and 2 */
    *s = axis & 2 ? -y : y;       /* axes 2 and 3 */
}

IM_CLONES static void box_muller(float out[CHUNK], uint32_t word[WORDS][LANES])
{
    for (int pair = 0; pair < WORDS; pair += 2)
        for (int i = 0; i < LANES; i++) {
            const float radius = sqrtf(-2 * log_series(open_unit(word[pair][i])));
            float c, s;
            turn(&c, &s, open_unit(word[pair + 1][i]));
            out[pair * LANES + i] = radius * c;
            out[(pair + 1) * LANES + i] = radius * s;
        }
}

void im_rng_normals(float *out, size_t n, im_rng rng, uint32_t item)
{
    const im_philox_fn philox = im_philox_select();
    uint32_t word[WORDS][LANES];
    for (size_t i = 0; i < n; i += CHUNK) {
        philox(word, rng, item, (uint32_t)(i / WORDS));
        if (n - i >= CHUNK) {
            box_muller(out + i, word);
        } else {
            float chunk[CHUNK];
            box_muller(chunk, word);
            memcpy(out + i, chunk, (n - i) * sizeof *out);
        }
    }
}
