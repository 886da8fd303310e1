/* SPDX-License-Identifier: MIT
 *
 * Kill the program at random moments, and look at what it leaves.
 *
 *     kill [KILLS [SEED]]
 *
 * From the old contents of its outputs a command is killed (SIGKILL) after a time that is
 * drawn evenly from that which it takes, one to three times in a row. After every kill each
 * output is the old one or the new one, whole. At last the command is run to its end: the
 * outputs are the new ones, also where a training went on from the checkpoint of a killed one,
 * and nothing else is in the folder: what was killed left temporary files, and they are gone.
 */
#define _GNU_SOURCE
#include "commands.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

enum { MOST_COMMANDS = 32, MOST_CHAIN = 3 };

/* The latest kill, in times of the fastest run: some come when the files have their names. */
static const double LATEST = 1.2;

typedef struct tally {
    size_t kills, running; /* and how many came before the end */
    size_t was_old, was_new, leftovers;
} tally;

static void sleep_for(double seconds)
{
    const time_t whole = (time_t)seconds;
    struct timespec time = {whole, (long)(1e9 * (seconds - (double)whole))};
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        ;
}

static void kill_once(tally *t, knowledge *k, const command *c)
{
    const double started = seconds_now();
    const pid_t process = command_start(c->words, NULL);
    sleep_for(LATEST * draw() * k->seconds);
    const double slept = seconds_now() - started;
    kill(process, SIGKILL);
    const int status = command_wait(process);
    t->kills++;
    t->running += WIFSIGNALED(status) != 0;
    if (WIFEXITED(status) && !c->state && slept < k->seconds)
        k->seconds = slept; /* the machine was busy when it was timed */
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
        give_up("%s: exit code %d: %s", c->name, WEXITSTATUS(status), command_said().bytes);
    for (size_t i = 0; i < COMMAND_OUTPUTS && c->outputs[i].name; i++) {
        const bool is_new = command_is_new(c, k, i, "was killed");
        t->was_new += is_new;
        t->was_old += !is_new;
    }
}

/* One to three kills, and then a run to the end. */
static void try_command(tally *t, knowledge *k, const command *c, size_t most)
{
    size_t chain = 1 + (size_t)(draw() * MOST_CHAIN);
    command_begin(c);
    for (chain = chain < most ? chain : most; chain > 0; chain--) {
        kill_once(t, k, c);
        command_restore(c);
    }
    t->leftovers += command_leftovers(c, false);
    command_run(c->words);
    for (size_t i = 0; i < COMMAND_OUTPUTS && c->outputs[i].name; i++)
        if (!command_is_new(c, k, i, "was killed and run again"))
            give_up("%s: the run after a kill has not written %s", c->name,
                    c->outputs[i].name);
    if (command_leftovers(c, false) != 0) {
        command_leftovers(c, true);
        give_up("\n%s: what was killed left files that the next run has not removed", c->name);
    }
}

/* A line a command; whether enough kills came before the end. */
static bool report(const tally *tallies, const knowledge *known)
{
    size_t kills = 0, running = 0;
    printf("%-10s %8s %6s %8s %9s %9s %10s\n", "command", "ms", "kills", "running",
           "old files", "new files", "leftovers");
    for (size_t i = 0; i < commands_count; i++) {
        const tally *t = &tallies[i];
        if (t->kills == 0)
            continue;
        printf("%-10s %8.1f %6zu %8zu %9zu %9zu %10zu\n", commands[i].name,
               1e3 * known[i].seconds, t->kills, t->running, t->was_old, t->was_new,
               t->leftovers);
        kills += t->kills;
        running += t->running;
    }
    printf(
        "%zu kills, %zu of a program that was running; no file is lost, no leftover stays\n",
        kills, running);
    return 4 * running >= kills;
}

int main(int argc, char **argv)
{
    static knowledge known[MOST_COMMANDS];
    static tally tallies[MOST_COMMANDS];
    const size_t kills = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
    commands_begin(argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    for (size_t i = 0; i < commands_count; i++)
        if (commands[i].outputs[0].name)
            command_learn(&known[i], &commands[i]);
    for (size_t i = 0, left = kills; left > 0; i = (i + 1) % commands_count) {
        const size_t before = tallies[i].kills;
        if (commands[i].outputs[0].name)
            try_command(&tallies[i], &known[i], &commands[i], left);
        left -= tallies[i].kills - before;
    }
    commands_end();
    return report(tallies, known) ? EXIT_SUCCESS : EXIT_FAILURE;
}
