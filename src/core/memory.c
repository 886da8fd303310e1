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
#include "core/limit.h"
#include "core/status.h"
#include "imsat/process.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* After <malloc.h>, whose names it poisons. */
#include "core/alloc.h"

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

/* ---- the limit of the program -------------------------------------------------- */

enum {
    BESIDE = 24 << 20,     /* code and stacks that are touched later, gaps between blocks */
    LEAST_HEAP = 12 << 20, /* nothing can be done with less */
    OWN_PAGES = 1 << 20    /* blocks from this size on go back to the system at once */
};

/* The resident set of this process, in bytes; 0: it is not known. */
static size_t resident(void)
{
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file) {
        if (fscanf(file, "%*s %zu", &pages) != 1)
            pages = 0;
        fclose(file);
    }
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

imsat_status imsat_set_max_memory(size_t bytes, imsat_error *err)
{
    const size_t now = resident(), used = im_alloc_used();
    const size_t base = (now > used ? now - used : 0) + BESIDE;
    im_limit_set(0, base);
    const size_t least = im_limit_for(used + LEAST_HEAP);
    if (bytes && bytes < least)
        return im_fail(err, IMSAT_EINVAL,
                       "a memory limit of %zu bytes: the program alone takes %zu MiB; the "
                       "least is %zuM",
                       bytes, base >> 20, (least >> 20) + 1);
#ifdef M_MMAP_THRESHOLD
    if (bytes) /* libc would keep what was freed, up to 64 MiB of it */
        mallopt(M_MMAP_THRESHOLD, OWN_PAGES);
#endif
    im_limit_set(bytes, base);
    return IMSAT_OK;
}
