/* SPDX-License-Identifier: MIT
 * Ctrl-C, SIGTERM, and SIGHUP when a terminal closes: the first is noted, so that a run can
 * save and stop. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <signal.h>

static volatile sig_atomic_t caught;

static void note(int number)
{
    caught = number;
}

void cli_signals_catch(void)
{
    struct sigaction action = {.sa_handler = note}, before;
    sigemptyset(&action.sa_mask);
    /* Back to the default after the first one: a second Ctrl-C ends a program that does
     * not come round to stopping. SA_RESTART: reads of data files are not cut short. */
    action.sa_flags = (int)SA_RESETHAND | SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* Who starts the program by nohup wants it to go on. */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

const char *cli_signal_name(void)
{
    return caught == SIGINT ? "Ctrl-C" : caught == SIGHUP ? "SIGHUP" : "SIGTERM";
}

int cli_signal_caught(void)
{
    return caught;
}
