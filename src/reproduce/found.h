/* SPDX-License-Identifier: MIT
 *
 * The cells that a folder has, whatever seeds they are of: known by the names of their files
 * (entry.h).
 */
#ifndef IM_REPRODUCE_FOUND_H
#define IM_REPRODUCE_FOUND_H

#include "reproduce/entry.h"

typedef struct im_found {
    char **name; /* (count) owned, and each: files whose names end in .json */
    size_t count;
} im_found;

imsat_status im_found_list(im_found *found, const char *folder, imsat_error *err);
void im_found_clear(im_found *found);

/* Whether file i is a cell that differs from `like` in seed and race alone; then these are set
 * in it, and its name. */
bool im_found_take(im_entry *like, const im_found *found, size_t i);

#endif
