/* SPDX-License-Identifier: MIT
 *
 * Many files that are one data set: those of a folder (folder.c), or of a tar archive (tar.c),
 * which may be compressed. Each is handed over with its name, and the name of the folder that
 * it is in is its class.
 *
 * Prefixes: im_member_, im_tar_, im_folder_.
 */
#ifndef IM_DATA_MEMBER_H
#define IM_DATA_MEMBER_H

#include "core/bytes.h"
#include "data/label_list.h"

/* A file of a folder or an archive, while it is being looked at. */
typedef struct im_member {
    const char *name;          /* from the folder or the archive on: "cats/1.png" */
    const unsigned char *data; /* (size); not NULL */
    size_t size;               /* may be 0 */
} im_member;

/* Takes a member. Any status but IMSAT_OK ends the visit. */
typedef imsat_status im_member_fn(void *context, const im_member *member, imsat_error *err);

/* Whether a member of this name is wanted; the others are passed over without being read. */
typedef bool im_member_wish(void *context, const char *name);

/* Whether a path is a folder. */
bool im_folder_is(const char *path);

/* Visit all regular files in a folder and the folders in it, sorted by the bytes of their
 * names, each folder as a whole. Names that begin with a dot are left out. A compressed file
 * comes decompressed. */
imsat_status im_folder_each(const char *path, im_member_fn *take, void *context,
                            imsat_error *err);
imsat_status im_folder_each_wanted(const char *path, im_member_wish *wants, im_member_fn *take,
                                   void *context, imsat_error *err);

/* Whether a file is a tar archive: its first block has the checksum of one. */
bool im_tar_holds(const im_bytes *bytes);

/* Visit all regular files of an archive, in its order. Long names of GNU tar and of pax are
 * known. The bytes are of no use afterwards. */
imsat_status im_tar_each(im_bytes *bytes, const char *path, im_member_fn *take, void *context,
                         imsat_error *err);
imsat_status im_tar_each_wanted(im_bytes *bytes, const char *path, im_member_wish *wants,
                                im_member_fn *take, void *context, imsat_error *err);

/* Labels of members: the names of the folders that they are in. As long as all are in one, it
 * says nothing, and there are no labels. */
typedef struct im_member_labels {
    im_label_list *list; /* the caller's; NULL: they are not wanted */
    char *only;          /* owned: the folder of all members so far, or NULL */
    size_t size;         /* bytes of it */
    size_t held;         /* how many members that were */
    bool differ;
} im_member_labels;

imsat_status im_member_label(im_member_labels *labels, const char *name, imsat_error *err);
void im_member_labels_clear(im_member_labels *labels);

#endif
