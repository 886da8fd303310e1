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

/* The message of a failed allocation; `what` completes "no memory for ...". If it failed by
 * the limit (core/limit.h), the message says which one would do. */
imsat_status im_fail_memory(imsat_error *err, const char *what);

/* The message of a failed system call on a file: "path: strerror(errno)". */
imsat_status im_fail_file(imsat_error *err, const char *path);

/* Of a file that was refused, if st is IMSAT_EFORMAT, say what to do: "; advice" behind the
 * message. Returns st. */
imsat_status im_fail_advise(imsat_status st, imsat_error *err, const char *advice);

/* The messages of an argument of a public function: it is NULL, or a path that is empty; see
 * below. */
imsat_status im_fail_null(imsat_error *err, const char *function, const char *argument);
imsat_status im_fail_empty(imsat_error *err, const char *function, const char *argument);

/* IMSAT_OK, or the refusal of the first of `count` paths that is NULL or empty. */
imsat_status im_fail_paths(imsat_error *err, const char *function, const char *const *paths,
                           size_t count);

/* At the head of every public function, for each pointer that must not be NULL: return with a
 * message that names function and argument. The function's error is called `err`. */
#define IM_REQUIRE(pointer)                                                                   \
    do {                                                                                      \
        if (!(pointer))                                                                       \
            return im_fail_null(err, __func__, #pointer);                                     \
    } while (0)

/* The same for an array of `count` elements, which may be NULL if there are none. */
#define IM_REQUIRE_ARRAY(pointer, count)                                                      \
    do {                                                                                      \
        if (!(pointer) && (count) > 0)                                                        \
            return im_fail_null(err, __func__, #pointer);                                     \
    } while (0)

/* The same for the name of a file, which must not be empty. */
#define IM_REQUIRE_PATH(path)                                                                 \
    do {                                                                                      \
        IM_REQUIRE(path);                                                                     \
        if (!*(path))                                                                         \
            return im_fail_empty(err, __func__, #path);                                       \
    } while (0)

/* The same for an array of names. */
#define IM_REQUIRE_PATHS(paths, count)                                                        \
    do {                                                                                      \
        IM_REQUIRE_ARRAY(paths, count);                                                       \
        const imsat_status of_paths = im_fail_paths(err, __func__, paths, count);             \
        if (of_paths != IMSAT_OK)                                                             \
            return of_paths;                                                                  \
    } while (0)

/* Everywhere else control flow has one macro: it needs `st` and a label `cleanup`. */
#define IM_TRY(call)                                                                          \
    do {                                                                                      \
        st = (call);                                                                          \
        if (st != IMSAT_OK)                                                                   \
            goto cleanup;                                                                     \
    } while (0)

#endif
