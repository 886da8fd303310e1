/* SPDX-License-Identifier: MIT
 *
 * How many threads this process can keep busy: the cores it may run on (its affinity), and no
 * more than its processor quota, the limit that containers set. A quota of 1.5 cores counts
 * as 2.
 */
#ifndef IM_CORE_CORES_H
#define IM_CORE_CORES_H

#include <stdbool.h>

/* At least 1. Reads files of /proc and /sys, which takes some 50 us. */
int im_cores(void);

/* The quota in cores, of control groups of version 1 and 2, with those of the groups around
 * ours: the least, rounded up; 0 when there is none. `root` is put before the paths of all
 * files that are read: "", or a made-up tree in tests. */
int im_cores_quota(const char *root);

enum { IM_CORES_NAME = 96 };

/* What the processor is called, by /proc/cpuinfo below `root`: letters, digits and marks that
 * no quoting needs. False: the system does not say. */
bool im_cores_name(char name[IM_CORES_NAME], const char *root);

#endif
