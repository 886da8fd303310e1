/* SPDX-License-Identifier: MIT
 *
 * SHA-256, by which publishers say what a file must be. checksum.h is many times as fast, and
 * is for what we write ourselves.
 */
#ifndef IM_CORE_SHA256_H
#define IM_CORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { IM_SHA256_TEXT = 65 }; /* 64 hexadecimal digits and the end */

typedef struct im_sha256 {
    uint32_t state[8];
    uint64_t size;           /* bytes so far */
    unsigned char block[64]; /* the last size % 64 of them */
} im_sha256;

void im_sha256_begin(im_sha256 *hash);
void im_sha256_add(im_sha256 *hash, const void *bytes, size_t size);

/* The hash of all bytes, in lower case. Nothing can be added afterwards. */
void im_sha256_end(im_sha256 *hash, char text[IM_SHA256_TEXT]);

#endif
