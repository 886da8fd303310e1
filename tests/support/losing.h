/* SPDX-License-Identifier: MIT
 *
 * Files that become shorter while a call reads them. Whatever the moment, the call must fail
 * and name the file, or give what the whole file gives.
 *
 * The moment is an allocation of the call, each in turn, or every fourth under a sanitizer.
 * Each attempt is a process of its own, in which the maps are guarded (imsat/process.h).
 */
#ifndef TESTS_LOSING_H
#define TESTS_LOSING_H

#include "support.h"

#include <stdbool.h>

enum { LOSING_ROOM = 1 << 21 }; /* of a file, and of what a call gives */

typedef struct losing_call {
    const char *name;
    void (*open)(void);                    /* what is there before, or NULL */
    imsat_status (*run)(imsat_error *err); /* the call; gives what it found */
    void (*close)(void);                   /* what open() opened, or NULL */
    const char *file;                      /* that is lost, in the tests' folder */
    bool whole; /* what is left of it is no file: it is refused, whenever it is opened */
} losing_call;

/* Lose the file at every moment of the call: all of it, and, if `whole`, all but a page and a
 * bit, and then only a little.
 */
void losing_try(const losing_call *call);

/* For run(): bytes of what the call gives, if it succeeds. */
void losing_give(const void *bytes, size_t size);

/* For run(), if it goes on after the call: what comes now is not in the middle of it. */
void losing_end(void);

/* In a process of its own: the file, and how many bytes are left of it when it is lost. */
void losing_choose(const char *path, size_t left);
void losing_lose(void);

/* How an attempt ended. */
typedef enum losing_end_kind {
    LOSING_RIGHT,   /* as without a loss */
    LOSING_SHORTER, /* IMSAT_EIO, and that the file became shorter */
    LOSING_REFUSED, /* another message that names it: it was lost before it was opened */
    LOSING_WRONG,   /* a result, but not the right one */
    LOSING_UNCLEAR  /* a message that does not name the file */
} losing_end_kind;

losing_end_kind losing_judge(imsat_status st, const imsat_error *err);

#endif
