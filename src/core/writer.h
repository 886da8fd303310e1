/* SPDX-License-Identifier: MIT
 *
 * Files are written so that they are either the old file or the new one, never half of it. */
#ifndef IM_CORE_WRITER_H
#define IM_CORE_WRITER_H

#include "core/status.h"

#include <stdio.h>

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

#endif
