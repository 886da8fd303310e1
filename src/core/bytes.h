/* SPDX-License-Identifier: MIT
 *
 * The bytes of a file: memory-mapped, or decompressed to memory. */
#ifndef IM_CORE_BYTES_H
#define IM_CORE_BYTES_H

#include "core/status.h"

#include <stddef.h>

/* Bytes of a file, mapped or on the heap. */
typedef struct im_bytes {
    const unsigned char *data;
    size_t size;
    void *heap;   /* owned, or NULL */
    void *mapped; /* owned, or NULL */
} im_bytes;

/* A plain file is mapped; a gzipped one (by its first bytes, whatever its name) is
 * decompressed to memory. A directory, an empty or a truncated gzip file is refused. */
imsat_status im_bytes_open(im_bytes *out, const char *path, imsat_error *err);
void im_bytes_clear(im_bytes *bytes);

/* Bytes first .. end - 1 will not be read soon: if they are mapped, this process holds their
 * memory no longer. They can still be read, by any thread at any time, and come from the file
 * again. Whole pages are given back, so the bytes around the range may be among them. */
void im_bytes_release(const im_bytes *bytes, size_t first, size_t end);

#endif
