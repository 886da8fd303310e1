/* SPDX-License-Identifier: MIT
 *
 * Zip archives made byte by byte: a member of each kind, and an end.
 */
#ifndef TESTS_ZIPS_H
#define TESTS_ZIPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ZIP_ROOM = 1 << 17, ZIP_MOST = 8 };

typedef struct zip_maker {
    unsigned char bytes[ZIP_ROOM];
    size_t size;
    struct {
        char name[80];
        size_t header, packed, size;
        uint32_t crc;
        unsigned method;
    } members[ZIP_MOST];
    size_t count;
    size_t list; /* where the list of members starts, once it is there */
} zip_maker;

/* Append a member; deflated if `deflated`. */
void zip_add(zip_maker *zip, const char *name, const void *data, size_t size, bool deflated);

/* Append the list and the end; with fields of 64 bits if `wide`. */
void zip_end(zip_maker *zip, bool wide);

#endif
