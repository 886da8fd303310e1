/* SPDX-License-Identifier: MIT
 *
 * System calls of a command that fail, by ptrace: those that name a file of the test's folder,
 * or a descriptor of one, and so whatever function of libc or of another library makes them. A
 * call that fails is not made: the program gets an error in its place. */
#ifndef TESTS_TRACE_H
#define TESTS_TRACE_H

#include <stdbool.h>
#include <stddef.h>

/* Calls that are counted together. */
typedef enum call_kind {
    CALL_OPEN,
    CALL_READ,
    CALL_WRITE,
    CALL_SYNC,
    CALL_RENAME,
    CALL_MAP,
    CALL_LOCK,
    CALL_CUT, /* ftruncate */
    CALL_STAT,
    CALL_CLOSE,
    CALL_RANDOM, /* names no file; those of libc's own are not counted */
    CALL_CHANGE, /* of mode and owner */
    CALL_KINDS
} call_kind;

extern const char *const call_names[CALL_KINDS];

enum { TRACE_SHORT = 0 /* in place of an error: the call is made with half of its bytes */ };

/* The call that shall fail: the which-th, from 1, of a kind. */
typedef struct fault {
    call_kind kind;
    int error; /* errno, or TRACE_SHORT of CALL_READ and CALL_WRITE */
    size_t which;
} fault;

typedef struct trace {
    int status;      /* of the process, as waitpid() has it */
    bool came;       /* there was that call */
    char path[4096]; /* of its file; empty for CALL_RANDOM */
} trace;

/* Whether this system lets one process trace another. */
bool trace_possible(void);

/* Run a command, with one call that fails. */
trace trace_run(const char *const *words, fault f);

#endif
