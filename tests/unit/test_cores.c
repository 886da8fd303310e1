/* SPDX-License-Identifier: MIT
 * Processor quotas, in made-up trees of control groups. */
#define _GNU_SOURCE
#include "core/cores.h"

#include "support.h"
#include "tree.h"

#include <sched.h>

static const char *const v1_mounts =
    "23 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "33 31 0:30 / /sys/fs/cgroup/cpuset rw,relatime shared:9 - cgroup cgroup rw,cpuset\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:8 - cgroup cgroup rw,cpu,cpuacct\n";
static const char *const v2_mounts =
    "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 "
    "cgroup2 rw,nsdelegate,memory_recursiveprot\n";

static void version_two(void **state)
{
    (void)state;
    const char *root = tree_plant("v2", "0::/user.slice/job\n", v2_mounts);
    assert_int_equal(im_cores_quota(root), 0); /* no files */
    tree_put("/sys/fs/cgroup/user.slice/job/cpu.max", "max 100000\n");
    assert_int_equal(im_cores_quota(root), 0);
    tree_put("/sys/fs/cgroup/user.slice/job/cpu.max", "300000 100000\n");
    assert_int_equal(im_cores_quota(root), 3);
    tree_put("/sys/fs/cgroup/user.slice/job/cpu.max", "150000 100000\n"); /* rounded up */
    assert_int_equal(im_cores_quota(root), 2);
    tree_put("/sys/fs/cgroup/user.slice/job/cpu.max", "1000 100000\n");
    assert_int_equal(im_cores_quota(root), 1);
}

static void parents_limit_as_well(void **state)
{
    (void)state;
    const char *root = tree_plant("parents", "0::/a/b/c\n", v2_mounts);
    tree_put("/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
    tree_put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    assert_int_equal(im_cores_quota(root), 8);
    tree_put("/sys/fs/cgroup/a/cpu.max", "250000 50000\n");
    assert_int_equal(im_cores_quota(root), 5);
    tree_put("/sys/fs/cgroup/cpu.max", "400000 100000\n");
    assert_int_equal(im_cores_quota(root), 4);
    tree_put("/sys/fs/cgroup/a/b/c/cpu.max", "200000 100000\n");
    assert_int_equal(im_cores_quota(root), 2);
    tree_put("/sys/fs/cgroup/a/bc/cpu.max", "100000 100000\n"); /* not ours */
    assert_int_equal(im_cores_quota(root), 2);
}

static void version_one(void **state)
{
    (void)state;
    const char *root = tree_plant(
        "v1", "5:cpuset:/elsewhere\n4:cpu,cpuacct:/docker/7f\n1:name=systemd:/\n0::/\n",
        v1_mounts);
    assert_int_equal(im_cores_quota(root), 0);
    tree_put("/sys/fs/cgroup/cpu,cpuacct/docker/7f/cpu.cfs_quota_us", "-1\n");
    tree_put("/sys/fs/cgroup/cpu,cpuacct/docker/7f/cpu.cfs_period_us", "100000\n");
    assert_int_equal(im_cores_quota(root), 0);
    tree_put("/sys/fs/cgroup/cpu,cpuacct/docker/7f/cpu.cfs_quota_us", "650000\n");
    assert_int_equal(im_cores_quota(root), 7);
    tree_put("/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "90000\n");
    tree_put("/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us", "30000\n");
    assert_int_equal(im_cores_quota(root), 3);
}

/* In a container the mounted folder is its own group. */
static void a_container_sees_a_part_of_the_tree(void **state)
{
    (void)state;
    const char *root =
        tree_plant("container", "4:cpu:/docker/7f/inner\n",
                   "32 31 0:29 /docker/7f /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n");
    tree_put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n");
    tree_put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    assert_int_equal(im_cores_quota(root), 4);
    tree_put("/sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "200000\n");
    tree_put("/sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "100000\n");
    assert_int_equal(im_cores_quota(root), 2);
    /* A group that is not below the mounted folder. */
    tree_put("/proc/self/cgroup", "4:cpu:/docker/7fab\n");
    assert_int_equal(im_cores_quota(root), 4);
}

static void the_processor_has_a_name(void **state)
{
    (void)state;
    char name[IM_CORES_NAME];
    const char *root = tree_plant("named", "", "");
    assert_false(im_cores_name(name, root));
    tree_put("/proc/cpuinfo", "processor\t: 0\nmodel\t\t: 85\n");
    assert_false(im_cores_name(name, root));
    tree_put("/proc/cpuinfo",
             "model\t\t: 85\nmodel name\t: A \"b\"  \\(R)\t CPU @ 2 GHz \nmodel "
             "name\t: other\n");
    assert_true(im_cores_name(name, root));
    assert_string_equal(name, "A b (R) CPU @ 2 GHz");
    tree_put("/proc/cpuinfo", "BogoMIPS\t: 108.00\nModel\t\t: A board\n");
    assert_true(im_cores_name(name, root));
    assert_string_equal(name, "A board");
}

static void nonsense_sets_no_limit(void **state)
{
    (void)state;
    const char *root =
        tree_plant("nonsense", "no colons\n:\n0:\n0::/a\n", "short\n1 2 3 - x\n");
    assert_int_equal(im_cores_quota(root), 0);
    tree_put("/proc/self/mountinfo", v2_mounts);
    tree_put("/sys/fs/cgroup/a/cpu.max", "");
    assert_int_equal(im_cores_quota(root), 0);
    tree_put("/sys/fs/cgroup/a/cpu.max", "100000\n");
    assert_int_equal(im_cores_quota(root), 0);
    tree_put("/sys/fs/cgroup/a/cpu.max", "100000 0\n");
    assert_int_equal(im_cores_quota(root), 0);
    tree_put("/sys/fs/cgroup/a/cpu.max", "9000000000000000000 1\n");
    assert_true(im_cores_quota(root) > 1000);
    assert_int_equal(im_cores_quota(in_folder("nowhere")), 0);
}

static void affinity_counts(void **state)
{
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_true(im_cores() >= 1 && im_cores() <= CPU_COUNT(&all));
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(im_cores(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_two),
        cmocka_unit_test(parents_limit_as_well),
        cmocka_unit_test(version_one),
        cmocka_unit_test(a_container_sees_a_part_of_the_tree),
        cmocka_unit_test(nonsense_sets_no_limit),
        cmocka_unit_test(the_processor_has_a_name),
        cmocka_unit_test(affinity_counts),
    };
    return cmocka_run_group_tests_name("cores", tests, folder_setup, tree_teardown);
}
