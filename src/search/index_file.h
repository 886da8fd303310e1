/* SPDX-License-Identifier: MIT
 * Index files, for those who hold them open or locked; others call imsat_index_open() and
 * imsat_index_save(). */
#ifndef IM_SEARCH_INDEX_FILE_H
#define IM_SEARCH_INDEX_FILE_H

#include "data/safetensors.h"
#include "search/index.h"
#include "search/journal.h"

/* What the header of an index file says. To know it takes no longer for a large file, unless
 * the file is compressed or does not state its largest id. */
typedef struct im_index_front {
    im_safetensors file;   /* owned: the base, its tensors not checked */
    imsat_index shape;     /* numbers of the base */
    const int64_t *ids;    /* (shape.rows) of the base */
    im_journal_state base; /* what a journal begins with */
    unsigned char *rest;   /* (rest_size) owned: what follows the base, if it is not mapped */
    size_t rest_size;
    bool appendable; /* false: compressed, or not laid out as we do it */
} im_index_front;

/* From the bytes of a file, which are taken over, also on failure. IMSAT_EFORMAT if it is no
 * index. */
imsat_status im_index_front_open(im_index_front *out, im_bytes *bytes, const char *path,
                                 imsat_error *err);
/* The same of a file that is open for reading. */
imsat_status im_index_front_open_fd(im_index_front *out, int fd, const char *path,
                                    imsat_error *err);
void im_index_front_clear(im_index_front *front);

/* The journal behind the base: its rows, and the state behind it. fd: the same file. */
imsat_status im_index_front_journal(im_journal *out, im_journal_state *state,
                                    const im_index_front *front, int fd, const char *path,
                                    imsat_error *err);

/* imsat_index_open() of a file that is open as fd, and whose bytes these are. They are taken
 * over, also on failure. */
imsat_status im_index_open_bytes(imsat_index **out, im_bytes *bytes, int fd, const char *path,
                                 imsat_error *err);

/* imsat_index_save() for a caller who holds the lock of the file. */
imsat_status im_index_save_locked(const imsat_index *index, const char *path,
                                  imsat_error *err);

#endif
