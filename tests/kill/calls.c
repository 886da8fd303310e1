/* SPDX-License-Identifier: MIT
 *
 * Let each system call of a command that is about its files fail in turn, with each error that
 * it may have, and half of what is read or written be read or written.
 *
 *     calls [ERROR [STEP]]   one error of each kind of call, the first, second, ... of the
 *                            list below, and every call or each STEPth; all errors of all
 *                            calls if nothing is given
 *
 * Whatever fails, the command ends with exit code 1 and a message that names the file, or with
 * 0 and its outputs written. Each output is the old one or the new one, and no temporary file
 * is left. A short read or write, or a call that a signal interrupts, is no failure.
 */
#define _GNU_SOURCE
#include "commands.h"
#include "trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MOST_ERRORS = 4, SKIPPED = 77 };

/* The errors of each kind of call, in the order of their likelihood. */
static const struct {
    size_t count;
    int errors[MOST_ERRORS];
} kinds[CALL_KINDS] = {
    [CALL_OPEN] = {3, {EMFILE, EACCES, EIO}},
    [CALL_READ] = {3, {EIO, TRACE_SHORT, EINTR}},
    [CALL_WRITE] = {4, {ENOSPC, TRACE_SHORT, EIO, EINTR}},
    [CALL_SYNC] = {2, {EIO, ENOSPC}},
    [CALL_RENAME] = {2, {EIO, EACCES}},
    [CALL_MAP] = {2, {ENOMEM, ENODEV}},
    [CALL_LOCK] = {3, {ENOLCK, EWOULDBLOCK, EINTR}},
    [CALL_CUT] = {2, {ENOSPC, EIO}},
    [CALL_STAT] = {2, {EIO, EACCES}},
    [CALL_CLOSE] = {2, {EIO, EINTR}},
    [CALL_RANDOM] = {2, {ENOSYS, EINTR}},
    [CALL_CHANGE] = {2, {EPERM, EIO}},
};

/* Whether a message names the file of the call that failed. Of a temporary file, of the folder
 * that files are written to and of a call without a file, it is the name of an output. */
static bool names_file(const command *c, const trace *t, const char *said)
{
    const char *slash = strrchr(t->path, '/'), *name = slash ? slash + 1 : "";
    const bool own = *name && strcmp(name, ".") != 0 && strcmp(name, "work") != 0 &&
                     strncmp(name, ".imsat-", 7) != 0;
    if (own)
        return strstr(said, name);
    for (size_t i = 0; i < COMMAND_OUTPUTS && c->outputs[i].name; i++)
        if (strstr(said, c->outputs[i].name))
            return true;
    return c->state && strstr(said, c->state);
}

/* What came of it. Returns whether the command said that it failed. */
static bool check(const command *c, const knowledge *k, fault f, const trace *t)
{
    char what[256];
    const int code = WIFEXITED(t->status) ? WEXITSTATUS(t->status) : -1;
    const text said = command_said();
    snprintf(what, sizeof what, "when %s %zu fails (%s, %.150s)", call_names[f.kind], f.which,
             f.error ? strerrorname_np(f.error) : "short", t->path);
    if (WIFSIGNALED(t->status))
        give_up("%s %s: signal %d: %s", c->name, what, WTERMSIG(t->status), said.bytes);
    if (code != 0 && code != 1)
        give_up("%s %s: exit code %d: %s", c->name, what, code, said.bytes);
    if (code == 1 && (!strstr(said.bytes, "imsat ") || !names_file(c, t, said.bytes)))
        give_up("%s %s: the message does not name the file: %s", c->name, what, said.bytes);
    if (code == 1 && (f.error == TRACE_SHORT || f.error == EINTR))
        give_up("%s %s: which is no failure: %s", c->name, what, said.bytes);
    for (size_t i = 0; i < COMMAND_OUTPUTS && c->outputs[i].name; i++) {
        const output_state state = command_output(c, k, i);
        if (state == OUTPUT_LOST)
            give_up("%s %s: %s is neither the old file nor the new one", c->name, what,
                    c->outputs[i].name);
        if (state == OUTPUT_OLD && code == 0)
            give_up("%s %s: exit code 0, and %s is the old one: %s", c->name, what,
                    c->outputs[i].name, said.bytes);
    }
    if (command_leftovers(c, false) != 0) {
        command_leftovers(c, true);
        give_up("\n%s %s: files are left", c->name, what);
    }
    free(said.bytes);
    return code == 1;
}

/* How many calls there were, and how many of their failures were one of the command. */
typedef struct tally {
    size_t calls, refused;
} tally;

static size_t step = 1; /* from a call that fails to the next */

static tally try_kind(const command *c, const knowledge *k, call_kind kind, int error)
{
    tally out = {0};
    for (fault f = {kind, error, 1};; f.which += step) {
        command_begin(c);
        const trace t = trace_run(c->words, f);
        if (!t.came)
            return out;
        out.calls++;
        out.refused += check(c, k, f, &t);
    }
}

/* Adds to the tallies of the kinds. only: the number of the error, from 1; 0: all. */
static void try_command(tally *tallies, const command *c, const knowledge *k, size_t only)
{
    printf("%-10s", c->name);
    for (call_kind kind = 0; kind < CALL_KINDS; kind++) {
        tally all = {0};
        for (size_t e = 0; e < kinds[kind].count; e++) {
            if (only && e + 1 != only)
                continue;
            const tally t = try_kind(c, k, kind, kinds[kind].errors[e]);
            all.calls += t.calls;
            all.refused += t.refused;
        }
        printf(" %4zu/%-4zu", all.refused, all.calls);
        fflush(stdout);
        tallies[kind].calls += all.calls;
        tallies[kind].refused += all.refused;
    }
    printf("\n");
}

/* The sums; a kind of which no call came would not be tested. */
static bool report(const tally *tallies)
{
    size_t total = 0;
    bool all = true;
    printf("%-10s", "all");
    for (call_kind kind = 0; kind < CALL_KINDS; kind++) {
        printf(" %4zu/%-4zu", tallies[kind].refused, tallies[kind].calls);
        total += tallies[kind].calls;
        all &= tallies[kind].calls > 0;
    }
    printf("\n%zu calls failed\n", total);
    return all;
}

int main(int argc, char **argv)
{
    tally tallies[CALL_KINDS] = {{0}};
    const size_t only = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    if (argc > 2 && strtoul(argv[2], NULL, 10) > 0)
        step = strtoul(argv[2], NULL, 10);
    if (!trace_possible()) {
        printf("this system lets no process trace another\n");
        return SKIPPED;
    }
    commands_begin(1);
    printf("failures of the command / of a call\n%-10s", "");
    for (call_kind kind = 0; kind < CALL_KINDS; kind++)
        printf(" %9s", call_names[kind]);
    printf("\n");
    for (size_t i = 0; i < commands_count; i++) {
        knowledge k = {0};
        command_learn(&k, &commands[i]);
        try_command(tallies, &commands[i], &k, only);
    }
    commands_end();
    return report(tallies) ? EXIT_SUCCESS : EXIT_FAILURE;
}
