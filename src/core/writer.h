/* SPDX-License-Identifier: MIT
 *
 * Files are written so that they are either the old file or the new one, never half of it:
 * under a temporary name (temporary.h), flushed to disk, and renamed. Links are followed, and
 * a file that is replaced leaves its mode and owner to the new one. What cannot be replaced, a
 * pipe, a terminal, /dev/null, an open descriptor such as /dev/stdout, is written to as it is.
 */
#ifndef IM_CORE_WRITER_H
#define IM_CORE_WRITER_H

#include "core/temporary.h"

#include <stdbool.h>
#include <stddef.h>

/* An output that is being written. */
typedef struct im_writer {
    bool open;              /* it is not before, and not after the commit */
    int file;               /* descriptor, if open */
    int stream;             /* where the bytes go at the commit; -1: to file */
    unsigned char *waiting; /* (used), owned: not written yet */
    size_t used;
    char *path;                        /* as the caller named it */
    im_place place;                    /* and where that is */
    char temporary[IM_TEMPORARY_NAME]; /* name in the place's folder; "": there is none */
} im_writer;

imsat_status im_writer_open(im_writer *writer, const char *path, imsat_error *err);

/* The same, for a file that im_writer_over() will be called on: if it cannot be rewound, its
 * bytes wait in another file until the commit. */
imsat_status im_writer_open_over(im_writer *writer, const char *path, imsat_error *err);

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
