/* SPDX-License-Identifier: MIT
 *
 * A limit on the memory that the process holds, and how it is shared out:
 *
 *     limit = base + heap + pages
 *
 *     base    what is not the library's: code, stacks, the rest of the program
 *     heap    what core/alloc.h hands out
 *     pages   of mapped files (core/map.h): a quarter of what the base leaves
 *
 * Here are only the numbers. alloc.c refuses what is beyond the heap's share, map.c gives back
 * pages, and who can work with less asks im_alloc_left() first. There is no limit until one is
 * set; core/memory.c has the function of the program's.
 */
#ifndef IM_CORE_LIMIT_H
#define IM_CORE_LIMIT_H

#include <stddef.h>

/* Set the limit, of which `base` bytes are not the library's; bytes 0: there is none. */
void im_limit_set(size_t bytes, size_t base);

/* In bytes; SIZE_MAX if there is no limit. */
size_t im_limit_all(void);
size_t im_limit_heap(void);
size_t im_limit_pages(void);

/* The limit that has to be set for a heap of so many bytes, with the base as it is now. */
size_t im_limit_for(size_t heap);

#endif
