/* SPDX-License-Identifier: MIT
 * Limits on memory, in made-up trees of control groups. (test_cores.c has more of them.) */
#define _GNU_SOURCE
#include "core/memory.h"

#include "core/alloc.h"
#include "core/limit.h"
#include "imsat/process.h"
#include "support.h"
#include "tree.h"

#include <stdio.h>
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

enum { MIB = 1 << 20 };

/* What the process has, and some more, is not the library's; what the library took is. */
static void a_limit_counts_the_rest_of_the_program(void **state)
{
    (void)state;
    imsat_error err;
    assert_ok(imsat_set_max_memory((size_t)2048 * MIB, &err), &err);
    const size_t heap = im_limit_heap();
    assert_in_range(heap, (size_t)1400 * MIB, (size_t)1520 * MIB);
    void *block = im_alloc(MIB, 64);
    assert_ok(imsat_set_max_memory((size_t)2048 * MIB, &err), &err);
    assert_in_range(im_limit_heap(), heap - 8 * MIB, heap + 8 * MIB);
    im_free(block);
    assert_ok(imsat_set_max_memory(0, &err), &err);
    assert_true(im_limit_heap() == SIZE_MAX);
}

static void too_small_a_limit_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    size_t least = 0;
    assert_refused(imsat_set_max_memory(MIB, &err), &err, IMSAT_EINVAL,
                   "a memory limit of 1048576 bytes: the program alone takes ");
    assert_int_equal(sscanf(strstr(err.message, "least is"), "least is %zuM", &least), 1);
    assert_true(im_limit_all() == SIZE_MAX); /* as it was */
    assert_ok(imsat_set_max_memory((least + 1) * MIB, &err), &err);
    assert_ok(imsat_set_max_memory(0, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_two),
        cmocka_unit_test(version_one),
        cmocka_unit_test(the_machine_has_some),
        cmocka_unit_test(a_limit_counts_the_rest_of_the_program),
        cmocka_unit_test(too_small_a_limit_is_refused),
    };
    return cmocka_run_group_tests_name("memory", tests, folder_setup, tree_teardown);
}
