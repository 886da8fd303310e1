/* SPDX-License-Identifier: MIT
 * Allocations that fail on demand; see failing_alloc.h. */
#include "failing_alloc.h"

#include "support.h"

#include <stdatomic.h>

static atomic_size_t counted, refused, called, largest;
static void (*call)(void);

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    const size_t k = atomic_fetch_add(&counted, 1) + 1;
    if (size > atomic_load(&largest))
        atomic_store(&largest, size);
    if (k == atomic_load(&refused))
        return NULL;
    if (k == atomic_load(&called))
        call();
    return __real_aligned_alloc(alignment, size);
}

void failing_alloc_arm(size_t k)
{
    atomic_store(&counted, 0);
    atomic_store(&called, 0);
    atomic_store(&largest, 0);
    atomic_store(&refused, k);
}

void failing_alloc_call(size_t k, void (*act)(void))
{
    failing_alloc_arm(0);
    call = act;
    atomic_store(&called, k);
}

size_t failing_alloc_count(void)
{
    return atomic_load(&counted);
}

size_t failing_alloc_largest(void)
{
    return atomic_load(&largest);
}

size_t fail_each(failing_attempt attempt, void *context)
{
    for (size_t k = 1;; k++) {
        imsat_error err = {{0}};
        failing_alloc_arm(k);
        const imsat_status st = attempt(context, &err);
        const size_t count = failing_alloc_count();
        failing_alloc_arm(0);
        if (count < k) {
            if (st != IMSAT_OK)
                fail_msg("with all memory: %s: %s", imsat_status_name(st), err.message);
            return count;
        }
        if (st != IMSAT_ENOMEM || !err.message[0])
            fail_msg("allocation %zu refused: %s: '%s'", k, imsat_status_name(st),
                     err.message);
    }
}
