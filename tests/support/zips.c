/* SPDX-License-Identifier: MIT
 * See zips.h. */
#include "zips.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Not by cmocka: fuzz targets use this file, too. */
static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "zips.c: %s\n", what);
    abort();
}

static void put(zip_maker *zip, const void *bytes, size_t size)
{
    must(size <= ZIP_ROOM - zip->size, "an archive is too large");
    if (size)
        memcpy(zip->bytes + zip->size, bytes, size);
    zip->size += size;
}

static void put_number(zip_maker *zip, uint64_t value, size_t bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        put(zip, (unsigned char[]){(unsigned char)value}, 1);
}

static void put_zeros(zip_maker *zip, size_t count)
{
    while (count-- > 0)
        put(zip, "", 1);
}

static size_t deflate_to(unsigned char *out, size_t room, const void *data, size_t size)
{
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)data,
                       .avail_in = (unsigned)size};
    stream.next_out = out;
    stream.avail_out = (unsigned)room;
    must(deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK &&
             deflate(&stream, Z_FINISH) == Z_STREAM_END,
         "zlib does not deflate");
    deflateEnd(&stream);
    return stream.total_out;
}

void zip_add(zip_maker *zip, const char *name, const void *data, size_t size, bool deflated)
{
    static unsigned char packed[ZIP_ROOM];
    const size_t i = zip->count++, length = strlen(name);
    must(i < ZIP_MOST && length < sizeof zip->members[i].name, "too many members");
    memcpy(zip->members[i].name, name, length + 1);
    zip->members[i].header = zip->size;
    zip->members[i].size = size;
    zip->members[i].packed = deflated ? deflate_to(packed, sizeof packed, data, size) : size;
    zip->members[i].crc = (uint32_t)crc32(0, data, (unsigned)size);
    zip->members[i].method = deflated ? 8 : 0;
    put(zip, "PK\3\4", 4);
    put_zeros(zip, 22); /* of which the reader needs nothing */
    put_number(zip, length, 2);
    put_number(zip, 3, 2);
    put(zip, name, length);
    put(zip, "abc", 3); /* an extra field */
    put(zip, deflated ? packed : data, zip->members[i].packed);
}

static void put_entry(zip_maker *zip, size_t i, bool wide)
{
    const uint64_t ones = UINT32_MAX;
    const size_t length = strlen(zip->members[i].name);
    put(zip, "PK\1\2", 4);
    put_zeros(zip, 6);
    put_number(zip, zip->members[i].method, 2);
    put_zeros(zip, 4);
    put_number(zip, zip->members[i].crc, 4);
    put_number(zip, wide ? ones : zip->members[i].packed, 4);
    put_number(zip, wide ? ones : zip->members[i].size, 4);
    put_number(zip, length, 2);
    put_number(zip, wide ? 4 + 2 + 4 + 24 : 0, 2);
    put_number(zip, 1, 2); /* of comment */
    put_zeros(zip, 8);
    put_number(zip, wide ? ones : zip->members[i].header, 4);
    put(zip, zip->members[i].name, length);
    if (wide) {
        put(zip, "\x55\x54\2\0zz", 6); /* another extra field before that of 64 bits */
        put(zip, "\1\0\x18\0", 4);
        put_number(zip, zip->members[i].size, 8);
        put_number(zip, zip->members[i].packed, 8);
        put_number(zip, zip->members[i].header, 8);
    }
    put(zip, "c", 1);
}

static void put_end64(zip_maker *zip, size_t size)
{
    const size_t end = zip->size;
    put(zip, "PK\6\6", 4);
    put_number(zip, 44, 8);
    put_zeros(zip, 12);
    put_number(zip, zip->count, 8);
    put_number(zip, zip->count, 8);
    put_number(zip, size, 8);
    put_number(zip, zip->list, 8);
    put(zip, "PK\6\7", 4);
    put_zeros(zip, 4);
    put_number(zip, end, 8);
    put_number(zip, 1, 4);
}

void zip_end(zip_maker *zip, bool wide)
{
    zip->list = zip->size;
    for (size_t i = 0; i < zip->count; i++)
        put_entry(zip, i, wide);
    const size_t size = zip->size - zip->list;
    if (wide)
        put_end64(zip, size);
    put(zip, "PK\5\6", 4);
    put_zeros(zip, 4);
    put_number(zip, wide ? UINT16_MAX : zip->count, 2);
    put_number(zip, wide ? UINT16_MAX : zip->count, 2);
    put_number(zip, wide ? UINT32_MAX : size, 4);
    put_number(zip, wide ? UINT32_MAX : zip->list, 4);
    put_number(zip, 5, 2);
    put(zip, "hello", 5);
}
