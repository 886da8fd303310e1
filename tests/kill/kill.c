/* SPDX-License-Identifier: MIT
 *
 * Kill the program at random moments, and look at what it leaves.
 *
 *     kill [KILLS [SEED]]
 *
 * From the old contents of its outputs a command is killed (SIGKILL) after a time that is
 * drawn evenly from that which it takes, one to three times in a row. After every kill each
 * output is the old one or the new one, whole; else it is lost. At last the command is run to
 * its end: the outputs are the new ones, also where a training went on from the checkpoint of
 * a killed one, and nothing else is in the folder: what was killed left temporary files, and
 * they are gone. A table says how often each came.
 */
#define _GNU_SOURCE
#include "commands.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_COMMANDS = 32, MOST_CHAIN = 3 };

/* The latest kill, in times of the fastest run: some come when the files have their names. */
static const double LATEST = 1.2;

typedef struct tally {
    size_t kills, running; /* and how many came before the end */
    size_t files[3];       /* by output_state, after the kills */
    size_t resumed;        /* runs to the end that found a checkpoint of a killed one */
    size_t leftovers;
} tally;

static void sleep_for(double seconds)
{
    const time_t whole = (time_t)seconds;
    struct timespec time = {whole, (long)(1e9 * (seconds - (double)whole))};
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        ;
}

/* Count what an output is. One that is lost is kept, beside the folder of the others. */
static void look_at(tally *t, const knowledge *k, const command *c, size_t i)
{
    const output_state state = command_output(c, k, i);
    t->files[state]++;
    if (state != OUTPUT_LOST)
        return;
    char kept[64];
    const char *name = c->outputs[i].name;
    snprintf(kept, sizeof kept, "../lost-%s-%zu-%s", c->name, t->files[state], name);
    fprintf(stderr, "%s was killed: %s %s\n", c->name, name,
            rename(name, kept) == 0 ? "is neither the old file nor the new one"
                                    : "is not there");
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
    for (size_t i = 0; i < COMMAND_OUTPUTS && c->outputs[i].name; i++)
        look_at(t, k, c, i);
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
    t->resumed += c->state && access(c->state, F_OK) == 0;
    command_run(c->words);
    for (size_t i = 0; i < COMMAND_OUTPUTS && c->outputs[i].name; i++)
        if (command_output(c, k, i) != OUTPUT_NEW)
            give_up("%s was killed and run again: %s is not what it is without the kill",
                    c->name, c->outputs[i].name);
    if (command_leftovers(c, false) != 0) {
        command_leftovers(c, true);
        give_up("\n%s: what was killed left files that the next run has not removed", c->name);
    }
}

static void print_line(const char *name, const tally *t)
{
    printf("%-10s %6zu %8zu %9zu %9zu %10zu %8zu %10zu\n", name, t->kills, t->running,
           t->files[OUTPUT_OLD], t->files[OUTPUT_NEW], t->files[OUTPUT_LOST], t->resumed,
           t->leftovers);
}

/* A line a command. Whether no file is lost, and enough kills came before the end. */
static bool report(const tally *tallies)
{
    tally all = {0};
    printf("%-10s %6s %8s %9s %9s %10s %8s %10s\n", "command", "kills", "running", "old files",
           "new files", "lost files", "resumed", "leftovers");
    for (size_t i = 0; i < commands_count; i++) {
        const tally *t = &tallies[i];
        if (t->kills == 0)
            continue;
        print_line(commands[i].name, t);
        all.kills += t->kills;
        all.running += t->running;
        all.resumed += t->resumed;
        all.leftovers += t->leftovers;
        for (size_t f = 0; f < 3; f++)
            all.files[f] += t->files[f];
    }
    print_line("all", &all);
    printf("every run after a kill ended in the same files, and removed what was left\n");
    return all.files[OUTPUT_LOST] == 0 && 4 * all.running >= all.kills;
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
    if (!report(tallies))
        give_up("files are lost, or most kills came too late");
    commands_end();
    return EXIT_SUCCESS;
}
