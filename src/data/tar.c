/* SPDX-License-Identifier: MIT
 *
 * tar archives; see member.h. Blocks of 512 bytes: a header, which has the name and the size
 * of a file, then its bytes, filled up to whole blocks; at the end blocks of zeros. A file
 * that is compressed is decompressed member by member.
 *
 *     at   size                                at   size
 *     0    100   name                          156  1     type
 *     124  12    size, in octal digits         257  5     "ustar", but in the oldest
 *     148  8     sum of the header's bytes     345  155   what the name begins with (POSIX)
 */
#include "core/alloc.h"
#include "data/member.h"

#include <assert.h>
#include <stdio.h>

enum {
    BLOCK = 512,
    NAME = 100,
    PREFIX = 155,
    NAME_ROOM = 4096,         /* of a name, with its end */
    MOST_EXTENSION = 1 << 20, /* bytes of a header that is a member */
    FIRST_ROOM = 1 << 16,
    RELEASE = 1 << 24 /* bytes of a mapped archive that are read before they are given back */
};

typedef struct archive {
    im_bytes *bytes;
    const char *path;
    imsat_error *err;
    bool streamed;         /* more is to be decompressed than is here */
    size_t at;             /* how much of what is here was read */
    size_t released;       /* how much of it was given back */
    uint64_t offset;       /* how much of the archive was read */
    unsigned char *buffer; /* (room) owned; what was decompressed */
    size_t room;
    char name[NAME_ROOM]; /* of the next member, if `named` */
    bool named;
    im_member_wish *wants; /* or NULL: all */
    im_member_fn *fn;
    void *context; /* for both */
} archive;

/* A header, read. */
typedef struct header {
    char name[NAME + PREFIX + 2];
    uint64_t size;
    char type;
} header;

/* ---- bytes ---------------------------------------------------------------------------- */

/* Room for `size` bytes, of which `kept` are there. */
static imsat_status grow(archive *a, size_t kept, size_t size)
{
    imsat_status st = IMSAT_OK;
    if (size <= a->room)
        return IMSAT_OK;
    IM_TRY(im_bytes_afford(a->bytes, size, a->err));
    unsigned char *buffer = im_alloc_unset(size, 1);
    if (!buffer)
        return im_fail_memory(a->err, a->path);
    if (kept)
        memcpy(buffer, a->buffer, kept);
    im_free(a->buffer);
    a->buffer = buffer;
    a->room = size;

cleanup:
    return st;
}

/* The next `size` bytes to the buffer at `to`, or fewer if the archive ends before. */
static imsat_status pull(archive *a, unsigned char *to, size_t size, size_t *got)
{
    const size_t here = im_size_min(size, a->bytes->size - a->at);
    assert(to); /* grow() has made it */
    memcpy(to, a->bytes->data + a->at, here);
    a->at += here;
    size_t more = 0;
    const imsat_status st =
        here < size ? im_bytes_read(a->bytes, to + here, size - here, &more, a->err)
                    : IMSAT_OK;
    *got = here + more;
    return st;
}

/* The next `size` bytes, or fewer if the archive ends before: *got of them at *data, until the
 * next call. A header may claim any size, so the buffer grows with what there is. */
static imsat_status take(archive *a, uint64_t size, const unsigned char **data, size_t *got)
{
    imsat_status st = IMSAT_OK;
    size_t have = 0;
    if (!a->streamed) {
        const size_t left = a->bytes->size - a->at;
        have = size < left ? (size_t)size : left;
        *data = a->bytes->data + a->at;
        a->at += have;
    }
    for (size_t part = 0; a->streamed && have < size; have += part) {
        const size_t room = have ? 2 * have : FIRST_ROOM;
        const size_t want = size < room ? (size_t)size : room;
        IM_TRY(grow(a, have, want));
        IM_TRY(pull(a, a->buffer + have, want - have, &part));
        if (part < want - have) {
            have += part;
            break;
        }
    }
    if (a->streamed)
        *data = a->buffer;
    a->offset += have;
    *got = have;

cleanup:
    return st;
}

static imsat_status refuse(const archive *a, const char *why)
{
    return im_fail(a->err, IMSAT_EFORMAT, "%s: the tar archive is damaged at byte %llu: %s",
                   a->path, (unsigned long long)a->offset, why);
}

/* Exactly so many, and then to the end of the block. */
static imsat_status take_whole(archive *a, uint64_t size, const unsigned char **data)
{
    imsat_status st = IMSAT_OK;
    size_t got;
    const uint64_t blocks = size / BLOCK + (size % BLOCK != 0);
    if (blocks > UINT64_MAX / BLOCK)
        return refuse(a, "a size is beyond all measure");
    IM_TRY(take(a, blocks * BLOCK, data, &got));
    if (got < size) /* some programs do not fill up the last block */
        st = refuse(a, "it is cut short");

cleanup:
    return st;
}

static imsat_status skip(archive *a, uint64_t size)
{
    imsat_status st = IMSAT_OK;
    const unsigned char *data;
    while (size > 0) {
        const uint64_t part = a->streamed && size > FIRST_ROOM ? FIRST_ROOM : size;
        IM_TRY(take_whole(a, part, &data));
        size -= part;
    }

cleanup:
    return st;
}

/* ---- headers --------------------------------------------------------------------------- */

/* Octal digits between blanks, up to a blank or a zero; or, of GNU tar, a binary number behind
 * a byte of 128. False if it is neither. */
static bool read_number(uint64_t *out, const unsigned char *field, size_t size)
{
    uint64_t value = 0;
    size_t i = 0, digits = 0;
    if (field[0] == 0x80) {
        for (i = 1; i < size; i++) {
            if (value >> 55)
                return false;
            value = value << 8 | field[i];
        }
        *out = value;
        return true;
    }
    while (i < size && field[i] == ' ')
        i++;
    for (; i < size && field[i] >= '0' && field[i] <= '7'; i++, digits++)
        value = value << 3 | (uint64_t)(field[i] - '0'); /* 12 digits are 36 bits */
    *out = value;
    return digits > 0 && (i == size || field[i] == ' ' || field[i] == '\0');
}

/* Whether a block has the sum of a header: of its bytes, with blanks in place of the sum. Some
 * old programs took the bytes as signed. */
static bool has_sum(const unsigned char *block)
{
    uint64_t said;
    int64_t sum = 0, as_signed = 0;
    for (size_t i = 0; i < BLOCK; i++) {
        const unsigned char byte = i >= 148 && i < 156 ? ' ' : block[i];
        sum += byte;
        as_signed += (signed char)byte;
    }
    return block[0] && read_number(&said, block + 148, 8) &&
           ((int64_t)said == sum || (int64_t)said == as_signed);
}

bool im_tar_holds(const im_bytes *bytes)
{
    return bytes->size >= BLOCK && has_sum(bytes->data);
}

static bool is_zero(const unsigned char *block)
{
    for (size_t i = 0; i < BLOCK; i++)
        if (block[i])
            return false;
    return true;
}

static imsat_status read_header(archive *a, header *out, const unsigned char *block)
{
    const bool posix = memcmp(block + 257, "ustar\0", 6) == 0 && block[345];
    if (!has_sum(block))
        return refuse(a, "a header has another sum than it says");
    if (!read_number(&out->size, block + 124, 12))
        return refuse(a, "a size is not a number");
    out->type = (char)block[156];
    if (strchr("123456", out->type) && out->type)
        out->size = 0; /* links, devices and folders have no bytes, whatever the header says */
    snprintf(out->name, sizeof out->name, "%.*s%s%.*s", posix ? PREFIX : 0,
             (const char *)block + 345, posix ? "/" : "", NAME, (const char *)block);
    return IMSAT_OK;
}

static imsat_status set_name(archive *a, const char *name, size_t size)
{
    if (size >= NAME_ROOM)
        return refuse(a, "a name is too long");
    memcpy(a->name, name, size);
    a->name[size] = '\0'; /* it may have ended before */
    a->named = true;
    return IMSAT_OK;
}

/* One line of a header of pax: "27 path=name\n", where 27 counts its bytes. Returns them, or 0
 * if it is none. */
static size_t read_line(const char *text, size_t size, size_t *key)
{
    size_t length = 0, i = 0;
    for (; i < size && i < 9 && text[i] >= '0' && text[i] <= '9'; i++)
        length = 10 * length + (size_t)(text[i] - '0');
    *key = i + 1;
    return i < size && text[i] == ' ' && length > *key && length <= size &&
                   text[length - 1] == '\n'
               ? length
               : 0;
}

/* What a header of pax says of the next member: its name, and its size if that is more than 12
 * digits hold, which no text or picture has. */
static imsat_status read_pax(archive *a, const char *text, size_t size)
{
    imsat_status st = IMSAT_OK;
    for (size_t length, key; size > 0; text += length, size -= length) {
        length = read_line(text, size, &key);
        if (!length)
            return refuse(a, "a header of pax is malformed");
        if (length - key > 5 && memcmp(text + key, "path=", 5) == 0)
            IM_TRY(set_name(a, text + key + 5, length - key - 6));
        if (length - key > 5 && memcmp(text + key, "size=", 5) == 0)
            return refuse(a, "a member has more than 8 GB");
    }

cleanup:
    return st;
}

/* ---- members ---------------------------------------------------------------------------- */

/* A header that is a member: it says the name of the next. */
static imsat_status take_extension(archive *a, const header *h)
{
    imsat_status st = IMSAT_OK;
    const unsigned char *data;
    if (h->size > MOST_EXTENSION)
        return refuse(a, "a name is too long");
    IM_TRY(take_whole(a, h->size, &data));
    if (h->type == 'L')
        IM_TRY(set_name(a, (const char *)data, (size_t)h->size));
    else
        IM_TRY(read_pax(a, (const char *)data, (size_t)h->size));

cleanup:
    return st;
}

/* Folders of the oldest tar have no other mark than their slash; and, as in folders, what
 * begins with a dot is left out. */
static bool is_wanted(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *last = slash ? slash + 1 : name;
    return *last && *last != '.';
}

static imsat_status take_member(archive *a, const header *h)
{
    imsat_status st = IMSAT_OK;
    im_member member = {.name = a->named ? a->name : h->name, .size = (size_t)h->size};
    if (!is_wanted(member.name) || (a->wants && !a->wants(a->context, member.name))) {
        IM_TRY(skip(a, h->size));
        goto cleanup;
    }
    IM_TRY(take_whole(a, h->size, &member.data));
    if (h->size == 0)
        member.data = (const unsigned char *)"";
    IM_TRY(a->fn(a->context, &member, a->err));

cleanup:
    a->named = false;
    return st;
}

static imsat_status take_entry(archive *a, const header *h)
{
    imsat_status st = IMSAT_OK;
    if (h->type == 'L' || h->type == 'x')
        return take_extension(a, h);
    if (h->type == 'S')
        return im_fail(a->err, IMSAT_EFORMAT,
                       "%s: %s has holes, which imsat does not read; pack it without --sparse",
                       a->path, a->named ? a->name : h->name);
    if (h->type == '0' || h->type == '\0' || h->type == '7')
        return take_member(a, h);
    IM_TRY(skip(a, h->size));
    if (h->type != 'K' && h->type != 'g') /* which belong to the next member, or to all */
        a->named = false;

cleanup:
    return st;
}

static void release(archive *a)
{
    if (a->streamed || a->at - a->released < RELEASE)
        return;
    im_bytes_release(a->bytes, a->released, a->at);
    a->released = a->at;
}

imsat_status im_tar_each_wanted(im_bytes *bytes, const char *path, im_member_wish *wants,
                                im_member_fn *take_it, void *context, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    archive a = {.bytes = bytes,
                 .path = path,
                 .err = err,
                 .streamed = bytes->stream != NULL,
                 .wants = wants,
                 .fn = take_it,
                 .context = context};
    for (;;) {
        const unsigned char *block;
        header h;
        size_t got;
        IM_TRY(take(&a, BLOCK, &block, &got));
        if (got == 0 || (got == BLOCK && is_zero(block)))
            break;
        if (got < BLOCK) {
            st = refuse(&a, "it is cut short");
            break;
        }
        IM_TRY(read_header(&a, &h, block));
        IM_TRY(take_entry(&a, &h));
        release(&a);
    }

cleanup:
    im_free(a.buffer);
    return st;
}

imsat_status im_tar_each(im_bytes *bytes, const char *path, im_member_fn *take_it,
                         void *context, imsat_error *err)
{
    return im_tar_each_wanted(bytes, path, NULL, take_it, context, err);
}
