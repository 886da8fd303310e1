/* SPDX-License-Identifier: MIT
 *
 * See cores.h. The files of a control group that limit the processor:
 *
 *     version 2: cpu.max                           "quota period", quota "max": none
 *     version 1: cpu.cfs_quota_us, cpu.cfs_period_us         quota below 1: none
 */
#define _GNU_SOURCE
#include "core/cores.h"

#include "core/cgroup.h"

#include <limits.h>
#include <sched.h>
#include <unistd.h>

/* Cores that the group in this folder allows, rounded up; 0: any number. */
static long long limit_of(int version, const char *root, const char *folder)
{
    long long max[2] = {-1, -1}; /* quota and period, in microseconds */
    const bool known =
        version == 2 ? im_cgroup_numbers(max, 2, root, folder, "cpu.max")
                     : im_cgroup_numbers(max, 1, root, folder, "cpu.cfs_quota_us") &&
                           im_cgroup_numbers(max + 1, 1, root, folder, "cpu.cfs_period_us");
    if (!known || max[0] < 1 || max[1] < 1)
        return 0;
    return max[0] / max[1] + (max[0] % max[1] != 0);
}

int im_cores_quota(const char *root)
{
    const long long cores = im_cgroup_least(root, "cpu", limit_of);
    return cores < INT_MAX ? (int)cores : INT_MAX;
}

int im_cores(void)
{
    cpu_set_t set;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        cores = CPU_COUNT(&set);
    const int quota = im_cores_quota("");
    if (quota > 0 && quota < cores)
        return quota;
    return cores < 1 ? 1 : (int)cores;
}
