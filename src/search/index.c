/* SPDX-License-Identifier: MIT
 *
 * The index; see index.h. An index is never changed: append and delete take its rows apart and
 * build another one. That sorts all rows again, and in exchange there is one way to build. */
#include "search/index.h"

#include "core/alloc.h"
#include "search/index_build.h"
#include "search/sort.h"

#include <inttypes.h>
#include <string.h>

/* ---- shape ----------------------------------------------------------------- */

imsat_status im_index_shape(imsat_index *index, size_t bits, size_t rows, size_t distinct,
                            size_t tables, imsat_error *err)
{
    if (bits < 1 || bits > IMSAT_MAX_BITS)
        return im_fail(err, IMSAT_EFORMAT, "codes of %zu bits; there must be from 1 to %d",
                       bits, IMSAT_MAX_BITS);
    if (rows >= UINT32_MAX || distinct > rows || (rows && !distinct))
        return im_fail(err, IMSAT_EFORMAT, "%zu ids of %zu codes are not possible", rows,
                       distinct);
    if (tables > bits || (tables && (bits + tables - 1) / tables > IM_INDEX_WIDEST))
        return im_fail(err, IMSAT_EFORMAT, "%zu tables for %zu bits are not possible", tables,
                       bits);
    *index = (imsat_index){.bits = bits,
                           .words = im_words_of(bits),
                           .rows = rows,
                           .distinct = distinct,
                           .tables = tables};
    return IMSAT_OK;
}

void im_index_arrays(im_index_array list[IM_INDEX_ARRAYS], const imsat_index *index)
{
    const size_t n = index->distinct;
    const im_index_array arrays[IM_INDEX_ARRAYS] = {
        {"codes", sizeof *index->codes, n * index->words, index->codes},
        {"first", sizeof *index->first, n + 1, index->first},
        {"ids", sizeof *index->ids, index->rows, index->ids},
        {"buckets", sizeof *index->buckets, im_index_bucket(index, index->tables),
         index->buckets},
        {"entry", sizeof *index->entry, index->tables * n, index->entry},
        {"slot", sizeof *index->slot,
         index->tables ? ((size_t)1 << im_index_hash_width(index)) + 1 : 0, index->slot},
        {"slot_entry", sizeof *index->slot_entry, index->tables ? n : 0, index->slot_entry}};
    memcpy(list, arrays, sizeof arrays);
}

void im_index_place(imsat_index *index, const void *const data[IM_INDEX_ARRAYS])
{
    index->codes = data[0];
    index->first = data[1];
    index->ids = data[2];
    index->buckets = data[3];
    index->entry = data[4];
    index->slot = data[5];
    index->slot_entry = data[6];
}

size_t im_index_from(const imsat_index *index, size_t table)
{
    return index->bits * table / index->tables;
}

size_t im_index_width(const imsat_index *index, size_t table)
{
    return im_index_from(index, table + 1) - im_index_from(index, table);
}

size_t im_index_bucket(const imsat_index *index, size_t table)
{
    size_t before = 0;
    for (size_t t = 0; t < table; t++)
        before += ((size_t)1 << im_index_width(index, t)) + 1;
    return before;
}

uint32_t im_index_subcode(const uint64_t *code, size_t from, size_t width)
{
    const size_t word = from / 64, shift = from % 64;
    uint64_t bits = code[word] >> shift;
    if (shift + width > 64)
        bits |= code[word + 1] << (64 - shift);
    return (uint32_t)(bits & (((uint64_t)1 << width) - 1));
}

/* As many slots as codes, up to a factor of two. */
size_t im_index_hash_width(const imsat_index *index)
{
    size_t width = 0;
    while (width < IM_INDEX_WIDEST && (uint64_t)3 << width < (uint64_t)2 * index->distinct)
        width++;
    return width;
}

/* Constants without a pattern: the finalizer of splitmix64 (Steele et al. 2014). */
void im_index_bit_hashes(uint32_t bit_hash[IMSAT_MAX_BITS], const imsat_index *index)
{
    const uint64_t mask = ((uint64_t)1 << im_index_hash_width(index)) - 1;
    for (uint64_t i = 0; i < IMSAT_MAX_BITS; i++) {
        uint64_t x = (i + 1) * 0x9e3779b97f4a7c15;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
        x = (x ^ x >> 27) * 0x94d049bb133111eb;
        bit_hash[i] = (uint32_t)((x ^ x >> 31) & mask);
    }
}

uint32_t im_index_hash(const uint32_t *bit_hash, const uint64_t *code, size_t words)
{
    uint32_t hash = 0;
    for (size_t j = 0; j < words; j++)
        for (uint64_t left = code[j]; left; left &= left - 1)
            hash ^= bit_hash[64 * j + (size_t)__builtin_ctzll(left)];
    return hash;
}

size_t imsat_index_rows(const imsat_index *index)
{
    return index->rows;
}

size_t imsat_index_bits(const imsat_index *index)
{
    return index->bits;
}

size_t imsat_index_tables(const imsat_index *index)
{
    return index->tables;
}

void imsat_index_free(imsat_index *index)
{
    if (!index)
        return;
    im_bytes_clear(&index->memory);
    im_free(index);
}

/* ---- new, append, delete ---------------------------------------------------- */

/* Rows of an index to be. */
typedef struct row_list {
    uint64_t *codes; /* (room, words) owned */
    int64_t *ids;    /* (room) owned */
    size_t rows, words;
} row_list;

static imsat_status rows_new(row_list *list, size_t room, size_t words, imsat_error *err)
{
    size_t count;
    *list = (row_list){.words = words};
    if (im_size_mul(&count, room, words)) {
        list->codes = im_alloc(count, sizeof *list->codes);
        list->ids = im_alloc(room, sizeof *list->ids);
    }
    return list->codes && list->ids ? IMSAT_OK : im_fail_memory(err, "the codes of an index");
}

static void rows_clear(row_list *list)
{
    im_free(list->codes);
    im_free(list->ids);
}

/* The key under which an id is sorted. */
static uint64_t key_of(int64_t id)
{
    return (uint64_t)id ^ (uint64_t)1 << 63;
}

/* The id among ids (count, ascending keys), or NULL. */
static im_sort_pair *find_id(im_sort_pair *ids, size_t count, int64_t id)
{
    const uint64_t key = key_of(id);
    size_t low = 0, high = count; /* the first that is not below */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (ids[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ids[low].key == key ? &ids[low] : NULL;
}

/* The rows of an index, but those with an id of left_out (count, ascending), whose `row` is
 * then 1. */
static void rows_take(row_list *list, const imsat_index *index, im_sort_pair *left_out,
                      size_t count)
{
    for (size_t c = 0; c < index->distinct; c++)
        for (uint32_t i = index->first[c]; i < index->first[c + 1]; i++) {
            im_sort_pair *out = left_out ? find_id(left_out, count, index->ids[i]) : NULL;
            if (out) {
                out->row = 1;
                continue;
            }
            for (size_t j = 0; j < list->words; j++)
                list->codes[list->rows * list->words + j] = index->codes[c * list->words + j];
            list->ids[list->rows++] = index->ids[i];
        }
}

/* ids NULL: those behind `last`. */
static imsat_status rows_add(row_list *list, const imsat_codes *codes, const int64_t *ids,
                             int64_t last, imsat_error *err)
{
    if (!ids && codes->rows > (uint64_t)INT64_MAX - (uint64_t)last)
        return im_fail(err, IMSAT_EINVAL,
                       "behind the id %" PRId64 " there are none for %zu codes; give them ids",
                       last, codes->rows);
    im_words_pack(list->codes + list->rows * list->words, codes);
    for (size_t i = 0; i < codes->rows; i++)
        list->ids[list->rows++] = ids ? ids[i] : (int64_t)((uint64_t)last + 1 + i);
    return IMSAT_OK;
}

imsat_status imsat_index_new(imsat_index **out, const imsat_codes *codes, const int64_t *ids,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    row_list list = {0};
    IM_TRY(im_words_check(codes, "the codes", err));
    IM_TRY(rows_new(&list, codes->rows, im_words_of(codes->bits), err));
    IM_TRY(rows_add(&list, codes, ids, -1, err));
    IM_TRY(im_index_build(out, list.codes, list.ids, list.rows, codes->bits, err));

cleanup:
    rows_clear(&list);
    return st;
}

/* The largest id; -1 if there are none. */
static int64_t largest_id(const imsat_index *index)
{
    int64_t largest = index->rows ? INT64_MIN : -1;
    for (size_t i = 0; i < index->rows; i++)
        largest = index->ids[i] > largest ? index->ids[i] : largest;
    return largest;
}

imsat_status imsat_index_append(imsat_index **out, const imsat_index *index,
                                const imsat_codes *codes, const int64_t *ids, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    row_list list = {0};
    IM_TRY(im_words_check(codes, "the codes", err));
    if (codes->bits != index->bits) {
        st = im_fail(err, IMSAT_EMISMATCH,
                     "codes of %zu bits cannot be added to an index of %zu bits", codes->bits,
                     index->bits);
        goto cleanup;
    }
    IM_TRY(rows_new(&list, index->rows + codes->rows, index->words, err));
    rows_take(&list, index, NULL, 0);
    IM_TRY(rows_add(&list, codes, ids, largest_id(index), err));
    IM_TRY(im_index_build(out, list.codes, list.ids, list.rows, index->bits, err));

cleanup:
    rows_clear(&list);
    return st;
}

/* Ascending keys of ids, each once, `row` 0; returns how many. */
static size_t sort_ids(im_sort_pair *pairs, im_sort_pair *scratch, const int64_t *ids,
                       size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        pairs[i] = (im_sort_pair){key_of(ids[i]), 0};
    im_sort_pairs(pairs, scratch, count);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || pairs[i].key != pairs[kept - 1].key)
            pairs[kept++] = pairs[i];
    return kept;
}

imsat_status imsat_index_delete(imsat_index **out, const imsat_index *index,
                                const int64_t *ids, size_t count, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    row_list list = {0};
    im_sort_pair *pairs = im_alloc(count, sizeof *pairs);
    im_sort_pair *scratch = im_alloc(count, sizeof *scratch);
    if (!pairs || !scratch) {
        st = im_fail_memory(err, "the ids to delete");
        goto cleanup;
    }
    IM_TRY(rows_new(&list, index->rows, index->words, err));
    const size_t wanted = sort_ids(pairs, scratch, ids, count);
    rows_take(&list, index, pairs, wanted);
    for (size_t i = 0; i < wanted; i++)
        if (!pairs[i].row) {
            st = im_fail(err, IMSAT_EMISMATCH,
                         "the id %" PRId64 " is not in the index, so it cannot be deleted",
                         (int64_t)(pairs[i].key ^ (uint64_t)1 << 63));
            goto cleanup;
        }
    IM_TRY(im_index_build(out, list.codes, list.ids, list.rows, index->bits, err));

cleanup:
    im_free(pairs);
    im_free(scratch);
    rows_clear(&list);
    return st;
}
