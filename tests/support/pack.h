/* SPDX-License-Identifier: MIT
 *
 * Compressors, to make the files that the library is to read: all that it was built with.
 */
#ifndef TESTS_PACK_H
#define TESTS_PACK_H

#include <stddef.h>

typedef struct packer {
    const char *name;   /* "gzip" */
    const char *suffix; /* ".gz" */

    /* `from` as one member at `to`, with checksums; returns its size. */
    size_t (*pack)(unsigned char *to, size_t room, const unsigned char *from, size_t size);
} packer;

extern const packer packers[]; /* gzip is the first */
extern const size_t packer_count;

#endif
