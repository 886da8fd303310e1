/* SPDX-License-Identifier: MIT
 *
 * See memory.h. The files of a control group that limit memory:
 *
 *     version 2: memory.max                       "max": none
 *     version 1: memory.limit_in_bytes            a number beyond any machine's memory: none
 */
#define _GNU_SOURCE
#include "core/memory.h"

#include "core/cgroup.h"

#include <stdint.h>
#include <unistd.h>

static long long limit_of(int version, const char *root, const char *folder)
{
    long long bytes = -1;
    const char *name = version == 2 ? "memory.max" : "memory.limit_in_bytes";
    return im_cgroup_numbers(&bytes, 1, root, folder, name) && bytes > 0 ? bytes : 0;
}

size_t im_memory_quota(const char *root)
{
    return (size_t)im_cgroup_least(root, "memory", limit_of);
}

size_t im_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const size_t all = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : SIZE_MAX;
    const size_t quota = im_memory_quota("");
    return quota && quota < all ? quota : all;
}
