/* SPDX-License-Identifier: MIT
 *
 * The one way errors travel: a status is returned, a sentence is written once, where the
 * facts are known, and IM_TRY carries both to the single exit of each function.
 *
 * Prefixes: im_fail.
 */
#ifndef IM_CORE_STATUS_H
#define IM_CORE_STATUS_H

#include "imsat/imsat.h"

/* Write a message (if err is not NULL) and return status. Control characters in it, which come
 * from files and their names, become '?'. */
__attribute__((format(printf, 3, 4))) imsat_status im_fail(imsat_error *err,
                                                           imsat_status status,
                                                           const char *format, ...);

/* The message of a failed allocation; `what` completes "no memory for ...". */
imsat_status im_fail_memory(imsat_error *err, const char *what);

/* The message of a failed system call on a file: "path: strerror(errno)". */
imsat_status im_fail_file(imsat_error *err, const char *path);

/* Of a file that was refused, if st is IMSAT_EFORMAT, say what to do: "; advice" behind the
 * message. Returns st. */
imsat_status im_fail_advise(imsat_status st, imsat_error *err, const char *advice);

/* The only control-flow macro of the project: needs `st` and a label `cleanup`. */
#define IM_TRY(call)                                                                          \
    do {                                                                                      \
        st = (call);                                                                          \
        if (st != IMSAT_OK)                                                                   \
            goto cleanup;                                                                     \
    } while (0)

#endif
