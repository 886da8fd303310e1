/* SPDX-License-Identifier: MIT
 *
 * How layers are cut into tasks; shared by the forward and the backward pass. The units of a
 * layer are cut into one part for each thread, and these into blocks of IM_UNIT_BLOCK, smaller
 * ones last: the threads end together, and a thread meets the same units in every pass, in its
 * own cache. Nothing that is computed depends on the cut.
 */
#ifndef IM_NN_BLOCKS_H
#define IM_NN_BLOCKS_H

#include "nn/tape.h"

typedef struct im_units {
    size_t first, count; /* count 0: an empty block, of a part that has fewer than others */
} im_units;

/* Units of a part: whole tiles of gemm, so that a packed W^T can be entered at any block. The
 * last parts may have fewer, or none. */
static inline size_t im_blocks_part_units(size_t units, size_t parts)
{
    return ((units + parts - 1) / parts + IM_GEMM_MR - 1) / IM_GEMM_MR * IM_GEMM_MR;
}

/* How many blocks of a part are of one tile, the last two or three: who waits for the end of a
 * round waits for half a block of IM_UNIT_BLOCK at most. On two threads that was 1.9 to 2.2 %
 * of a large step, and is 1.5 to 1.7 %. Small blocks throughout would read B from L3 twice as
 * often. */
static inline size_t im_blocks_small(size_t tiles)
{
    return tiles < 3 ? tiles : 2 + tiles % 2;
}

/* Blocks of a part. */
static inline size_t im_blocks_per_part(size_t units, size_t parts)
{
    const size_t tiles = im_blocks_part_units(units, parts) / IM_GEMM_MR;
    return (tiles + im_blocks_small(tiles)) / 2;
}

/* Blocks of a layer, the empty ones included: the number of tasks. */
static inline size_t im_blocks_count(size_t units, size_t parts)
{
    return parts * im_blocks_per_part(units, parts);
}

/* The units of a block. Blocks are numbered part by part. */
static inline im_units im_blocks_at(size_t units, size_t parts, size_t block)
{
    const size_t size = im_blocks_part_units(units, parts), tiles = size / IM_GEMM_MR;
    const size_t blocks = im_blocks_per_part(units, parts), part = block / blocks;
    const size_t whole = blocks - im_blocks_small(tiles), at = block % blocks;
    const size_t tile = at < whole ? 2 * at : at + whole;
    const size_t most = at < whole ? IM_UNIT_BLOCK : IM_GEMM_MR;
    const size_t first = part * size + tile * IM_GEMM_MR;
    const size_t end = (part + 1) * size < units ? (part + 1) * size : units;
    if (first >= end)
        return (im_units){0, 0};
    return (im_units){first, end - first < most ? end - first : most};
}

#endif
