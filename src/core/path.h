/* SPDX-License-Identifier: MIT
 *
 * Names of files. */
#ifndef IM_CORE_PATH_H
#define IM_CORE_PATH_H

#include <stdbool.h>
#include <stdint.h>

/* Only a file of which the system says that there is none does not exist: where it cannot say,
 * whoever opens the file will hear why. */
bool im_path_exists(const char *path);

/* What a file is, whatever it is called. */
typedef struct im_path_file {
    uint64_t device, inode;
} im_path_file;

/* Which file it is; false if there is none. */
bool im_path_identify(im_path_file *out, const char *path);

/* Whether the path ends in `suffix`, or in `suffix` and what a compressor adds (.gz, .zst,
 * .xz, .bz2), in any case. */
bool im_path_ends(const char *path, const char *suffix);

#endif
