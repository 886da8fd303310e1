/* SPDX-License-Identifier: MIT
 * The clock never goes back, and counts in seconds. Nothing here fails on a slow machine. */
#define _GNU_SOURCE
#include "core/clock.h"

#include "support.h"

#include <time.h>

static void it_never_goes_back(void **state)
{
    (void)state;
    double last = im_clock();
    for (int i = 0; i < 10000; i++) {
        const double now = im_clock();
        assert_true(now >= last);
        last = now;
    }
}

static void it_counts_seconds(void **state)
{
    (void)state;
    const double start = im_clock();
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    assert_true(im_clock() - start >= 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_never_goes_back),
        cmocka_unit_test(it_counts_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
