/* SPDX-License-Identifier: MIT
 *
 * The standard streams, and the names of streams: '/dev/stdout' or '/dev/fd/3' is the open
 * descriptor itself, not a file that could be opened again, emptied or replaced.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int cli_streams_fill(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
        if (fcntl(i, F_GETFD) >= 0 || errno != EBADF)
            continue;
        /* The wrong way round: reading or writing it fails as if it were still closed. */
        if (open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY) != i)
            return CLI_FAILED;
    }
    return CLI_OK;
}

/* The descriptor that a path names, or -1. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, CLI_STDOUT) == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t length = strlen(folders[i]);
        const char *number = path + length;
        if (strncmp(path, folders[i], length) == 0 && *number && strlen(number) < 10 &&
            !number[strspn(number, "0123456789")])
            return atoi(number);
    }
    return -1;
}

const char *cli_stream_name(const char *word, cli_file use)
{
    if (strcmp(word, "-") != 0)
        return word;
    switch (use) {
    case CLI_INPUT: return CLI_STDIN;
    case CLI_OUTPUT:
    case CLI_ROWS:
    case CLI_LOG: return CLI_STDOUT;
    default: return word;
    }
}

int cli_is_stdout(const char *path)
{
    return descriptor_of(path) == STDOUT_FILENO || imsat_same_file(path, CLI_STDOUT);
}

int cli_is_stream(const char *path)
{
    struct stat info;
    return descriptor_of(path) >= 0 ||
           (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

const char *cli_stopped_output(const cli_args *args)
{
    if (!args->output)
        return "";
    return cli_is_stream(args->output) ? "; the output is not whole" : "; nothing was written";
}

FILE *cli_stream_open(const char *path, int append)
{
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY;
    const int given = descriptor_of(path);
    const int opened = given >= 0 ? fcntl(given, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                                  : open(path, flags | (append ? O_APPEND : O_TRUNC), 0666);
    FILE *file = opened < 0 ? NULL : fdopen(opened, append ? "a" : "w");
    if (!file && opened >= 0)
        close(opened);
    return file;
}
