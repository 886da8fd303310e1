/* SPDX-License-Identifier: MIT
 *
 * Files of an archive, whatever kind it is: a folder, a tar archive, which may be compressed,
 * or a zip archive. */
#ifndef IM_DATA_ARCHIVE_H
#define IM_DATA_ARCHIVE_H

#include "data/member.h"

/* Visit the files of a folder or an archive that are wanted (NULL: all), those of a folder
 * sorted by name, those of an archive in its order. */
imsat_status im_archive_each(const char *path, im_member_wish *wants, im_member_fn *take,
                             void *context, imsat_error *err);

/* From the bytes of a tar archive to those of the file in it that is called `name`: a part of
 * them, if the archive is mapped. `path` begins messages. */
imsat_status im_archive_enter(im_bytes *bytes, const char *path, const char *name,
                              imsat_error *err);

#endif
