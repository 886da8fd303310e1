/* SPDX-License-Identifier: MIT
 *
 * Where the name of an output leads. Links are followed, so that the link stays and what it
 * points to is replaced, whether that exists or not. A name for an open descriptor of this
 * process (/dev/stdout, /dev/fd/3, /proc/self/fd/3) is known as such: to open it again would
 * lose the place in the file that the descriptor has.
 */
#ifndef IM_CORE_PLACE_H
#define IM_CORE_PLACE_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { IM_PLACE_NAME = 256 }; /* bytes of a name in a folder, with its end */

typedef struct im_place {
    int folder;               /* descriptor of the folder, owned; -1 after im_place_clear() */
    char name[IM_PLACE_NAME]; /* in that folder; not that of a link */
    int descriptor;           /* of this process, not owned, that the name stands for; or -1 */
    bool exists;              /* and then: */
    uint32_t mode;            /* type and permissions, as stat() gives them */
    uint32_t owner, group;
    uint64_t device, inode;
} im_place;

/* Find the place of an output. A folder that is not there, a directory, and a link that
 * another user planted in a folder where everybody may write are refused. */
imsat_status im_place_find(im_place *out, const char *path, imsat_error *err);
void im_place_clear(im_place *place);

/* Whether the place is written to as it is, and never replaced: a descriptor, or something
 * that is not a regular file. */
bool im_place_is_stream(const im_place *place);

/* The refusal of an output, by errno. */
imsat_status im_place_fail(imsat_error *err, const char *path);

#endif
