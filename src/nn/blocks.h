/* SPDX-License-Identifier: MIT
 * How layers are cut into tasks; shared by the forward and the backward pass. */
#ifndef IM_NN_BLOCKS_H
#define IM_NN_BLOCKS_H

#include "nn/tape.h"

/* Units of a layer that one task takes: two register tiles. 1,200 units are 50 tasks. */
enum { IM_UNIT_BLOCK = 2 * IM_GEMM_MR };

static inline size_t im_block_count(size_t units)
{
    return (units + IM_UNIT_BLOCK - 1) / IM_UNIT_BLOCK;
}

static inline size_t im_block_units(size_t units, size_t block)
{
    const size_t left = units - block * IM_UNIT_BLOCK;
    return left < IM_UNIT_BLOCK ? left : IM_UNIT_BLOCK;
}

/* Pack op(b) (k,n) of `branches` branches to tape->packed, panels shared out to threads.
 * Branch r starts at b + r * width, and is packed at packed + r * im_gemm_packed(k, n). */
void im_pack_all(im_tape *tape, const im_real *b, size_t ldb, im_trans trans, size_t k,
                 size_t n, size_t branches);

#endif
