/* SPDX-License-Identifier: MIT
 * tar archives for tests; see tar_files.h. */
#include "tar_files.h"

#include "support.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 512 };

void tar_sum(unsigned char *header)
{
    unsigned sum = 0;
    memset(header + 148, ' ', 8);
    for (size_t i = 0; i < BLOCK; i++)
        sum += header[i];
    snprintf((char *)header + 148, 8, "%06o", sum);
}

/* Room for so many bytes, in whole blocks of zeros. */
static unsigned char *append(tar_bytes *tar, size_t size)
{
    unsigned char *at = tar->data + tar->size;
    const size_t blocks = (size + BLOCK - 1) / BLOCK;
    assert_true(tar->size + blocks * BLOCK <= sizeof tar->data);
    memset(at, 0, blocks * BLOCK);
    tar->size += blocks * BLOCK;
    return at;
}

unsigned char *tar_add(tar_bytes *tar, char type, const char *name, const void *data,
                       size_t size)
{
    unsigned char *header = append(tar, BLOCK);
    assert_true(strlen(name) <= 100);
    memcpy(header, name, strlen(name));
    snprintf((char *)header + 124, 12, "%011zo", size);
    header[156] = (unsigned char)type;
    memcpy(header + 257, "ustar  ", 8); /* GNU's */
    tar_sum(header);
    if (size)
        memcpy(append(tar, size), data, size);
    return header;
}

void tar_end(tar_bytes *tar)
{
    append(tar, (size_t)2 * BLOCK);
}
