/* SPDX-License-Identifier: MIT
 *
 * See cores.h. /proc/self/cgroup has a line "id:controllers:path" for each hierarchy of
 * control groups that the process is in; version 2 is the one with id 0 and no controllers.
 * /proc/self/mountinfo tells where hierarchies are mounted, and which folder of theirs:
 *
 *     31 23 0:28 /folder /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
 *
 * Our group is the folder (path without /folder) below the mount point. A container sees its
 * own group as the mounted folder, and what is above it not at all. A path that does not begin
 * with the mounted folder is looked for at the mount point itself. The limit of a group holds
 * for all groups in it, so every folder from ours up to the mount point is read:
 *
 *     version 2: cpu.max                           "quota period", quota "max": none
 *     version 1: cpu.cfs_quota_us, cpu.cfs_period_us         quota below 1: none
 *
 * Files that are missing or say something else set no limit.
 */
#define _GNU_SOURCE
#include "core/cores.h"

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 4096, PATH = 2 * LINE };

/* One hierarchy that has the processor controller. */
typedef struct hierarchy {
    int version;      /* 1 or 2 */
    char group[LINE]; /* of this process, as in /proc/self/cgroup */
    char folder[LINE], mount[LINE];
} hierarchy;

static FILE *open_below(const char *root, const char *path)
{
    char name[PATH];
    const int length = snprintf(name, sizeof name, "%s%s", root, path);
    return length > 0 && (size_t)length < sizeof name ? fopen(name, "re") : NULL;
}

/* Is `word` one of the words of a list with commas? */
static bool lists(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, word, length) == 0 && (at[length] == 0 || at[length] == ','))
            return true;
    return false;
}

/* Find our group in the hierarchy of this version. */
static bool find_group(hierarchy *h, const char *root)
{
    char line[LINE];
    bool found = false;
    FILE *file = open_below(root, "/proc/self/cgroup");
    while (file && !found && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *controllers++ = *group++ = 0;
        group[strcspn(group, "\n")] = 0;
        found = h->version == 1 ? lists(controllers, "cpu")
                                : !*controllers && strcmp(line, "0") == 0;
        if (found)
            memcpy(h->group, group, strlen(group) + 1);
    }
    if (file)
        fclose(file);
    return found;
}

/* Find where it is mounted. */
static bool find_mount(hierarchy *h, const char *root)
{
    char line[LINE], type[16], options[LINE];
    bool found = false;
    FILE *file = open_below(root, "/proc/self/mountinfo");
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *end = strstr(line, " - ");
        found = end && sscanf(line, "%*s %*s %*s %4095s %4095s", h->folder, h->mount) == 2 &&
                sscanf(end, " - %15s %*s %4095s", type, options) == 2 &&
                (h->version == 1 ? strcmp(type, "cgroup") == 0 && lists(options, "cpu")
                                 : strcmp(type, "cgroup2") == 0);
    }
    if (file)
        fclose(file);
    return found;
}

/* The first `count` numbers of a file; a word that is none, such as "max", counts as -1. */
static bool read_numbers(long long *numbers, int count, const char *root, const char *folder,
                         const char *name)
{
    char path[PATH], word[32];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length < (int)sizeof path ? open_below(root, path) : NULL;
    int read = 0;
    while (file && read < count && fscanf(file, "%31s", word) == 1) {
        if (sscanf(word, "%lld", &numbers[read]) != 1)
            numbers[read] = -1;
        read++;
    }
    if (file)
        fclose(file);
    return read == count;
}

/* Cores that the group in this folder allows, rounded up; 0: any number. */
static int limit_of(int version, const char *root, const char *folder)
{
    long long max[2] = {-1, -1}; /* quota and period, in microseconds */
    const bool known = version == 2
                           ? read_numbers(max, 2, root, folder, "cpu.max")
                           : read_numbers(max, 1, root, folder, "cpu.cfs_quota_us") &&
                                 read_numbers(max + 1, 1, root, folder, "cpu.cfs_period_us");
    if (!known || max[0] < 1 || max[1] < 1)
        return 0;
    const long long cores = max[0] / max[1] + (max[0] % max[1] != 0);
    return cores < INT_MAX ? (int)cores : INT_MAX;
}

static int least_limit(int a, int b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

/* The least limit from our group up to the mount point. */
static int limit_of_all(hierarchy *h, const char *root)
{
    char path[PATH];
    size_t above = strlen(h->folder);
    if (strcmp(h->folder, "/") == 0)
        above = 0;
    const bool inside = strncmp(h->group, h->folder, above) == 0 &&
                        (h->group[above] == '/' || h->group[above] == 0);
    const size_t top = strlen(h->mount);
    snprintf(path, sizeof path, "%s%s", h->mount, inside ? h->group + above : "");
    int limit = limit_of(h->version, root, path);
    while (strlen(path) > top) {
        *strrchr(path, '/') = 0;
        limit = least_limit(limit, limit_of(h->version, root, path));
    }
    return limit;
}

int im_cores_quota(const char *root)
{
    int limit = 0;
    for (int version = 1; version <= 2; version++) {
        hierarchy h = {.version = version};
        if (find_group(&h, root) && find_mount(&h, root))
            limit = least_limit(limit, limit_of_all(&h, root));
    }
    return limit;
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
