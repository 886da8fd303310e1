/* SPDX-License-Identifier: MIT
 *
 * Random numbers without state: each is a function of (seed, stream, branch, step, item,
 * index), by the counter-based generator Philox4x32-10 (Salmon et al., SC 2011; Random123).
 * What a thread draws does not depend on what others draw, a checkpoint needs no generator
 * state, and a draw added to one stream does not shift another.
 */
#ifndef IM_CORE_RNG_H
#define IM_CORE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef enum im_stream {
    IM_STREAM_INIT = 1,     /* step: layer, item: unit */
    IM_STREAM_BATCH,        /* step: epoch or step */
    IM_STREAM_AUGMENT,      /* T(x) in training; step: step, item: row of the data */
    IM_STREAM_ASSESS,       /* T(x) in the full-data objective; item: row of the data */
    IM_STREAM_CELLS,        /* rows that are looked at for the approximate radius */
    IM_STREAM_AGREEMENT,    /* pairs of rows whose codes are compared; item: pair */
    IM_STREAM_SKETCH,       /* directions that sketches start from; item: direction */
    IM_STREAM_QUERIES = 16, /* rows that are queries; step: class */
    IM_STREAM_KMEANS,       /* first centers; branch: restart, step: center, item: draw */
    IM_STREAM_KRYLOV,       /* where a search for eigenvectors starts; item: vector */
    IM_STREAM_PLANES,       /* directions that bits start from; branch: restart, item: bit */
    IM_STREAM_WARPS,        /* of a data set's images; step: warp, item: image */
    IM_STREAM_SAMPLE,       /* rows that are kept of a data set */
    IM_STREAM_DROPOUT,      /* step: step, branch: layer, item: unit */
    IM_STREAM_LAYOUT,       /* rows that a row is pushed from; step: round, item: row */
    IM_STREAM_CHOICE        /* rows that methods are compared on, and rows without clusters;
                               branch: what is drawn, step: which draw, item: row or column */
} im_stream;

typedef struct im_rng {
    uint64_t seed;
    im_stream stream;
    uint32_t step;
    uint32_t branch; /* tells apart the augmentations of one step; below 2^24 */
} im_rng;

/* Four 32-bit words: the index-th block of `item`. */
void im_rng_block(uint32_t out[4], im_rng rng, uint32_t item, uint32_t index);

/* n standard normals of `item`, by Box and Muller: 16 blocks make 64. */
void im_rng_normals(float *out, size_t n, im_rng rng, uint32_t item);

/* n uniforms in [0, 1) of `item`. */
void im_rng_uniforms(double *out, size_t n, im_rng rng, uint32_t item);

/* Where index (< n) goes under the random permutation of [0, n) that rng names: a Feistel
 * network on the smallest even power of two, walked until the value is below n. Costs no
 * memory, so an epoch of a billion points can be shuffled. */
uint64_t im_rng_permute(uint64_t index, uint64_t n, im_rng rng);

#endif
