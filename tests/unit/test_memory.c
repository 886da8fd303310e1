/* SPDX-License-Identifier: MIT
 * Limits on memory, in made-up trees of control groups. (test_cores.c has more of them.) */
#define _GNU_SOURCE
#include "core/memory.h"

#include "support.h"
#include "tree.h"

#include <unistd.h>

static void version_two(void **state)
{
    (void)state;
    const char *root = tree_plant("v2", "0::/user.slice/job\n",
                                  "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    assert_int_equal(im_memory_quota(root), 0);
    tree_put("/sys/fs/cgroup/user.slice/job/memory.max", "max\n");
    assert_int_equal(im_memory_quota(root), 0);
    tree_put("/sys/fs/cgroup/user.slice/job/memory.max", "3221225472\n");
    assert_int_equal(im_memory_quota(root), 3221225472);
    tree_put("/sys/fs/cgroup/user.slice/memory.max", "1073741824\n"); /* around ours */
    assert_int_equal(im_memory_quota(root), 1073741824);
}

static void version_one(void **state)
{
    (void)state;
    const char *root =
        tree_plant("v1", "5:cpu:/elsewhere\n4:memory:/docker/7f\n0::/\n",
                   "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
                   "33 31 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    tree_put("/sys/fs/cgroup/cpu/elsewhere/memory.limit_in_bytes", "1000\n");
    assert_int_equal(im_memory_quota(root), 0);
    tree_put("/sys/fs/cgroup/memory/docker/7f/memory.limit_in_bytes", "536870912\n");
    assert_int_equal(im_memory_quota(root), 536870912);
}

static void the_machine_has_some(void **state)
{
    (void)state;
    const size_t all = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    const size_t quota = im_memory_quota("");
    assert_int_equal(im_memory(), quota && quota < all ? quota : all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_two),
        cmocka_unit_test(version_one),
        cmocka_unit_test(the_machine_has_some),
    };
    return cmocka_run_group_tests_name("memory", tests, folder_setup, tree_teardown);
}
