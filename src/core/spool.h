/* SPDX-License-Identifier: MIT
 *
 * Files without a name: what must be in a file for a while, and goes when it is closed,
 * however the process ends. They are in /tmp, or where imsat_set_temporary_folder()
 * (imsat/process.h) says.
 */
#ifndef IM_CORE_SPOOL_H
#define IM_CORE_SPOOL_H

#include "core/status.h"

/* A new one, empty, to write and read. -1 if none can be made; errno says why. */
int im_spool_new(void);

/* All that is left in a pipe, a socket or a terminal, as a new file: *out. fd stays the
 * caller's; `path` begins messages. */
imsat_status im_spool_copy(int *out, int fd, const char *path, imsat_error *err);

enum { IM_SPOOL_NAME = 4096 + 32 };

/* Bytes as a new file that has a name, for libraries that must open it by one. The caller
 * removes it as soon as it is open. */
imsat_status im_spool_put(char name[IM_SPOOL_NAME], const void *bytes, size_t size,
                          const char *path, imsat_error *err);

#endif
