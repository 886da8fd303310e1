/* SPDX-License-Identifier: MIT
 *
 * All memory comes from here. Blocks are zeroed, but those of im_alloc_unset(), and aligned to
 * 64 bytes. The libc names are poisoned after this header, so a slip does not compile; the
 * tests make the k-th allocation fail by wrapping the libc functions at link time.
 *
 * Prefixes: im_size_, im_grow, im_strdup, im_free, im_carve.
 */
#ifndef IM_CORE_ALLOC_H
#define IM_CORE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h> /* declares strdup, poisoned below */

/* count * size, or false when it does not fit. */
bool im_size_mul(size_t *product, size_t count, size_t size);

static inline size_t im_size_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* count elements of size bytes, zeroed; NULL when there is no memory or the product
 * overflows. A count of 0 gives a valid block. */
void *im_alloc(size_t count, size_t size);

/* The same, but what the block holds is not set: for what is filled as it comes. A large block
 * takes memory of the machine only as far as it was filled. */
void *im_alloc_unset(size_t count, size_t size);

/* Grow a block from im_alloc() or NULL: the old bytes are kept, the new ones are zero.
 * On failure NULL, and the old block is still there. */
void *im_grow(void *block, size_t old_count, size_t new_count, size_t size);

char *im_strdup(const char *text);

void im_free(void *block);

/* Bytes that are in use, by all threads; and those that may be taken yet: what is more is
 * refused as if there were no memory (core/limit.h). SIZE_MAX: any number. */
size_t im_alloc_used(void);
size_t im_alloc_left(void);

/* How much of that may go to what is only faster, if `needed` bytes must be left for what is
 * still to come; at most `most`. */
size_t im_alloc_spare(size_t most, size_t needed);

/* Whether so many bytes may be taken, in however many blocks. If not, it is as if one block
 * of them had been refused. For those who know before long work what they will need after. */
bool im_alloc_affords(size_t bytes);

/* The bytes of the last block that this thread was refused because of the limit, once; 0:
 * none was. For the message. */
size_t im_alloc_refused(void);

/* It is as if this thread had been refused so many bytes: for one that tells of others. */
void im_alloc_refuse(size_t bytes);

/* Carving: one list measures a workspace (base NULL) and then lays it out. */
typedef struct im_carver {
    char *base;
    size_t used;
} im_carver;

/* The next count * size bytes, aligned to 64; NULL while measuring. */
void *im_carve(im_carver *carver, size_t count, size_t size);

#pragma GCC poison malloc calloc realloc free strdup aligned_alloc posix_memalign
#endif
