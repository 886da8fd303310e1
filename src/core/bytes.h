/* SPDX-License-Identifier: MIT
 *
 * The bytes of a file: mapped, or decompressed to memory as far as they are needed. */
#ifndef IM_CORE_BYTES_H
#define IM_CORE_BYTES_H

#include "core/map.h"
#include "core/unpack.h"

/* The first bytes of a file, or all of them, or a part: mapped, on the heap, or the caller's.
 */
typedef struct im_bytes {
    const unsigned char *data;
    size_t size;       /* of what is here; who needs only the first of them may lower it */
    void *heap;        /* owned, or NULL */
    im_map *mapped;    /* or NULL; owned unless `borrowed` */
    im_unpack *stream; /* owned: what follows; NULL: nothing, all of the file is here */
    bool borrowed;     /* they are a part of other bytes */
    bool unpacked;     /* they were decompressed */
} im_bytes;

/* Bytes of a compressed file that are here when it was opened, if it has as many: more than
 * any reader needs to see what a file is. */
enum { IM_BYTES_HEAD = 1 << 16 };

/* A plain file is mapped, all of it. Of a compressed one (by its first bytes, whatever its
 * name) only the first ones are decompressed. A pipe is read to its end, to a file without a
 * name (core/spool.h) that takes its place. A directory and an empty file are refused. */
imsat_status im_bytes_open(im_bytes *out, const char *path, imsat_error *err);

void im_bytes_clear(im_bytes *bytes);

/* The same, and *fd receives the file, which the caller closes: it is the one whose bytes
 * these are, whatever file has the name by then. */
imsat_status im_bytes_open_kept(im_bytes *out, int *fd, const char *path, imsat_error *err);

/* The same for a file that is open for reading already, under the name `path`. fd stays the
 * caller's, who may close it while the bytes are in use. */
imsat_status im_bytes_open_fd(im_bytes *out, int fd, const char *path, imsat_error *err);

/* Bytes that were deflated, inside of others, which must stay while these are not all here.
 * `path` begins messages. */
imsat_status im_bytes_open_member(im_bytes *out, const im_unpack_member *member,
                                  const char *path, imsat_error *err);

/* Bytes that zlib compressed, inside of others likewise. Only the first `head` are
 * decompressed. */
imsat_status im_bytes_open_zlib(im_bytes *out, const im_bytes *packed, size_t head,
                                const char *path, imsat_error *err);

/* Of bytes that are all here, keep only first .. first + size - 1. */
void im_bytes_narrow(im_bytes *bytes, size_t first, size_t size);

/* Some of them, which stay those of the others. */
im_bytes im_bytes_borrow(const im_bytes *bytes, size_t first, size_t size);

/* How they are held, for a description: "mapped", "decompressed", "in memory". */
const char *im_bytes_held(const im_bytes *bytes);

/* Have the first `size` bytes here, or all that there are: afterwards bytes->size says. What
 * data pointed to before may have moved. Memory is taken for `size` bytes and no more. */
imsat_status im_bytes_need(im_bytes *bytes, size_t size, imsat_error *err);

/* Have all of them here, as many as there are: for formats that end with what must be read
 * first. */
imsat_status im_bytes_all(im_bytes *bytes, imsat_error *err);

/* For what need not be here at once: the next `size` bytes behind those that are here, or
 * fewer if the end comes before: *got is how many. They are not here afterwards. */
imsat_status im_bytes_read(im_bytes *bytes, void *to, size_t size, size_t *got,
                           imsat_error *err);

/* Whether so much memory may be taken for what is read: any amount, but for what comes out of
 * a compressed file; see im_unpack_afford(). */
imsat_status im_bytes_afford(const im_bytes *bytes, size_t size, imsat_error *err);

/* No more is needed: *more says whether the file has more than is here. If it has not, then it
 * was as it must be to its end. */
imsat_status im_bytes_end(im_bytes *bytes, bool *more, imsat_error *err);

/* What came of reading the bytes, if by itself it was st: IMSAT_EIO if they are mapped and
 * some were lost meanwhile (core/map.h), else st. To be asked before anything that was made of
 * them is handed over or written to a file; and after a failure, which may be due to it. */
imsat_status im_bytes_check(const im_bytes *bytes, imsat_status st, imsat_error *err);

/* The same in passing, for long work: an atomic load. What was lost without a touch is not
 * noticed. */
bool im_bytes_lost(const im_bytes *bytes);

/* `size` of them from `at` on, for those who read here and there: in place, or in `room` if
 * memory is limited and they are better read there (core/map.h). They must all be here. */
const unsigned char *im_bytes_get(const im_bytes *bytes, const unsigned char *at, size_t size,
                                  void *room);

/* `size` > 0 of them from `at` on were read in place, for those who read in order: where
 * memory is limited, pages are given back in time; see im_map_touched(). */
static inline void im_bytes_touched(const im_bytes *bytes, const void *at, size_t size)
{
    if (bytes->mapped)
        im_map_touched(at, size);
}

/* Bytes first .. end - 1 will not be read soon: if they are mapped, this process holds their
 * memory no longer. They can still be read, by any thread at any time, and come from the file
 * again. Whole pages are given back, so the bytes around the range may be among them. */
void im_bytes_release(const im_bytes *bytes, size_t first, size_t end);

#endif
