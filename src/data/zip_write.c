/* SPDX-License-Identifier: MIT
 *
 * Zip archives; zip.c has the layout. The date of members is the first that the format has,
 * 1980-01-01, so that the same rows are the same bytes.
 */
#include "data/zip_write.h"

#include <string.h>

enum { VERSION = 45, DATE = 0x21, EXTRA_LOCAL = 20, EXTRA_LISTED = 28, ONES = -1 };

/* Bytes that are filled from the front. */
typedef struct fields {
    unsigned char bytes[256];
    size_t used;
} fields;

static void add(fields *f, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        f->bytes[f->used++] = (unsigned char)(value >> 8 * i);
}

static void add_signature(fields *f, unsigned char a, unsigned char b)
{
    const unsigned char signature[] = {'P', 'K', a, b};
    memcpy(f->bytes + f->used, signature, sizeof signature);
    f->used += sizeof signature;
}

static void add_name(fields *f, const im_zip_stored *member)
{
    const size_t length = strlen(member->name);
    memcpy(f->bytes + f->used, member->name, length);
    f->used += length;
}

/* What a member's own head and the list have in common: from the version that is needed to the
 * length of the extra field, whose sizes are the ones that count. */
static void add_common(fields *f, const im_zip_stored *member, size_t extra)
{
    add(f, VERSION, 2);
    add(f, 0, 2); /* flags */
    add(f, 0, 2); /* stored */
    add(f, 0, 2); /* time */
    add(f, DATE, 2);
    add(f, member->crc, 4);
    add(f, (uint64_t)ONES, 4);
    add(f, (uint64_t)ONES, 4);
    add(f, strlen(member->name), 2);
    add(f, extra, 2);
}

/* The extra field of 64 bits; what follows the sizes is the caller's. */
static void add_sizes(fields *f, const im_zip_stored *member, size_t extra)
{
    add(f, 1, 2);
    add(f, extra - 4, 2);
    add(f, member->size, 8);
    add(f, member->size, 8);
}

size_t im_zip_write_head(unsigned char head[IM_ZIP_HEAD_ROOM], const im_zip_stored *member)
{
    fields f = {.used = 0};
    add_signature(&f, 3, 4);
    add_common(&f, member, EXTRA_LOCAL);
    add_name(&f, member);
    add_sizes(&f, member, EXTRA_LOCAL);
    memcpy(head, f.bytes, f.used);
    return f.used;
}

static void add_listed(fields *f, const im_zip_stored *member)
{
    add_signature(f, 1, 2);
    add(f, VERSION, 2); /* that made it */
    add_common(f, member, EXTRA_LISTED);
    add(f, 0, 2);              /* comment */
    add(f, 0, 2);              /* disk */
    add(f, 0, 2);              /* attributes */
    add(f, 0644U << 16, 4);    /* of the file: its mode */
    add(f, (uint64_t)ONES, 4); /* place, which is in the extra field */
    add_name(f, member);
    add_sizes(f, member, EXTRA_LISTED);
    add(f, member->at, 8);
}

static void add_end(fields *f, size_t count, uint64_t at, uint64_t size)
{
    add_signature(f, 6, 6);
    add(f, 44, 8); /* bytes of the record behind this field */
    add(f, VERSION, 2);
    add(f, VERSION, 2);
    add(f, 0, 8); /* disks */
    add(f, count, 8);
    add(f, count, 8);
    add(f, size, 8);
    add(f, at, 8);
    add_signature(f, 6, 7);
    add(f, 0, 4);
    add(f, at + size, 8);
    add(f, 1, 4);
    add_signature(f, 5, 6);
    add(f, 0, 4);
    add(f, count, 2);
    add(f, count, 2);
    add(f, (uint64_t)ONES, 4);
    add(f, (uint64_t)ONES, 4);
    add(f, 0, 2);
}

imsat_status im_zip_write_list(im_writer *writer, const im_zip_stored *members, size_t count,
                               uint64_t at, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++) {
        fields f = {.used = 0};
        add_listed(&f, &members[i]);
        IM_TRY(im_writer_put(writer, f.bytes, f.used, err));
        size += f.used;
    }
    fields end = {.used = 0};
    add_end(&end, count, at, size);
    IM_TRY(im_writer_put(writer, end.bytes, end.used, err));

cleanup:
    return st;
}
