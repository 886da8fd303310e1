/* SPDX-License-Identifier: MIT
 *
 * See child.h. The child is made by fork() and ends by _exit(): nothing of it comes back but
 * how it ended. It has no handlers of signals that a crash raises, writes no core file and no
 * message, and has limits of time, in case it does not end.
 *
 * A child of a process with several threads has one, and whatever lock another thread held at
 * that moment is held forever: glibc sees to those of malloc() and of streams, our callers to
 * that of their library, and nobody to others. A program may also wait for all its children,
 * and so take this one away. That is why a library must not do it by itself, and the program
 * has to ask.
 */
#define _GNU_SOURCE
#include "core/child.h"

#include "imsat/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* By the clock it may take so many times what it may of the processor: others use that, too.
 */
enum { MOST_WAITING = 10 };

static atomic_bool wanted;

void imsat_try_files(void)
{
    atomic_store(&wanted, true);
}

static void prepare_child(unsigned most_seconds)
{
    static const int crashes[] = {SIGSEGV, SIGBUS,  SIGABRT, SIGILL, SIGFPE,
                                  SIGALRM, SIGXCPU, SIGTRAP, SIGSYS};
    const struct rlimit none = {0, 0}, seconds = {most_seconds, most_seconds};
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_CPU, &seconds);
    alarm(most_seconds * MOST_WAITING);
    if (null >= 0)
        dup2(null, STDERR_FILENO);
}

imsat_status im_child_try(void (*act)(void *context), void *context, unsigned most_seconds,
                          const char *who, const char *path, imsat_error *err)
{
    int status = 0;
    pid_t ended;
    if (!atomic_load(&wanted))
        return IMSAT_OK;
    const pid_t child = fork();
    if (child < 0)
        return im_fail_file(err, path);
    if (child == 0) {
        prepare_child(most_seconds);
        act(context);
        _exit(0);
    }
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        return im_fail_file(err, path);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return IMSAT_OK;
    return im_fail(err, IMSAT_EFORMAT, "%s: is damaged: %s %s on it", path, who,
                   WIFSIGNALED(status) &&
                           (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM ||
                            WTERMSIG(status) == SIGKILL)
                       ? "takes too long"
                       : "crashes");
}
