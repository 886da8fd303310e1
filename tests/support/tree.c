/* SPDX-License-Identifier: MIT
 * See tree.h. */
#define _GNU_SOURCE
#include "tree.h"

#include "support.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static char root[300];

void tree_put(const char *path, const char *text)
{
    char name[600];
    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *at = name + strlen(root) + 1; (at = strchr(at, '/')); at++) {
        *at = 0;
        mkdir(name, 0700);
        *at = '/';
    }
    write_file(name, text, strlen(text));
}

const char *tree_plant(const char *name, const char *cgroup, const char *mounts)
{
    snprintf(root, sizeof root, "%s", in_folder(name));
    mkdir(root, 0700);
    tree_put("/proc/self/cgroup", cgroup);
    tree_put("/proc/self/mountinfo", mounts);
    return root;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info, (void)type;
    return at->level ? remove(path) : 0;
}

int tree_teardown(void **state)
{
    nftw(in_folder("."), remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return folder_teardown(state);
}
