/* SPDX-License-Identifier: MIT
 *
 * Limits that control groups of version 1 and 2 set to this process, as containers do.
 */
#ifndef IM_CORE_CGROUP_H
#define IM_CORE_CGROUP_H

#include <stdbool.h>
#include <stdio.h>

/* A file to read, with `root` put before its path; NULL: there is none. */
FILE *im_cgroup_open(const char *root, const char *path);

/* What the group in a folder allows, by the files of this version (1 or 2); 0: any amount. */
typedef long long im_cgroup_fn(int version, const char *root, const char *folder);

/* The least that our group and those around it allow, in the hierarchies of a controller
 * ("cpu"); 0: any amount. `root` is put before the paths of all files that are read: "", or a
 * made-up tree in tests. */
long long im_cgroup_least(const char *root, const char *controller, im_cgroup_fn *limit_of);

/* The first `count` numbers of the file `name` of a folder; a word that is none, such as
 * "max", counts as -1. False if the file is missing or has fewer. */
bool im_cgroup_numbers(long long *numbers, int count, const char *root, const char *folder,
                       const char *name);

#endif
