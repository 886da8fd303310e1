/* SPDX-License-Identifier: MIT
 *
 * Keeping the smallest few of a stream of 64-bit keys: a binary heap in a plain array whose
 * root is the largest key kept. What is kept does not depend on the order of the stream.
 *
 * Integers order two things we keep: a squared distance with the row it leads to (float in
 * the upper half, row in the lower: ties go to the smaller row), and a nonnegative double,
 * whose bits order as its value does.
 */
#ifndef IM_LINEAR_KEEP_H
#define IM_LINEAR_KEEP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Fill a heap of `capacity` >= 1 keys with `last`, which no key of the stream may exceed: the
 * heap is always full, and its root is always the one to beat. */
void im_keep_reset(uint64_t *heap, size_t capacity, uint64_t last);

/* Put key in the place of the root, and restore the heap. Ask first whether key < heap[0]. */
void im_keep_replace(uint64_t *heap, size_t capacity, uint64_t key);

/* A float's bits with the sign flipped, or all of them if it was negative, order as the
 * values do. value may be infinite but not NaN. */
static inline uint64_t im_keep_pair(float value, uint32_t row)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits ^= bits >> 31 ? UINT32_MAX : UINT32_C(1) << 31;
    return (uint64_t)bits << 32 | row;
}

static inline float im_keep_value(uint64_t pair)
{
    uint32_t bits = (uint32_t)(pair >> 32);
    float value;
    bits ^= bits >> 31 ? UINT32_C(1) << 31 : UINT32_MAX;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t im_keep_row(uint64_t pair)
{
    return (uint32_t)pair;
}

/* value >= 0, may be infinite. */
static inline uint64_t im_keep_number(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double im_keep_as_number(uint64_t key)
{
    double value;
    memcpy(&value, &key, sizeof value);
    return value;
}

#endif
