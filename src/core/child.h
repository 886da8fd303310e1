/* SPDX-License-Identifier: MIT
 *
 * Work that may crash, tried in a copy of the process before it is done. It is for libraries
 * that crash on damaged files; the copy is the process to the byte, so what happens to it is
 * what would happen here. */
#ifndef IM_CORE_CHILD_H
#define IM_CORE_CHILD_H

#include "core/status.h"

/* Do `act` in a child process, if imsat_try_files() was called (imsat/process.h). IMSAT_OK if
 * it came to its end there, whatever came of it; IMSAT_EFORMAT if it crashed or took more than
 * `most_seconds` of the processor. `path` begins the message, `who` is said to have crashed.
 */
imsat_status im_child_try(void (*act)(void *context), void *context, unsigned most_seconds,
                          const char *who, const char *path, imsat_error *err);

#endif
