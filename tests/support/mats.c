/* SPDX-License-Identifier: MIT
 * See mats.h. */
#include "mats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { HEADER = 128, MATRIX = 14, COMPRESSED = 15 };

/* Not by cmocka: fuzz targets use this file, too. */
static void must(bool holds)
{
    if (holds)
        return;
    fprintf(stderr, "mats.c: a file is too large\n");
    abort();
}

static void put(mat_maker *mat, const void *bytes, size_t size)
{
    must(size <= MAT_ROOM - mat->size);
    if (size)
        memcpy(mat->bytes + mat->size, bytes, size);
    mat->size += size;
}

static void put_u32(mat_maker *mat, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        put(mat, &(unsigned char){(unsigned char)(value >> 8 * (mat->big_endian ? 3 - i : i))},
            1);
}

/* Elements of this machine, which keeps the low byte first. */
static void put_elements(mat_maker *mat, const mat_values *v)
{
    const unsigned char *from = v->values;
    for (size_t i = 0; i < v->count; i++, from += v->width)
        for (size_t b = 0; b < v->width; b++)
            put(mat, from + (mat->big_endian ? v->width - 1 - b : b), 1);
}

/* An element; a small one in 8 bytes. */
static void put_element(mat_maker *mat, const mat_values *v)
{
    const size_t size = v->count * v->width;
    if (size > 0 && size <= 4) {
        put_u32(mat, (uint32_t)size << 16 | v->type);
    } else {
        put_u32(mat, v->type);
        put_u32(mat, (uint32_t)size);
    }
    put_elements(mat, v);
    while (mat->size % 8)
        put(mat, "", 1);
}

void mat_begin(mat_maker *mat, bool big_endian)
{
    char text[HEADER] = "MATLAB 5.0 MAT-file, by hand";
    memcpy(text + HEADER - 4, big_endian ? "\1\0MI" : "\0\1IM", 4);
    mat->size = 0;
    mat->big_endian = big_endian;
    put(mat, text, sizeof text);
}

void mat_add(mat_maker *mat, const mat_variable *v)
{
    const size_t start = mat->size;
    const uint32_t flags[] = {v->class | v->flags, 0};
    put_u32(mat, MATRIX);
    put_u32(mat, 0);
    put_element(mat, &(mat_values){MAT_U32, flags, 2, 4});
    put_element(mat, &(mat_values){MAT_I32, v->dims, v->ndim, 4});
    put_element(mat, &(mat_values){MAT_I8, v->name, strlen(v->name), 1});
    for (size_t i = 0; i < MAT_PARTS; i++)
        if (v->parts[i].type)
            put_element(mat, &v->parts[i]);
    const size_t end = mat->size;
    mat->size = start + 4;
    put_u32(mat, (uint32_t)(end - start - 8));
    mat->size = end;
}

static size_t u32_at(const mat_maker *mat, const unsigned char *p)
{
    size_t value = 0;
    for (unsigned i = 0; i < 4; i++)
        value = value << 8 | p[mat->big_endian ? i : 3 - i];
    return value;
}

bool mat_pack(mat_maker *out, const unsigned char *bytes, size_t size)
{
    if (size < HEADER)
        return false;
    out->size = 0;
    out->big_endian = bytes[HEADER - 2] == 'M';
    put(out, bytes, HEADER);
    for (size_t at = HEADER, whole; at < size; at += whole) {
        static unsigned char packed[MAT_ROOM];
        uLongf used = sizeof packed;
        if (size - at < 8 || u32_at(out, bytes + at) != MATRIX)
            return false;
        whole = 8 + u32_at(out, bytes + at + 4);
        if (whole > size - at)
            return false;
        must(compress2(packed, &used, bytes + at, (uLong)whole, 6) == Z_OK);
        put_u32(out, COMPRESSED);
        put_u32(out, (uint32_t)used);
        put(out, packed, used);
    }
    return true;
}
