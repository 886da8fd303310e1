/* SPDX-License-Identifier: MIT
 *
 * Zip archives; see zip.h. All numbers are little-endian.
 *
 *     member: "PK\3\4", 26 bytes of header, name, extra fields, data         each
 *     list:   "PK\1\2", 42 bytes, name, extra fields, comment                one a member
 *     "PK\6\6" and "PK\6\7": the end with fields of 64 bits, and where it is  if need be
 *     end:    "PK\5\6", 18 bytes, comment
 *
 * The list decides; of a member's own header only the lengths of its name and extra fields are
 * used, to find the data behind it. A field of 16 or 32 bits that is all ones stands for one
 * of 64 bits in the extra field 1 of the member, or in the end of 64 bits.
 */
#include "data/zip.h"

#include "core/alloc.h"

#include <string.h>

enum {
    END = 22,
    COMMENT_MOST = 0xffff,
    LOCATOR = 20,
    END64 = 56,
    ENTRY = 46,
    HEADER = 30,
    ENCRYPTED = 1,
    STORED = 0,
    DEFLATED = 8,
    PIECE = 1 << 24 /* bytes between two releases while a checksum is taken */
};

static uint64_t number(const unsigned char *p, size_t bytes)
{
    uint64_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | p[bytes];
    return value;
}

static bool is_signed(const unsigned char *p, unsigned char a, unsigned char b)
{
    return p[0] == 'P' && p[1] == 'K' && p[2] == a && p[3] == b;
}

bool im_zip_begins(const im_bytes *bytes)
{
    return bytes->size >= 4 && (is_signed(bytes->data, 3, 4) || is_signed(bytes->data, 5, 6));
}

/* ---- the list --------------------------------------------------------------- */

/* Where the list is. */
typedef struct place {
    uint64_t start, size, count;
} place;

static imsat_status refuse(const char *path, const char *what, imsat_error *err)
{
    return im_fail(err, IMSAT_EFORMAT, "%s: a zip archive %s", path, what);
}

/* The end record: the last one whose comment reaches to the end of the file. */
static const unsigned char *find_end(const im_bytes *bytes)
{
    for (size_t comment = 0; comment <= COMMENT_MOST && comment + END <= bytes->size;
         comment++) {
        const unsigned char *end = bytes->data + bytes->size - END - comment;
        if (is_signed(end, 5, 6) && number(end + 20, 2) == comment)
            return end;
    }
    return NULL;
}

/* What the end of 64 bits says, if there is one before the end. */
static bool read_end64(place *list, const im_bytes *bytes, const unsigned char *end)
{
    if ((size_t)(end - bytes->data) < LOCATOR || !is_signed(end - LOCATOR, 6, 7))
        return false;
    const uint64_t at = number(end - LOCATOR + 8, 8);
    if (at > bytes->size || bytes->size - at < END64 || !is_signed(bytes->data + at, 6, 6))
        return false;
    const unsigned char *end64 = bytes->data + at;
    *list = (place){.start = number(end64 + 48, 8),
                    .size = number(end64 + 40, 8),
                    .count = number(end64 + 32, 8)};
    return true;
}

static imsat_status find_list(place *list, const im_bytes *bytes, const char *path,
                              imsat_error *err)
{
    const unsigned char *end = find_end(bytes);
    if (!end)
        return refuse(path, "without its end: it was cut short", err);
    if (number(end + 4, 2) != number(end + 6, 2))
        return refuse(path, "of several disks, which imsat does not read", err);
    *list = (place){.start = number(end + 16, 4),
                    .size = number(end + 12, 4),
                    .count = number(end + 10, 2)};
    if ((list->start == UINT32_MAX || list->size == UINT32_MAX || list->count == UINT16_MAX) &&
        !read_end64(list, bytes, end) && list->start == UINT32_MAX)
        return refuse(path, "that lacks the end of 64 bits that it needs", err);
    if (list->start > bytes->size || list->size > bytes->size - list->start)
        return refuse(path, "whose list of members is beyond its end: it was cut short", err);
    if (list->count > list->size / ENTRY)
        return refuse(path, "whose list has no room for all of its members", err);
    return IMSAT_OK;
}

/* One of the fields that an extra field of 64 bits may hold; false if it lacks it. */
static bool widen(size_t *value, const unsigned char **extra, const unsigned char *end)
{
    if (*value != UINT32_MAX)
        return true;
    if (!*extra || end - *extra < 8)
        return false;
    *value = (size_t)number(*extra, 8);
    *extra += 8;
    return true;
}

/* Sizes and place of a member, from its entry and the extra field 1. */
static bool read_sizes(im_zip_member *member, const unsigned char *entry,
                       const unsigned char *extra, const unsigned char *end)
{
    const unsigned char *wide = NULL, *wide_end = NULL;
    while (end - extra >= 4) {
        const size_t size = (size_t)number(extra + 2, 2);
        if ((size_t)(end - extra) - 4 < size)
            return false;
        if (number(extra, 2) == 1) {
            wide = extra + 4;
            wide_end = wide + size;
        }
        extra += 4 + size;
    }
    member->size = (size_t)number(entry + 24, 4);
    member->packed = (size_t)number(entry + 20, 4);
    member->header = (size_t)number(entry + 42, 4);
    return widen(&member->size, &wide, wide_end) && widen(&member->packed, &wide, wide_end) &&
           widen(&member->header, &wide, wide_end);
}

/* The entry at *at of the list, which it moves behind. */
static imsat_status read_entry(im_zip_member *member, const unsigned char **at,
                               const unsigned char *end, const char *path, imsat_error *err)
{
    const unsigned char *entry = *at;
    if (end - entry < ENTRY || !is_signed(entry, 1, 2))
        return refuse(path, "whose list of members is damaged", err);
    const size_t name = (size_t)number(entry + 28, 2), extra = (size_t)number(entry + 30, 2);
    const size_t size = ENTRY + name + extra + (size_t)number(entry + 32, 2);
    if ((size_t)(end - entry) < size ||
        !read_sizes(member, entry, entry + ENTRY + name, entry + ENTRY + name + extra) ||
        memchr(entry + ENTRY, 0, name))
        return refuse(path, "whose list of members is damaged", err);
    member->flags = (unsigned)number(entry + 8, 2);
    member->method = (unsigned)number(entry + 10, 2);
    member->crc = (uint32_t)number(entry + 16, 4);
    member->name = im_alloc(name + 1, 1);
    if (!member->name)
        return im_fail_memory(err, path);
    memcpy(member->name, entry + ENTRY, name);
    *at += size;
    return IMSAT_OK;
}

imsat_status im_zip_list(im_zip *out, const im_bytes *bytes, const char *path,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_zip zip = {0};
    place list = {0};
    IM_TRY(find_list(&list, bytes, path, err));
    zip.members = im_alloc((size_t)list.count, sizeof *zip.members);
    if (!zip.members)
        return im_fail_memory(err, path);
    const unsigned char *at = bytes->data + list.start, *end = at + list.size;
    for (; zip.count < list.count; zip.count++)
        IM_TRY(read_entry(&zip.members[zip.count], &at, end, path, err));
    *out = zip;
    zip = (im_zip){0};

cleanup:
    im_zip_clear(&zip);
    return st;
}

void im_zip_clear(im_zip *zip)
{
    for (size_t i = 0; i < zip->count; i++)
        im_free(zip->members[i].name);
    im_free(zip->members);
    *zip = (im_zip){0};
}

/* ---- a member --------------------------------------------------------------- */

/* Where the data of a member starts. */
static imsat_status find_data(size_t *start, const im_zip_member *member,
                              const im_bytes *bytes, const char *path, imsat_error *err)
{
    const bool inside =
        member->header <= bytes->size && bytes->size - member->header >= HEADER;
    const unsigned char *header = bytes->data + (inside ? member->header : 0);
    if (!inside || !is_signed(header, 3, 4))
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: is not where the list of its archive says, at byte %zu", path,
                       member->header);
    const size_t left = bytes->size - member->header - HEADER;
    const size_t before = (size_t)(number(header + 26, 2) + number(header + 28, 2));
    if (before > left || member->packed > left - before)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: takes %zu bytes, beyond the end of its archive", path,
                       member->packed);
    *start = member->header + HEADER + before;
    return IMSAT_OK;
}

static imsat_status check_stored(const im_zip_member *member, const im_bytes *bytes,
                                 size_t start, const char *path, imsat_error *err)
{
    uint32_t crc = 0;
    if (member->packed != member->size)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: is stored as it is, but in %zu bytes, and has %zu", path,
                       member->packed, member->size);
    for (size_t at = 0; at < member->size; at += PIECE) {
        const size_t size = im_size_min(PIECE, member->size - at);
        crc = im_unpack_crc(crc, bytes->data + start + at, size);
        im_bytes_release(bytes, start + at, start + at + size);
    }
    if (crc != member->crc)
        return im_fail(err, IMSAT_EFORMAT, "%s: is damaged: its checksum is not the archive's",
                       path);
    return IMSAT_OK;
}

imsat_status im_zip_open(im_bytes *out, const im_zip_member *member, const im_bytes *bytes,
                         const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t start = 0;
    if (member->flags & ENCRYPTED)
        return im_fail(err, IMSAT_EFORMAT, "%s: is encrypted, which imsat does not read",
                       path);
    if (member->method != STORED && member->method != DEFLATED)
        return im_fail(
            err, IMSAT_EFORMAT,
            "%s: is compressed in a way that imsat does not read (zip's method %u); "
            "it reads members that are stored or deflated",
            path, member->method);
    IM_TRY(find_data(&start, member, bytes, path, err));
    if (member->method == DEFLATED) {
        const im_unpack_member packed = {.data = bytes->data + start,
                                         .packed = member->packed,
                                         .size = member->size,
                                         .crc = member->crc};
        return im_bytes_open_member(out, &packed, path, err);
    }
    IM_TRY(check_stored(member, bytes, start, path, err));
    *out = im_bytes_borrow(bytes, start, member->size);

cleanup:
    return st;
}
