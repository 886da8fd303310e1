/* SPDX-License-Identifier: MIT
 *
 * Names of files, and of what is inside of them. */
#ifndef IM_CORE_PATH_H
#define IM_CORE_PATH_H

#include <stdbool.h>
#include <stdint.h>

/* Only a file of which the system says that there is none does not exist: where it cannot say,
 * whoever opens the file will hear why. */
bool im_path_exists(const char *path);

/* The file of this name, or the one of this name and what a compressor adds: *found is its
 * path, to be freed with im_free(), or NULL if there is none. False: no memory. */
bool im_path_find(char **found, const char *path);

/* What a file is, whatever it is called. */
typedef struct im_path_file {
    uint64_t device, inode;
} im_path_file;

/* Which file it is; false if there is none. */
bool im_path_identify(im_path_file *out, const char *path);

/* Whether what is there can be read more than once, as a pipe cannot; true if nothing is. */
bool im_path_lasts(const char *path);

/* What data is called: FILE, or FILE:NAME for what is called NAME inside of the file. */
typedef struct im_path_parts {
    char *file;         /* owned */
    const char *inside; /* NAME; NULL: the file as a whole */
} im_path_parts;

/* A path that exists is a file, colons and all. Else NAME is what is behind a colon that has
 * the name of a file before it: the last such one, since names inside of files have colons
 * more rarely than they have anything else. If there is none, the path is that of a file that
 * does not exist, for whoever opens it to say. False: no memory. */
bool im_path_split(im_path_parts *out, const char *path);
void im_path_parts_clear(im_path_parts *parts);

/* Whether the path ends in `suffix`, or in `suffix` and what a compressor adds (.gz, .zst,
 * .xz, .bz2), in any case. */
bool im_path_ends(const char *path, const char *suffix);

#endif
