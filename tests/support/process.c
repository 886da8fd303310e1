/* SPDX-License-Identifier: MIT
 * See process.h. */
#define _DEFAULT_SOURCE
#include "process.h"

#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

long process_peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

int process_run(int (*run)(const void *context), const void *context)
{
    int status = -1;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        /* cmocka's handlers would go on with the tests of the parent. */
        const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS};
        for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
            signal(signals[i], SIG_DFL);
        _exit(run(context));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

bool can_fork(void)
{
#ifdef __SANITIZE_THREAD__
    return false;
#else
    return true;
#endif
}
