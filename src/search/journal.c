/* SPDX-License-Identifier: MIT
 * The journal; see journal.h. */
#define _GNU_SOURCE
#include "search/journal.h"

#include "core/alloc.h"
#include "core/checksum.h"
#include "core/transfer.h"
#include "search/words.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MARK = 64,      /* bytes; also what records and payloads are multiples of */
    KIND_ADD = 1,   /* the only kind of record so far */
    READ_TRIES = 3, /* see im_journal_read() */
};

typedef struct mark {
    char magic[8];
    uint32_t kind, bits;
    uint64_t rows, base, total;
    int64_t largest;
    uint64_t payload;  /* checksum */
    uint64_t checksum; /* of the bytes before it */
} mark;

_Static_assert(sizeof(mark) == MARK, "a mark is written as it lies in memory");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "and little-endian");

static const char HEAD[] = "imsatadd", END[] = "imsatend";

static uint64_t checksum_of(const mark *m)
{
    const uint64_t sum = im_checksum_of(m, offsetof(mark, checksum));
    return sum ? sum : 1;
}

/* Bytes of a row in a record. */
static size_t row_bytes(size_t bits)
{
    return sizeof(int64_t) + im_words_of(bits) * sizeof(uint64_t);
}

/* Ids, codes and zeros of some rows. */
static size_t payload_bytes(size_t rows, size_t bits)
{
    return (rows * row_bytes(bits) + MARK - 1) / MARK * MARK;
}

static size_t record_bytes(size_t rows, size_t bits)
{
    return payload_bytes(rows, bits) + 2 * MARK;
}

/* Whether a mark is one, of a file with this base, and its record fits into `room` bytes. */
static bool is_mark(const mark *m, const char *magic, const im_journal_state *state,
                    uint64_t room)
{
    return memcmp(m->magic, magic, sizeof m->magic) == 0 && m->checksum == checksum_of(m) &&
           m->kind == KIND_ADD && m->bits == state->bits && m->base == state->base &&
           m->rows > 0 && m->rows <= room / row_bytes(state->bits) &&
           record_bytes(m->rows, state->bits) <= room;
}

/* Whether head and end are of one record. */
static bool are_pair(const mark *head, const mark *end)
{
    return head->rows == end->rows && head->total == end->total &&
           head->largest == end->largest && head->payload == end->payload;
}

static int64_t largest_of(const im_journal_state *before, const int64_t *ids, size_t rows)
{
    int64_t largest = before->rows ? before->largest : INT64_MIN;
    for (size_t i = 0; i < rows; i++)
        largest = ids[i] > largest ? ids[i] : largest;
    return largest;
}

void im_journal_clear(im_journal *journal)
{
    im_free(journal->codes);
    im_free(journal->ids);
    *journal = (im_journal){0};
}

/* ---- parsing ------------------------------------------------------------------- */

typedef enum verdict {
    THERE,   /* a record, as it was written */
    NOTHING, /* the end, or an append that was cut short */
    DAMAGED
} verdict;

/* Whether a record ends anywhere from `at` on. */
static bool has_end(const unsigned char *bytes, size_t size, size_t at,
                    const im_journal_state *state)
{
    for (mark m; size - at >= MARK; at += MARK) {
        memcpy(&m, bytes + at, MARK);
        if (is_mark(&m, END, state, at + MARK))
            return true;
    }
    return false;
}

/* Whether what is between the marks of a record fits them, and what was before. */
static bool is_whole(const mark *head, const unsigned char *payload,
                     const im_journal_state *before)
{
    const size_t bytes = payload_bytes(head->rows, before->bits);
    return im_checksum_of(payload, bytes) == head->payload &&
           head->total == before->rows + head->rows && head->total < UINT32_MAX;
}

/* What there is at place `at` of a journal. If it is a record, *head receives its mark. If its
 * last 8 bytes are 0, or not in the file, it was never there. But if its head is not one, it
 * is not known where they are: then what is behind it decides. */
static verdict look_at(mark *head, const unsigned char *bytes, size_t size, size_t at,
                       const im_journal_state *before)
{
    mark end;
    const size_t room = size - at;
    if (room < MARK)
        return NOTHING;
    memcpy(head, bytes + at, MARK);
    if (!is_mark(head, HEAD, before, room))
        return has_end(bytes, size, at, before) ? DAMAGED : NOTHING;
    const size_t record = record_bytes(head->rows, before->bits);
    memcpy(&end, bytes + at + record - MARK, MARK);
    if (!end.checksum)
        return has_end(bytes, size, at + record, before) ? DAMAGED : NOTHING;
    return is_mark(&end, END, before, room) && are_pair(head, &end) &&
                   is_whole(head, bytes + at + MARK, before)
               ? THERE
               : DAMAGED;
}

static imsat_status fail_damaged(const im_journal_state *state, size_t number,
                                 const char *path, imsat_error *err)
{
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: append %zu since the index was made or merged, at byte %" PRIu64
                   ", is damaged; make the index again from its codes, or cut the file to "
                   "%" PRIu64 " bytes, which gives up this append and later ones",
                   path, number, state->end, state->end);
}

/* The rows of a record that is there, behind those that were read before; false if the largest
 * id is not what the mark says. */
static bool take_rows(im_journal *journal, const mark *head, const unsigned char *payload,
                      const im_journal_state *before)
{
    const size_t words = im_words_of(before->bits), rows = head->rows;
    int64_t *ids = journal->ids + journal->rows;
    memcpy(ids, payload, rows * sizeof *ids);
    memcpy(journal->codes + journal->rows * words, payload + rows * sizeof *ids,
           rows * words * sizeof *journal->codes);
    journal->rows += rows;
    return head->largest == largest_of(before, ids, rows);
}

imsat_status im_journal_parse(im_journal *out, im_journal_state *state,
                              const unsigned char *bytes, size_t size, const char *path,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_journal_state now = *state;
    im_journal journal = {0};
    mark head;
    verdict found;
    size_t number = 1;
    const size_t room = size / row_bytes(now.bits); /* rows, at most */
    journal.ids = im_alloc(room, sizeof *journal.ids);
    journal.codes = im_alloc(room, row_bytes(now.bits) - sizeof *journal.ids);
    if (!journal.ids || !journal.codes) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    while ((found = look_at(&head, bytes, size, now.end - now.base, &now)) == THERE) {
        if (!take_rows(&journal, &head, bytes + (now.end - now.base) + MARK, &now))
            break;
        now.end += record_bytes(head.rows, now.bits);
        now.rows = head.total;
        now.largest = head.largest;
        number++;
    }
    if (found != NOTHING) {
        st = fail_damaged(&now, number, path, err);
        goto cleanup;
    }
    *out = journal;
    *state = now;
    journal = (im_journal){0};

cleanup:
    im_journal_clear(&journal);
    return st;
}

/* ---- reading ------------------------------------------------------------------- */

static imsat_status read_once(im_journal *out, im_journal_state *state, int fd,
                              const char *path, imsat_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return im_fail_file(err, path);
    size_t got = 0;
    const size_t size = (uint64_t)info.st_size > state->base
                            ? (size_t)((uint64_t)info.st_size - state->base)
                            : 0;
    unsigned char *bytes = im_alloc(size, 1);
    if (!bytes)
        return im_fail_memory(err, path);
    const imsat_status st = im_transfer_read_at(fd, bytes, size, state->base, &got)
                                ? im_journal_parse(out, state, bytes, got, path, err)
                                : im_fail_file(err, path);
    im_free(bytes);
    return st;
}

/* The file may grow meanwhile, which does no harm: of an append that is under way the size was
 * taken before its last bytes, or after all but the last 8, and these come at once. But if a
 * writer cuts away what another one left behind, and appends at that place, then bytes of both
 * may be read. This looks like damage, and is gone when the journal is read again. */
imsat_status im_journal_read(im_journal *out, im_journal_state *state, int fd,
                             const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (int i = 0; i < READ_TRIES; i++) {
        st = read_once(out, state, fd, path, err);
        if (st != IMSAT_EFORMAT)
            break;
    }
    return st;
}

bool im_journal_last(im_journal_state *state, int fd)
{
    struct stat info;
    mark head, end;
    size_t got;
    if (fstat(fd, &info) != 0 || (uint64_t)info.st_size < state->base)
        return false;
    const uint64_t size = (uint64_t)info.st_size, room = size - state->base;
    if (room == 0)
        return true;
    if (room % MARK || !im_transfer_read_at(fd, &end, MARK, size - MARK, &got) || got < MARK ||
        !is_mark(&end, END, state, room))
        return false;
    const uint64_t start = size - record_bytes(end.rows, state->bits);
    if (!im_transfer_read_at(fd, &head, MARK, start, &got) || got < MARK ||
        !is_mark(&head, HEAD, state, room) || !are_pair(&head, &end) ||
        end.total < state->rows + end.rows || end.total >= UINT32_MAX)
        return false;
    state->end = size;
    state->rows = end.total;
    state->largest = end.largest;
    return true;
}

/* ---- writing ------------------------------------------------------------------- */

/* The two steps. */
static bool write_record(int fd, const unsigned char *record, size_t size, uint64_t sum,
                         uint64_t to)
{
    return im_transfer_write_at(fd, record, size, to) && fsync(fd) == 0 &&
           im_transfer_write_at(fd, &sum, sizeof sum, to + size - sizeof sum) &&
           fsync(fd) == 0;
}

/* Cut the file off behind the state, if it is longer. */
static bool cut(const im_journal_state *state, int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 &&
           ((uint64_t)info.st_size == state->end || ftruncate(fd, (off_t)state->end) == 0);
}

/* Fill a record of zeros; its last checksum stays 0. Returns what that is to be. */
static uint64_t fill_record(unsigned char *record, mark m, const uint64_t *codes,
                            const int64_t *ids)
{
    const size_t payload = payload_bytes(m.rows, m.bits);
    memcpy(record + MARK, ids, m.rows * sizeof *ids);
    memcpy(record + MARK + m.rows * sizeof *ids, codes,
           m.rows * im_words_of(m.bits) * sizeof *codes);
    m.payload = im_checksum_of(record + MARK, payload);
    memcpy(m.magic, HEAD, sizeof m.magic);
    m.checksum = checksum_of(&m);
    memcpy(record, &m, MARK);
    memcpy(m.magic, END, sizeof m.magic);
    memcpy(record + MARK + payload, &m, offsetof(mark, checksum));
    return checksum_of(&m);
}

imsat_status im_journal_append(im_journal_state *state, int fd, const uint64_t *codes,
                               const int64_t *ids, size_t rows, const char *path,
                               imsat_error *err)
{
    assert(rows > 0 && state->rows + rows < UINT32_MAX);
    imsat_status st = IMSAT_OK;
    const size_t size = record_bytes(rows, state->bits);
    const mark m = {.kind = KIND_ADD,
                    .bits = (uint32_t)state->bits,
                    .rows = rows,
                    .base = state->base,
                    .total = state->rows + rows,
                    .largest = largest_of(state, ids, rows)};
    unsigned char *record = im_alloc(size, 1);
    if (!record)
        return im_fail_memory(err, "the codes to append");
    const uint64_t sum = fill_record(record, m, codes, ids);
    if (!cut(state, fd) || !write_record(fd, record, size, sum, state->end)) {
        st = im_fail_file(err, path);
        (void)cut(state, fd); /* if it fails, the next writer does it */
        goto cleanup;
    }
    state->end += size;
    state->rows = m.total;
    state->largest = m.largest;

cleanup:
    im_free(record);
    return st;
}
