/* SPDX-License-Identifier: MIT
 *
 * imsat: what is set for the whole process, by the program and not by a library in it. It is
 * the only state that calls share.
 */
#ifndef IMSAT_PROCESS_H
#define IMSAT_PROCESS_H

#include "imsat/imsat.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most bytes of memory that a compressed file may take, as it is or as what is read from
 * it: a small file can hold any amount. One that takes more is refused with IMSAT_ENOMEM, as
 * soon as its header says so. It holds for each file that is opened from now on. 0, as it is
 * at first: half of the memory that the process may use, and at least 1 GiB. */
IMSAT_API void imsat_set_max_unpacked(size_t bytes);

/* The most bytes of memory that the process may hold, its resident set: 0, as it is at first,
 * is any number. What the process holds now and the library did not take counts as the
 * program's own, and some 24 MiB are set aside for what it may take yet; the library has the
 * rest, for its memory and for the pages of the files that it has mapped. It does with less
 * where that is possible, at the cost of time and never of other results: rows are read again
 * from their files, whose pages are given back as the work goes on. What is not possible
 * within the limit is refused with IMSAT_ENOMEM, and the message says which limit would do: a
 * compressed file or a table of text whose rows are too many to hold, a large network.
 * IMSAT_EINVAL if nothing would be left for the library. Call it before anything else. */
IMSAT_API imsat_status imsat_set_max_memory(size_t bytes, imsat_error *err);

/* Where files without a name are kept while they are needed: what comes from a pipe, so that
 * it can be mapped, and what goes to one in another order than it is written. It should have
 * room for that. NULL, as it is at first: /tmp. */
IMSAT_API void imsat_set_temporary_folder(const char *folder);

/* Survive files that are lost while they are read. Data files and indexes are mapped: if one
 * of them is made shorter by someone else, or its disk fails, the next read of what is gone is
 * a SIGBUS, which ends the process. After this call such a read gives zeros, and the library
 * call that it happened in, and every later one with the same handle, fails with IMSAT_EIO and
 * the file's name; nothing that was made of the zeros is handed over or written.
 *
 * It installs a handler of SIGBUS for the whole process, for good: a library leaves that to
 * the program, and the code of this one must stay loaded. A SIGBUS that is about something
 * else goes to the handler that was there before. Install others before this call, or have
 * them pass on what they do not know. Threads that call the library must not block SIGBUS: the
 * system ends a process whose fault cannot be delivered. Calling it again does nothing. */
IMSAT_API void imsat_guard_maps(void);

/* Try in a child process first what libhdf5 does with a file: it crashes on some that are
 * damaged. After this call such a file is refused with IMSAT_EFORMAT. It costs a fork() for
 * each HDF5 file that is opened, and reads what the file says of itself twice.
 *
 * It calls fork() and waits for the child, which a library leaves to the program: call it if
 * files are opened while no other thread holds a lock that libhdf5 could need, and if nobody
 * waits for children that are not his own. It is no protection from a file that was made to do
 * harm without a crash. */
IMSAT_API void imsat_try_files(void);

#ifdef __cplusplus
}
#endif

#endif
