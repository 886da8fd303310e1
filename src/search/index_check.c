/* SPDX-License-Identifier: MIT
 * Whether the arrays of an index are what index.h says; for indexes that come from a file. */
#include "search/index.h"

#include <inttypes.h>
#include <stdbool.h>

static bool ascend(const uint64_t *a, const uint64_t *b, size_t words)
{
    size_t j = 0;
    while (j < words && a[j] == b[j])
        j++;
    return j < words && a[j] < b[j];
}

static imsat_status check_codes(const imsat_index *index, imsat_error *err)
{
    const size_t words = index->words, unused = 64 * words - index->bits;
    /* The bits behind the last are the low ones of the last byte, and the bytes above it. */
    const size_t bytes = (index->bits + 7) / 8 - 8 * (words - 1);
    uint64_t behind = bytes < 8 ? UINT64_MAX << 8 * bytes : 0;
    behind |= ((((uint64_t)1 << unused % 8) - 1) << 8 * (bytes - 1));
    for (size_t c = 0; c < index->distinct; c++) {
        const uint64_t *code = index->codes + c * words;
        im_index_pass(index->codes, words * sizeof *code, c);
        if (code[words - 1] & behind)
            return im_fail(err, IMSAT_EFORMAT, "code %zu has a bit set behind its last one",
                           c);
        if (c > 0 && !ascend(code - words, code, words))
            return im_fail(err, IMSAT_EFORMAT, "code %zu is not above the one before it", c);
    }
    return IMSAT_OK;
}

static imsat_status check_ids(const imsat_index *index, imsat_error *err)
{
    const size_t n = index->distinct;
    if (index->first[0] != 0 || index->first[n] != index->rows)
        return im_fail(err, IMSAT_EFORMAT,
                       "the codes have the ids %" PRIu32 " to %" PRIu32 " of %zu",
                       index->first[0], index->first[n], index->rows);
    for (size_t c = 0; c < n; c++) {
        im_index_pass(index->first, sizeof *index->first, c);
        if (index->first[c] >= index->first[c + 1])
            return im_fail(err, IMSAT_EFORMAT, "code %zu has no ids", c);
    }
    for (size_t c = 0; c < n; c++) {
        im_index_pass(index->first, sizeof *index->first, c);
        for (uint32_t i = index->first[c]; i < index->first[c + 1]; i++) {
            im_index_pass(index->ids, sizeof *index->ids, i);
            if (i > index->first[c] && index->ids[i - 1] >= index->ids[i])
                return im_fail(err, IMSAT_EFORMAT, "the ids of code %zu do not ascend", c);
            if (index->ids[i] == IMSAT_NO_ID)
                return im_fail(err, IMSAT_EFORMAT, "a code has the id -1, which means none");
        }
    }
    return IMSAT_OK;
}

/* The buckets follow each other without gaps, and together have n entries. */
static imsat_status check_buckets(const uint32_t *start, size_t buckets, size_t n,
                                  size_t table, imsat_error *err)
{
    if (start[0] != 0 || start[buckets] != n)
        return im_fail(err, IMSAT_EFORMAT, "table %zu does not have all codes", table);
    for (size_t s = 0; s < buckets; s++)
        if (start[s] > start[s + 1])
            return im_fail(err, IMSAT_EFORMAT, "table %zu has a bucket of negative size",
                           table);
    return IMSAT_OK;
}

/* The codes of neighboring entries are far apart in memory. Each is fetched this many entries
 * before it is checked, so that the check does not wait for it. */
enum { AHEAD = 32 };

static void fetch_ahead(const imsat_index *index, const uint32_t *entry, size_t e)
{
    const size_t n = index->distinct;
    if (e + AHEAD < n && entry[e + AHEAD] < n)
        __builtin_prefetch(index->codes + entry[e + AHEAD] * index->words);
}

/* Every bucket holds codes of its own key, in ascending order, and the buckets together hold n
 * entries: so every code is in the table exactly once. Number `tables` stands for the table of
 * the hashes of whole codes. */
static imsat_status check_table(const imsat_index *index, size_t table, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const bool hashed = table == index->tables;
    const size_t n = index->distinct, from = hashed ? 0 : im_index_from(index, table);
    const size_t width = hashed ? im_index_hash_width(index) : im_index_width(index, table);
    const size_t buckets = (size_t)1 << width;
    const uint32_t *start =
        hashed ? index->slot : index->buckets + im_index_bucket(index, table);
    const uint32_t *entry = hashed ? index->slot_entry : index->entry + table * n;
    uint32_t bit_hash[IMSAT_MAX_BITS];
    im_index_bit_hashes(bit_hash, index);
    IM_TRY(check_buckets(start, buckets, n, table, err));
    for (size_t s = 0; s < buckets; s++)
        for (uint32_t e = start[s]; e < start[s + 1]; e++) {
            fetch_ahead(index, entry, e);
            const uint64_t *code = index->codes + (entry[e] < n ? entry[e] : 0) * index->words;
            const uint32_t key = hashed ? im_index_hash(bit_hash, code, index->words)
                                        : im_index_subcode(code, from, width);
            if (entry[e] >= n || (e > start[s] && entry[e] <= entry[e - 1]) || key != s)
                return im_fail(err, IMSAT_EFORMAT, "entry %" PRIu32 " of table %zu is wrong",
                               e, table);
        }

cleanup:
    return st;
}

imsat_status im_index_check(const imsat_index *index, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(check_codes(index, err));
    IM_TRY(check_ids(index, err));
    for (size_t t = 0; index->tables && !index->scanned && t <= index->tables; t++)
        IM_TRY(check_table(index, t, err));

cleanup:
    return st;
}
