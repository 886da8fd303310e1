/* SPDX-License-Identifier: MIT
 *
 * Normal random numbers, 64 at a time, in loops the compiler turns into vectors: VAT draws
 * one for every input of every step. Philox4x32-10 is written out again here, because
 * Random123's runs one counter at a time; the tests hold the two equal.
 *
 *     Box and Muller:  sqrt(-2 log u) cos(2 pi v),  sqrt(-2 log u) sin(2 pi v)
 *
 * log and the circular functions are series of plain arithmetic, good to 1e-6, so the bits are
 * the same on every machine and with every libm.
 */
#include "core/real.h"
#include "core/rng.h"

#include <math.h>
#include <string.h>

enum { LANES = 16, WORDS = 4, CHUNK = LANES * WORDS, ROUNDS = 10 };

static const uint32_t MULTIPLIER[2] = {0xD2511F53, 0xCD9E8D57},
                      WEYL[2] = {0x9E3779B9, 0xBB67AE85};

/* Counters {first + lane, item, step, stream}, word by word. */
IM_CLONES static void philox(uint32_t word[WORDS][LANES], im_rng rng, uint32_t item,
                             uint32_t first)
{
    uint32_t key0 = (uint32_t)rng.seed, key1 = (uint32_t)(rng.seed >> 32);
    for (uint32_t i = 0; i < LANES; i++) {
        word[0][i] = first + i;
        word[1][i] = item;
        word[2][i] = rng.step;
        word[3][i] = (uint32_t)rng.stream | rng.branch << 8;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < LANES; i++) {
            const uint64_t a = (uint64_t)MULTIPLIER[0] * word[0][i];
            const uint64_t b = (uint64_t)MULTIPLIER[1] * word[2][i];
            word[0][i] = (uint32_t)(b >> 32) ^ word[1][i] ^ key0;
            word[2][i] = (uint32_t)(a >> 32) ^ word[3][i] ^ key1;
            word[1][i] = (uint32_t)b;
            word[3][i] = (uint32_t)a;
        }
        key0 += WEYL[0];
        key1 += WEYL[1];
    }
}

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
