/* SPDX-License-Identifier: MIT
 *
 * How much memory this process may hope for: that of the machine, and no more than its control
 * groups allow, as in a container.
 */
#ifndef IM_CORE_MEMORY_H
#define IM_CORE_MEMORY_H

#include <stddef.h>

/* In bytes. Reads files of /proc and /sys, which takes some 50 us. */
size_t im_memory(void);

/* What control groups allow, the least of ours and those around it; 0: any amount. `root` is
 * put before the paths of all files that are read: "", or a made-up tree in tests. */
size_t im_memory_quota(const char *root);

#endif
