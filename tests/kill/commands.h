/* SPDX-License-Identifier: MIT
 *
 * Commands of the program in a folder of their own, with inputs made for them, for tests that
 * disturb them: what each writes, what its outputs are before, and what they are after it was
 * left alone. */
#ifndef TESTS_COMMANDS_H
#define TESTS_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { COMMAND_WORDS = 32, COMMAND_OUTPUTS = 3 };

/* A file that a command writes. `ask` are the words of a command that says what is in it, for
 * a file that may be the same in other bytes; NULL: the bytes count. */
typedef struct output {
    const char *name, *old; /* of the file, and of the one in ../in that it is at first */
    const char *const *ask;
} output;

typedef struct command {
    const char *name;
    const char *words[COMMAND_WORDS];
    output outputs[COMMAND_OUTPUTS]; /* none has a name after the last */
    const char *state;               /* a checkpoint, which is there afterwards, or NULL */
} command;

extern const command commands[];
extern const size_t commands_count;

/* Bytes of a file or of what was printed; freed by free(). */
typedef struct text {
    char *bytes; /* NULL: there is no such file */
    size_t size; /* a zero byte follows */
} text;

/* What is known of a command. */
typedef struct knowledge {
    text old[COMMAND_OUTPUTS], new[COMMAND_OUTPUTS];
    double seconds; /* of the fastest run */
} knowledge;

/* Make the folder, the inputs, and go to its folder work/. IMSAT_BUILD is where the program
 * is; else build/. The seed is that of draw(). */
void commands_begin(unsigned long long seed);

/* Remove it all. */
void commands_end(void);

/* The folder that all is in. */
const char *commands_folder(void);

/* Stop the test with a message; the folder stays. */
__attribute__((format(printf, 1, 2), noreturn)) void give_up(const char *format, ...);

/* A random number from 0 to 1. */
double draw(void);

/* Of a clock that never goes back. */
double seconds_now(void);

/* Start the program; what it prints goes to ../said. `before` is called in the new process. */
pid_t command_start(const char *const *words, void (*before)(void));

/* The status of a process that has ended. */
int command_wait(pid_t process);

/* What the program has printed last. */
text command_said(void);

/* Run to the end. Whether it was a success; or it must be. */
bool command_try(const char *const *words);
void command_run(const char *const *words);

/* Empty the folder and put the outputs there as they were; or put these alone. */
void command_begin(const command *c);
void command_restore(const command *c);

/* Run it a few times to know it. */
void command_learn(knowledge *k, const command *c);

/* What output i is. Lost: neither the old one nor the new one, or not there. */
typedef enum output_state { OUTPUT_OLD, OUTPUT_NEW, OUTPUT_LOST } output_state;
output_state command_output(const command *c, const knowledge *k, size_t i);

/* How many files there are beyond those that the command leaves. Says their names if asked. */
size_t command_leftovers(const command *c, bool say);

#endif
