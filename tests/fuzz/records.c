/* SPDX-License-Identifier: MIT
 * See records.h. Records are laid out here a second time, as docs/formats.md has them. */
#include "records.h"

#include "core/checksum.h"
#include "search/index.h"

#include <string.h>

enum { MARK = 64, MOST_ROWS = 20 };

/* Of the head and of the end of a record. */
typedef struct mark {
    char magic[8];
    uint32_t kind, bits;
    uint64_t rows, base, total;
    int64_t largest;
    uint64_t payload, checksum;
} mark;

static size_t payload_bytes(uint64_t rows, size_t bits)
{
    return ((size_t)rows * 8 * (1 + (bits + 63) / 64) + MARK - 1) / MARK * MARK;
}

static mark mark_at(const uint8_t *at)
{
    mark m;
    memcpy(&m, at, MARK);
    return m;
}

/* Bytes of the record at a place; 0 if there is none, or not all of it. */
static size_t record_at(const uint8_t *file, size_t at, size_t size)
{
    if (size - at < 2 * MARK || memcmp(file + at, "imsatadd", 8) != 0)
        return 0;
    const mark m = mark_at(file + at);
    if (m.rows > size || m.bits > IMSAT_MAX_BITS)
        return 0;
    const size_t bytes = 2 * MARK + payload_bytes(m.rows, m.bits);
    return bytes <= size - at ? bytes : 0;
}

size_t records_start(const uint8_t *file, size_t size)
{
    size_t at = 0;
    while (at < size && !record_at(file, at, size))
        at = size - at > MARK ? at + MARK : size;
    return at;
}

/* Checksums of a record of so many bytes as they must be. */
static void make_right(uint8_t *record, size_t bytes)
{
    uint8_t *marks[2] = {record, record + bytes - MARK};
    const uint64_t payload = im_checksum_of(record + MARK, bytes - 2 * MARK);
    for (size_t i = 0; i < 2; i++) {
        memcpy(marks[i] + offsetof(mark, payload), &payload, sizeof payload);
        const uint64_t sum = im_checksum_of(marks[i], offsetof(mark, checksum));
        memcpy(marks[i] + offsetof(mark, checksum), &sum, sizeof sum);
    }
}

/* ---- adding ------------------------------------------------------------------------- */

/* The head of the record that comes next, but for its rows. False if the file is none that
 * can be opened. */
static bool next_mark(mark *m, const uint8_t *file, size_t size)
{
    imsat_index *index = NULL;
    imsat_error err;
    fuzz_file_put("grown", file, size);
    if (imsat_index_open(&index, "grown", &err) != IMSAT_OK)
        return false;
    *m = (mark){.kind = 1,
                .bits = (uint32_t)index->bits,
                .base = records_start(file, size),
                .total = imsat_index_rows(index),
                .largest = im_index_largest(index)};
    imsat_index_free(index);
    return true;
}

/* A random word of which the first bits are used: the first byte is the lowest, and its first
 * bit the most significant one. */
static uint64_t random_word(size_t used)
{
    const size_t bytes = used / 8;
    if (used >= 64)
        return fuzz_random();
    const uint64_t last = 0xff & ~(0xffU >> used % 8);
    return fuzz_random() & (last << 8 * bytes | ((UINT64_C(1) << 8 * bytes) - 1));
}

/* Random ids above the largest, and codes. */
static void fill_rows(uint8_t *payload, mark *m)
{
    const size_t words = (m->bits + 63) / 64;
    uint8_t *codes = payload + m->rows * sizeof(int64_t);
    for (size_t i = 0; i < m->rows; i++) {
        m->largest += m->largest < INT64_MAX - 3 ? 1 + (int64_t)fuzz_below(3) : -1;
        memcpy(payload + i * sizeof m->largest, &m->largest, sizeof m->largest);
    }
    for (size_t i = 0; i < m->rows * words; i++) {
        const uint64_t word = random_word(m->bits - i % words * 64);
        memcpy(codes + i * sizeof word, &word, sizeof word);
    }
}

size_t records_add(uint8_t *file, size_t size, size_t room)
{
    mark m;
    if (!next_mark(&m, file, size))
        return size;
    m.rows = 1 + fuzz_below(fuzz_below(2) ? MOST_ROWS : 3);
    m.total += m.rows;
    const size_t payload = payload_bytes(m.rows, m.bits), bytes = 2 * MARK + payload;
    if (bytes > room - size)
        return size;
    memset(file + size, 0, bytes);
    fill_rows(file + size + MARK, &m);
    memcpy(m.magic, "imsatadd", sizeof m.magic);
    memcpy(file + size, &m, MARK);
    memcpy(m.magic, "imsatend", sizeof m.magic);
    memcpy(file + size + MARK + payload, &m, MARK);
    make_right(file + size, bytes);
    return size + bytes;
}

/* ---- changing ----------------------------------------------------------------------- */

void records_rebase(uint8_t *file, size_t start, size_t size)
{
    const uint64_t base = start;
    for (size_t at = start, bytes; at < size && (bytes = record_at(file, at, size)) != 0;
         at += bytes) {
        memcpy(file + at + offsetof(mark, base), &base, sizeof base);
        memcpy(file + at + bytes - MARK + offsetof(mark, base), &base, sizeof base);
        make_right(file + at, bytes);
    }
}

/* A number of one mark or of both, or a byte of the rows. */
static void change_record(uint8_t *record, size_t bytes)
{
    const size_t place = 8 + fuzz_below(offsetof(mark, payload) - 8);
    const uint8_t value =
        fuzz_below(2) ? (uint8_t)fuzz_random() : (uint8_t)(record[place] + fuzz_below(3) - 1);
    uint8_t *marks[2] = {record, record + bytes - MARK};
    if (bytes > 2 * MARK && fuzz_below(2))
        record[MARK + fuzz_below(bytes - 2 * MARK)] = (uint8_t)fuzz_random();
    else if (fuzz_below(4))
        marks[0][place] = marks[1][place] = value;
    else
        marks[fuzz_below(2)][place] = value;
}

size_t records_mutate(uint8_t *file, size_t start, size_t size)
{
    size_t at = start, bytes = record_at(file, at, size);
    if (!bytes)
        return size;
    for (size_t next; fuzz_below(3) && at + bytes < size; at += bytes, bytes = next)
        if (!(next = record_at(file, at + bytes, size)))
            break;
    switch (fuzz_below(8)) {
    case 0: /* cut within it */ return at + fuzz_below(bytes);
    case 1: /* not finished */
        memset(file + at + bytes - sizeof(uint64_t), 0, sizeof(uint64_t));
        return size;
    case 2: /* taken out */
        memmove(file + at, file + at + bytes, size - at - bytes);
        return size - bytes;
    default:
        for (size_t i = 1 + fuzz_below(2); i > 0; i--)
            change_record(file + at, bytes);
        make_right(file + at, bytes);
        return size;
    }
}
