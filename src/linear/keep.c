/* SPDX-License-Identifier: MIT
 * The heap of the smallest keys; see keep.h. */
#include "linear/keep.h"

#include <assert.h>

void im_keep_reset(uint64_t *heap, size_t capacity, uint64_t last)
{
    for (size_t i = 0; i < capacity; i++)
        heap[i] = last;
}

void im_keep_replace(uint64_t *heap, size_t capacity, uint64_t key)
{
    size_t hole = 0;
    assert(capacity >= 1 && key < heap[0]);
    for (;;) {
        size_t child = 2 * hole + 1;
        if (child >= capacity)
            break;
        if (child + 1 < capacity && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= key)
            break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = key;
}
