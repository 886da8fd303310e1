/* SPDX-License-Identifier: MIT
 *
 * Temporary files, in the folder of the file that they become: .imsat-NAME-RANDOM.tmp, with a
 * hash of the file's name and a number that nobody can guess, both of 16 hexadecimal digits.
 * The name is short, so that a file whose own name has the full length can be written.
 *
 * Whoever writes one holds a lock on it (flock), which ends with the process, however that
 * ends. So what a killed process left can be told from what is being written, and goes away
 * when the same file is written again.
 */
#ifndef IM_CORE_TEMPORARY_H
#define IM_CORE_TEMPORARY_H

#include "core/place.h"

enum { IM_TEMPORARY_NAME = 48 }; /* bytes of a name, with its end */

/* Make one for a file of the place, and open it for writing; it is locked until *descriptor is
 * closed. Only its owner may use it while it is to replace a file, whose permissions it then
 * gets; otherwise it has those of a new file. `path` is for the message. */
imsat_status im_temporary_make(char name[IM_TEMPORARY_NAME], int *descriptor,
                               const im_place *place, const char *path, imsat_error *err);

/* Remove those of this place that nobody holds. */
void im_temporary_sweep(const im_place *place);

#endif
