/* SPDX-License-Identifier: MIT
 * tar archives made block by block, for tests. */
#ifndef TESTS_TAR_FILES_H
#define TESTS_TAR_FILES_H

#include <stddef.h>

/* An archive that grows. Zeroed is empty. */
typedef struct tar_bytes {
    unsigned char data[1 << 16];
    size_t size;
} tar_bytes;

/* Append a member of a type ('0': a file; 'L', 'x', '5', ...) and its bytes. Returns its
 * header, which can be changed before tar_sum(). */
unsigned char *tar_add(tar_bytes *tar, char type, const char *name, const void *data,
                       size_t size);

/* Set the sum of a header, anew after it was changed. */
void tar_sum(unsigned char *header);

/* Two blocks of zeros. */
void tar_end(tar_bytes *tar);

#endif
