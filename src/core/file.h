/* SPDX-License-Identifier: MIT
 *
 * Files: read whole (gunzipped on the way), memory-mapped, or written so that they are
 * either the old file or the new one, never half of it.
 *
 * Prefixes: im_bytes_, im_writer_.
 */
#ifndef IM_CORE_FILE_H
#define IM_CORE_FILE_H

#include "core/status.h"

#include <stdbool.h>
#include <stdio.h>

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

/* A file being written under a temporary name beside its final one. */
typedef struct im_writer {
    FILE *file;
    char *path, *temporary;
} im_writer;

imsat_status im_writer_open(im_writer *writer, const char *path, imsat_error *err);
imsat_status im_writer_put(im_writer *writer, const void *data, size_t size, imsat_error *err);

/* Write over the first bytes of the file. It is for a header that says how many rows follow,
 * which is known only at the end: nothing may be put after it. */
imsat_status im_writer_over(im_writer *writer, const void *data, size_t size,
                            imsat_error *err);

/* Flush to disk and rename into place. */
imsat_status im_writer_commit(im_writer *writer, imsat_error *err);

/* Free the writer; without a commit before, remove the temporary file. */
void im_writer_clear(im_writer *writer);

bool im_file_exists(const char *path);

/* Whether the path ends in `suffix` or `suffix`.gz, in any case. */
bool im_file_path_ends(const char *path, const char *suffix);

#endif
