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

#ifdef __cplusplus
}
#endif

#endif
