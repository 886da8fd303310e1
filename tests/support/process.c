/* SPDX-License-Identifier: MIT
 * See process.h. */
#include "process.h"

#include "support.h"

#include <stdio.h>

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

bool can_fork(void)
{
#ifdef __SANITIZE_THREAD__
    return false;
#else
    return true;
#endif
}
