/* SPDX-License-Identifier: MIT
 * How layers are cut into tasks; shared by the forward and the backward pass. */
#ifndef IM_NN_BLOCKS_H
#define IM_NN_BLOCKS_H

#include "nn/tape.h"

static inline size_t im_block_count(size_t units)
{
    return (units + IM_UNIT_BLOCK - 1) / IM_UNIT_BLOCK;
}

static inline size_t im_block_units(size_t units, size_t block)
{
    const size_t left = units - block * IM_UNIT_BLOCK;
    return left < IM_UNIT_BLOCK ? left : IM_UNIT_BLOCK;
}

#endif
