/* SPDX-License-Identifier: MIT
 *
 * See cgroup.h. /proc/self/cgroup has a line "id:controllers:path" for each hierarchy of
 * control groups that the process is in; version 2 is the one with id 0 and no controllers.
 * /proc/self/mountinfo tells where hierarchies are mounted, and which folder of theirs:
 *
 *     31 23 0:28 /folder /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
 *
 * Our group is the folder (path without /folder) below the mount point. A container sees its
 * own group as the mounted folder, and what is above it not at all. A path that does not begin
 * with the mounted folder is looked for at the mount point itself. The limit of a group holds
 * for all groups in it, so every folder from ours up to the mount point is read.
 *
 * Files that are missing or say something else set no limit.
 */
#define _GNU_SOURCE
#include "core/cgroup.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 4096, PATH = 2 * LINE };

/* One hierarchy that has the controller. */
typedef struct hierarchy {
    int version; /* 1 or 2 */
    const char *controller;
    char group[LINE]; /* of this process, as in /proc/self/cgroup */
    char folder[LINE], mount[LINE];
} hierarchy;

FILE *im_cgroup_open(const char *root, const char *path)
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
    FILE *file = im_cgroup_open(root, "/proc/self/cgroup");
    while (file && !found && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *controllers++ = *group++ = 0;
        group[strcspn(group, "\n")] = 0;
        found = h->version == 1 ? lists(controllers, h->controller)
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
    FILE *file = im_cgroup_open(root, "/proc/self/mountinfo");
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *end = strstr(line, " - ");
        found = end && sscanf(line, "%*s %*s %*s %4095s %4095s", h->folder, h->mount) == 2 &&
                sscanf(end, " - %15s %*s %4095s", type, options) == 2 &&
                (h->version == 1 ? strcmp(type, "cgroup") == 0 && lists(options, h->controller)
                                 : strcmp(type, "cgroup2") == 0);
    }
    if (file)
        fclose(file);
    return found;
}

bool im_cgroup_numbers(long long *numbers, int count, const char *root, const char *folder,
                       const char *name)
{
    char path[PATH], word[32];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length < (int)sizeof path ? im_cgroup_open(root, path) : NULL;
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

static long long least(long long a, long long b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

/* The least limit from our group up to the mount point. */
static long long limit_of_all(const hierarchy *h, const char *root, im_cgroup_fn *limit_of)
{
    char path[PATH];
    size_t above = strlen(h->folder);
    if (strcmp(h->folder, "/") == 0)
        above = 0;
    const bool inside = strncmp(h->group, h->folder, above) == 0 &&
                        (h->group[above] == '/' || h->group[above] == 0);
    const size_t top = strlen(h->mount);
    snprintf(path, sizeof path, "%s%s", h->mount, inside ? h->group + above : "");
    long long limit = limit_of(h->version, root, path);
    while (strlen(path) > top) {
        *strrchr(path, '/') = 0;
        limit = least(limit, limit_of(h->version, root, path));
    }
    return limit;
}

long long im_cgroup_least(const char *root, const char *controller, im_cgroup_fn *limit_of)
{
    long long limit = 0;
    for (int version = 1; version <= 2; version++) {
        hierarchy h = {.version = version, .controller = controller};
        if (find_group(&h, root) && find_mount(&h, root))
            limit = least(limit, limit_of_all(&h, root, limit_of));
    }
    return limit;
}
