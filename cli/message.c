/* SPDX-License-Identifier: MIT
 * What the program says on stderr, and whether stdout got out. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

static void say(const cli_command *command, const char *format, va_list values)
{
    fprintf(stderr, "imsat%s%s: ", command ? " " : "", command ? command->name : "");
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
}

void cli_say(const cli_command *command, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    say(command, format, values);
    va_end(values);
}

int cli_usage(const cli_command *command, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    say(command, format, values);
    va_end(values);
    fprintf(stderr, "Try 'imsat help%s%s'.\n", command ? " " : "",
            command ? command->name : "");
    return CLI_USAGE;
}

int cli_refuse(imsat_error *why, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(why->message, sizeof why->message, format, values);
    va_end(values);
    return -1;
}

int cli_failed(const cli_command *command, const imsat_error *err)
{
    cli_say(command, "%s", err->message);
    return CLI_FAILED;
}

/* Whether stdout is a pipe that nobody reads any more. */
static int reader_gone(void)
{
    struct pollfd pipe = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLERR);
}

int cli_flush(const cli_command *command)
{
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || reader_gone())
        return CLI_OK;
    cli_say(command, "standard output: %s", errno ? strerror(errno) : "write error");
    return CLI_FAILED;
}
