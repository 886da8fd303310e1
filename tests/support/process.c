/* SPDX-License-Identifier: MIT
 * See process.h. */
#define _POSIX_C_SOURCE 200809L
#include "process.h"

#include "support.h"

#include <stdio.h>
#include <time.h>

int process_threads(void)
{
    char line[128];
    int threads = 0;
    FILE *file = fopen("/proc/self/status", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        (void)sscanf(line, "Threads: %d", &threads);
    fclose(file);
    return threads;
}

void assert_threads(int expected)
{
    for (int i = 0; i < 2000 && process_threads() != expected; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_int_equal(process_threads(), expected);
}

bool can_fork(void)
{
#ifdef __SANITIZE_THREAD__
    return false;
#else
    return true;
#endif
}
