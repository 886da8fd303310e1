/* SPDX-License-Identifier: MIT
 *
 * One way of compression, as unpack.c sees it: a table of functions. Each is a file,
 * unpack_gzip.c and so on, and that file alone knows the library that does it.
 *
 * A compressed file is one member or several, one after the other. What is between them, where
 * the bytes come from and what a message says is the business of unpack.c.
 */
#ifndef IM_CORE_UNPACK_CODEC_H
#define IM_CORE_UNPACK_CODEC_H

#include "core/feature.h"

#include <stdbool.h>
#include <stddef.h>

/* The most memory that a decoder may take. A file says how much it needs, and a hostile or a
 * careless one says gigabytes; the largest that the compressors choose by themselves is 128
 * MiB (zstd --ultra -22), and xz -9 takes 65. */
enum { IM_UNPACK_MEMORY_MIB = 256 };

/* What a step came to. */
typedef enum im_unpack_step {
    IM_UNPACK_GOES_ON,   /* the member has not ended */
    IM_UNPACK_ENDED,     /* it has, and its checksums are right */
    IM_UNPACK_DAMAGED,   /* `why` says how */
    IM_UNPACK_NO_MEMORY, /* an allocation failed */
    IM_UNPACK_TOO_LARGE  /* it needs more memory than IM_UNPACK_MEMORY_MIB */
} im_unpack_step;

/* Input that is there and room for output. A step moves both ahead. */
typedef struct im_unpack_flow {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
    const char *why; /* how it is damaged; of static storage */
} im_unpack_flow;

typedef struct im_unpack_codec {
    const char *name;   /* "gzip" */
    im_feature feature; /* IM_FEATURES: always there */

    /* Whether a file that begins with these bytes is for this codec. */
    bool (*knows)(const unsigned char *head, size_t size);

    /* Whether a further member may begin with this byte. It is never 0: zeros are skipped. */
    bool (*may_begin)(unsigned char byte);

    /* A decoder of one member; NULL when there is no memory. The function itself is NULL in a
     * build without the library of `feature`. */
    void *(*start)(void);

    /* Decompress some. With room, and with input or with output that is still inside, it moves
     * ahead. */
    im_unpack_step (*step)(void *decoder, im_unpack_flow *flow);

    void (*end)(void *decoder);

    const char *smaller; /* how to compress so that the limit suffices; NULL: it always does */
} im_unpack_codec;

/* Not known by any first bytes, but by what is around them: no member follows another. */
extern const im_unpack_codec im_unpack_deflate, im_unpack_zlib;

extern const im_unpack_codec im_unpack_gzip, im_unpack_zstd, im_unpack_xz, im_unpack_bzip2;

#endif
