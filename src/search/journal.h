/* SPDX-License-Identifier: MIT
 *
 * The journal of an index file: rows that were appended behind the base, the safetensors file
 * of search/index_file.c, and not merged into it yet. Appending costs what is appended.
 *
 *     base | record | record | ... | record
 *
 *     record:  head mark    64 bytes
 *              ids          i64 (rows)
 *              codes        u64 (rows, words), as in search/words.h
 *              zeros        up to a multiple of 64 bytes
 *              end mark     64 bytes
 *
 *     mark:    "imsatadd", of the end "imsatend"
 *              u32 kind, 1;  u32 bits of a code
 *              u64 rows of this record
 *              u64 bytes of the base
 *              u64 rows of the base and of all records up to this one
 *              i64 largest id among these
 *              u64 checksum (core/checksum.h) of ids, codes and zeros
 *              u64 checksum of the 56 bytes before; if that is 0, then 1
 *
 * A record is written in two steps. First all of it, with 0 for the last checksum, and this is
 * flushed to disk; then that checksum, 8 bytes in one place, which are flushed, too. The
 * record is there if the last checksum is. So an append that is cut short, at whatever byte,
 * leaves what readers take for nothing and what the next writer cuts away. A record that is
 * there and is not what its checksums say is damage, and the file is refused.
 *
 * The end mark says all that the next append must know, and is the last thing in the file: the
 * base and the other records need not be read.
 */
#ifndef IM_SEARCH_JOURNAL_H
#define IM_SEARCH_JOURNAL_H

#include "core/status.h"

#include <stdbool.h>

/* What there is up to some place of a file: the base, or the base and some records. */
typedef struct im_journal_state {
    size_t bits;     /* of a code */
    uint64_t base;   /* bytes of the base */
    uint64_t end;    /* bytes of the base and the records */
    uint64_t rows;   /* of both */
    int64_t largest; /* id of both; -1 without rows */
} im_journal_state;

/* The rows of all records, in order. */
typedef struct im_journal {
    uint64_t *codes; /* (rows, words) owned */
    int64_t *ids;    /* (rows) owned */
    size_t rows;
} im_journal;

void im_journal_clear(im_journal *journal);

/* Read the journal of a file that is open for reading. *state is that of the base, and becomes
 * that of the base and all records. Nothing is locked: of a record that is being appended
 * meanwhile, all rows are there or none. IMSAT_EFORMAT, naming path and place, if the journal
 * is damaged. */
imsat_status im_journal_read(im_journal *out, im_journal_state *state, int fd,
                             const char *path, imsat_error *err);

/* The same for a journal that is in memory, `size` bytes. */
imsat_status im_journal_parse(im_journal *out, im_journal_state *state,
                              const unsigned char *bytes, size_t size, const char *path,
                              imsat_error *err);

/* *state becomes the same, but from the last record alone. False, and *state is as it was, if
 * the file does not end with a record that is there: an append was cut short, or there is
 * damage, and the whole journal must be read. */
bool im_journal_last(im_journal_state *state, int fd);

/* Append a record to a file that is open for writing, and locked, and of which *state is the
 * state; what is behind its end is cut away. rows > 0, and the rows of the state and these are
 * as many as an index can have. After a failure the file holds what it held before. */
imsat_status im_journal_append(im_journal_state *state, int fd, const uint64_t *codes,
                               const int64_t *ids, size_t rows, const char *path,
                               imsat_error *err);

#endif
