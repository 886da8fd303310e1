/* SPDX-License-Identifier: MIT
 *
 * Zip archives, to read: which members there are, and the bytes of one.
 *
 * This is a reader of our own because those that Debian has (libzip, minizip) copy what they
 * read, and a stored member of an archive that is mapped needs no copy: an .npz of np.savez()
 * is used where it lies, as an .npy is. zlib does the rest. Read are members that are stored
 * or deflated, with the fields of 64 bits that large ones need (zip64). Archives of several
 * disks and encrypted members are refused.
 */
#ifndef IM_DATA_ZIP_H
#define IM_DATA_ZIP_H

#include "core/bytes.h"

typedef struct im_zip_member {
    char *name;          /* owned by the archive */
    size_t header;       /* where its own header is */
    size_t packed, size; /* bytes in the archive, and of what they hold */
    uint32_t crc;        /* of what they hold */
    unsigned method, flags;
} im_zip_member;

typedef struct im_zip {
    im_zip_member *members; /* (count) owned, in the order of the archive's list */
    size_t count;
} im_zip;

/* Whether the bytes begin as those of an archive do. */
bool im_zip_begins(const im_bytes *bytes);

/* The list of an archive whose bytes are all here. `path` begins messages. */
imsat_status im_zip_list(im_zip *out, const im_bytes *bytes, const char *path,
                         imsat_error *err);
void im_zip_clear(im_zip *zip);

/* A member's bytes: those of a stored one are the archive's own, borrowed, after their
 * checksum was compared; those of a deflated one are decompressed as they are asked for, while
 * the archive's stay. `path` begins messages. */
imsat_status im_zip_open(im_bytes *out, const im_zip_member *member, const im_bytes *bytes,
                         const char *path, imsat_error *err);

#endif
