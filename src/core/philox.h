/* SPDX-License-Identifier: MIT
 *
 * Philox4x32-10 on 16 counters at once, for all that draws many numbers. Random123's runs one
 * counter at a time, and gcc does not find the vectors in it. The tests hold all versions
 * equal.
 */
#ifndef IM_CORE_PHILOX_H
#define IM_CORE_PHILOX_H

#include "core/rng.h"

enum { IM_PHILOX_LANES = 16, IM_PHILOX_WORDS = 4 };

/* Blocks first .. first + 15 of `item`; word w of block first + i is word[w][i]. */
typedef void (*im_philox_fn)(uint32_t word[IM_PHILOX_WORDS][IM_PHILOX_LANES], im_rng rng,
                             uint32_t item, uint32_t first);

void im_philox_ref(uint32_t word[IM_PHILOX_WORDS][IM_PHILOX_LANES], im_rng rng, uint32_t item,
                   uint32_t first);

/* The fastest one that this machine runs. */
im_philox_fn im_philox_select(void);

#endif
