/* SPDX-License-Identifier: MIT
 *
 * Allocation; see alloc.h. The only file that may call libc's allocator.
 *
 * Blocks of 4 MiB and more ask for huge pages. Matrix products stride through such blocks and
 * touch a new small page every few dozen operations: with 4 KiB pages they reached 87 to 90 %
 * of the peak, with 2 MiB ones 91 to 92 %.
 *
 * Bytes in use are counted. What a block was counted for is kept at its very end, behind what
 * was asked for: libc knows where that is, but its own size counts up to 4 MiB of a large
 * block that are never touched.
 */
#define _DEFAULT_SOURCE
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGN = 64, HUGE_PAGE = 2 << 20, LARGE = 2 * HUGE_PAGE };

/* Taken before the header poisons the names. */
static void *libc_alloc(size_t bytes)
{
    const size_t align = bytes < LARGE ? ALIGN : HUGE_PAGE;
    /* C11 wants whole multiples; what is added is never touched, so it costs no memory. */
    void *block = aligned_alloc(align, (bytes + align - 1) / align * align);
#ifdef MADV_HUGEPAGE
    if (block && bytes >= LARGE)
        (void)madvise(block, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE); /* only advice */
#endif
    return block;
}

static void libc_free(void *block)
{
    free(block);
}

#include "core/alloc.h"
#include "core/limit.h"

/* ---- what is in use --------------------------------------------------------- */

static atomic_size_t used;
static _Thread_local size_t refused; /* the size of a block that was beyond the limit */

size_t im_alloc_used(void)
{
    return atomic_load_explicit(&used, memory_order_relaxed);
}

size_t im_alloc_left(void)
{
    const size_t most = im_limit_heap(), now = im_alloc_used();
    return most == SIZE_MAX ? SIZE_MAX : most - im_size_min(most, now);
}

size_t im_alloc_spare(size_t most, size_t needed)
{
    const size_t left = im_alloc_left();
    return left > needed ? im_size_min(most, left - needed) : 0;
}

size_t im_alloc_refused(void)
{
    const size_t bytes = refused;
    refused = 0;
    return bytes;
}

void im_alloc_refuse(size_t bytes)
{
    refused = bytes;
}

bool im_alloc_affords(size_t bytes)
{
    if (bytes <= im_alloc_left())
        return true;
    im_alloc_refuse(bytes);
    return false;
}

/* Where a block keeps its count; not aligned. */
static void *count_of(void *block)
{
    return (char *)block + malloc_usable_size(block) - sizeof(size_t);
}

static void *take(size_t bytes)
{
    void *block = im_alloc_affords(bytes) ? libc_alloc(bytes) : NULL;
    if (block) {
        atomic_fetch_add_explicit(&used, bytes, memory_order_relaxed);
        memcpy(count_of(block), &bytes, sizeof bytes);
    }
    return block;
}

void im_free(void *block)
{
    size_t bytes = 0;
    if (block) {
        memcpy(&bytes, count_of(block), sizeof bytes);
        atomic_fetch_sub_explicit(&used, bytes, memory_order_relaxed);
    }
    libc_free(block);
}

/* ---- blocks ----------------------------------------------------------------- */

bool im_size_mul(size_t *product, size_t count, size_t size)
{
    return !__builtin_mul_overflow(count, size, product);
}

/* The bytes of a block: whole lines, with room for its count. */
static bool measure(size_t *bytes, size_t count, size_t size)
{
    if (!im_size_mul(bytes, count, size) || *bytes > SIZE_MAX / 2)
        return false; /* more than any machine has; also keeps pointer differences valid */
    *bytes = (*bytes + sizeof(size_t) + ALIGN - 1) / ALIGN * ALIGN;
    return true;
}

void *im_alloc_unset(size_t count, size_t size)
{
    size_t bytes;
    return measure(&bytes, count, size) ? take(bytes) : NULL;
}

void *im_alloc(size_t count, size_t size)
{
    size_t bytes;
    void *block = measure(&bytes, count, size) ? take(bytes) : NULL;
    if (block)
        memset(block, 0, bytes - sizeof(size_t));
    return block;
}

void *im_grow(void *block, size_t old_count, size_t new_count, size_t size)
{
    void *grown = im_alloc(new_count, size);
    if (!grown)
        return NULL;
    if (block)
        memcpy(grown, block, (old_count < new_count ? old_count : new_count) * size);
    im_free(block);
    return grown;
}

char *im_strdup(const char *text)
{
    const size_t length = strlen(text);
    char *copy = im_alloc(length + 1, 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void *im_carve(im_carver *carver, size_t count, size_t size)
{
    const size_t at = (carver->used + ALIGN - 1) / ALIGN * ALIGN;
    carver->used = at + count * size;
    return carver->base ? carver->base + at : NULL;
}
