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
#include <string.h>
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

/* The value of a line "key  : value"; NULL: it is another line. */
static const char *value_of(const char *line, const char *key)
{
    const size_t size = strlen(key);
    if (strncmp(line, key, size) != 0)
        return NULL;
    const char *colon = line + size + strspn(line + size, " \t");
    return *colon == ':' ? colon + 1 : NULL;
}

/* One blank for several, and none at the ends. */
static void copy_plain(char *to, size_t room, const char *from)
{
    size_t used = 0;
    for (; *from && used + 2 < room; from++) {
        const bool plain = (unsigned char)*from > ' ' && (unsigned char)*from < 127 &&
                           !strchr("\"\\<>&", *from);
        const bool blank = !plain && used > 0 && to[used - 1] != ' ';
        if (plain || blank)
            to[used++] = plain ? *from : ' ';
    }
    to[used > 0 && to[used - 1] == ' ' ? used - 1 : used] = '\0';
}

/* Most machines have the first key, boards with ARM the second. */
bool im_cores_name(char name[IM_CORES_NAME], const char *root)
{
    char line[512];
    FILE *file = im_cgroup_open(root, "/proc/cpuinfo");
    name[0] = '\0';
    while (file && !*name && fgets(line, sizeof line, file)) {
        const char *value = value_of(line, "model name");
        value = value ? value : value_of(line, "Model");
        if (value)
            copy_plain(name, IM_CORES_NAME, value);
    }
    if (file)
        fclose(file);
    return *name != '\0';
}
