/* SPDX-License-Identifier: MIT
 * See limit.h. */
#include "core/limit.h"

#include <stdatomic.h>
#include <stdint.h>

enum { SHARES = 4 }; /* of what the base leaves; pages have one of them */

static atomic_size_t all = SIZE_MAX, taken_by_base;

void im_limit_set(size_t bytes, size_t base)
{
    atomic_store(&taken_by_base, base);
    atomic_store(&all, bytes ? bytes : SIZE_MAX);
}

size_t im_limit_all(void)
{
    return atomic_load_explicit(&all, memory_order_relaxed);
}

/* What the base leaves. */
static size_t rest(void)
{
    const size_t whole = im_limit_all(), base = atomic_load(&taken_by_base);
    return whole > base ? whole - base : 0;
}

size_t im_limit_pages(void)
{
    return im_limit_all() == SIZE_MAX ? SIZE_MAX : rest() / SHARES;
}

size_t im_limit_heap(void)
{
    return im_limit_all() == SIZE_MAX ? SIZE_MAX : rest() - im_limit_pages();
}

size_t im_limit_for(size_t heap)
{
    return atomic_load(&taken_by_base) + heap + (heap + SHARES - 2) / (SHARES - 1);
}
