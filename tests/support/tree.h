/* SPDX-License-Identifier: MIT
 * Made-up trees of control groups, in the tests' folder. */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

/* Plant an empty tree, with this much about the process in /proc/self. It is the one that
 * tree_put() writes to. Returns its root, which is valid until the next is planted. */
const char *tree_plant(const char *name, const char *cgroup, const char *mounts);

/* Write a file of the tree, and the folders it is in. */
void tree_put(const char *path, const char *text);

/* A group fixture of cmocka: the trees are removed, then the folder they are in. */
int tree_teardown(void **state);

#endif
