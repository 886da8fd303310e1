/* SPDX-License-Identifier: MIT
 *
 * Writing zip archives of stored members, with fields of 64 bits throughout, so that no size
 * is too large. */
#ifndef IM_DATA_ZIP_WRITE_H
#define IM_DATA_ZIP_WRITE_H

#include "core/writer.h"

enum { IM_ZIP_NAME = 16, IM_ZIP_MEMBERS = 8, IM_ZIP_HEAD_ROOM = 64 + IM_ZIP_NAME };

typedef struct im_zip_stored {
    char name[IM_ZIP_NAME];
    uint64_t at, size; /* where its head is; bytes of what it holds */
    uint32_t crc;      /* of these */
} im_zip_stored;

/* The head of a member, which its bytes follow; how long it is, which depends on the name
 * alone. */
size_t im_zip_write_head(unsigned char head[IM_ZIP_HEAD_ROOM], const im_zip_stored *member);

/* The list of all members, and the end. `at`: where the list begins. */
imsat_status im_zip_write_list(im_writer *writer, const im_zip_stored *members, size_t count,
                               uint64_t at, imsat_error *err);

#endif
