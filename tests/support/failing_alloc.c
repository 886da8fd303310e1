/* SPDX-License-Identifier: MIT
 * Allocations that fail on demand; see failing_alloc.h. */
#include "failing_alloc.h"

#include "core/alloc.h"
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

/* From a refused allocation to the next. */
static size_t step_from(size_t k)
{
    enum { DENSE = 64 };
    return SANITIZED ? 1 + k / DENSE : 1;
}

/* Refuse the k-th allocation of an attempt. Returns how many it has made. */
static size_t refuse(size_t k, failing_attempt attempt, void *context)
{
    imsat_error err = {{0}};
    failing_alloc_arm(k);
    const imsat_status st = attempt(context, &err);
    const size_t count = failing_alloc_count();
    failing_alloc_arm(0);
    if (count < k && st != IMSAT_OK)
        fail_msg("with all memory: %s: %s", imsat_status_name(st), err.message);
    if (count >= k && (st != IMSAT_ENOMEM || !err.message[0]))
        fail_msg("allocation %zu refused: %s: '%s'", k, imsat_status_name(st), err.message);
    return count;
}

/* Fail if refusals leave memory behind: each time. What a handle of the test keeps for its
 * next call, as an index its threads, it keeps once. */
static void check_used(size_t before, size_t k, failing_attempt attempt, void *context)
{
    const size_t once = im_alloc_used();
    if (once == before)
        return;
    refuse(k, attempt, context);
    if (im_alloc_used() != once)
        fail_msg("allocation %zu refused: %zu bytes in use, then %zu, and again %zu", k,
                 before, once, im_alloc_used());
}

size_t fail_each(failing_attempt attempt, void *context)
{
    for (size_t k = 1;; k += step_from(k)) {
        const size_t used = im_alloc_used(), count = refuse(k, attempt, context);
        if (count < k)
            return count;
        check_used(used, k, attempt, context);
    }
}
