/* SPDX-License-Identifier: MIT
 *
 * Rows are sorted by id, then by code, which keeps the ids of equal codes in order. Buckets
 * are filled by counting. All arrays are one block of memory. */
#include "search/index_build.h"

#include "core/alloc.h"
#include "search/id_set.h"

#include <inttypes.h>
#include <string.h>

enum { NARROW = 8 /* bits of a sub-code at least, if the code has them */ };

size_t im_index_best_tables(size_t bits, size_t distinct)
{
    if (distinct < IM_INDEX_FEW)
        return 0;
    size_t width = 0; /* log2(distinct), rounded */
    while (width < IM_INDEX_WIDEST && (uint64_t)3 << width < (uint64_t)2 * distinct)
        width++;
    width = width < NARROW ? NARROW : width;
    const size_t tables = (bits + width / 2) / width;
    const size_t most = width + 2 < IM_INDEX_WIDEST ? width + 2 : IM_INDEX_WIDEST;
    const size_t least = (bits + most - 1) / most;
    return tables < least ? least : tables;
}

static bool differ(const uint64_t *codes, size_t words, uint32_t a, uint32_t b)
{
    return memcmp(codes + a * words, codes + b * words, words * sizeof *codes) != 0;
}

static size_t count_distinct(const im_sort_pair *pairs, const uint64_t *codes, size_t rows,
                             size_t words)
{
    size_t distinct = rows > 0;
    for (size_t i = 1; i < rows; i++)
        distinct += differ(codes, words, pairs[i - 1].row, pairs[i].row);
    return distinct;
}

/* Memory for all arrays, and the index points to it. With `more` bytes, which are taken later,
 * it must be there. */
static imsat_status take_memory(imsat_index *index, size_t more, imsat_error *err)
{
    im_index_array list[IM_INDEX_ARRAYS];
    const void *data[IM_INDEX_ARRAYS];
    im_carver carver = {0};
    im_index_arrays(list, index);
    for (size_t i = 0; i < IM_INDEX_ARRAYS; i++)
        im_carve(&carver, list[i].count, list[i].size);
    void *block = im_alloc_affords(carver.used + more) ? im_alloc(carver.used, 1) : NULL;
    if (!block)
        return im_fail_memory(err, "the index");
    index->memory = (im_bytes){.data = block, .size = carver.used, .heap = block};
    carver = (im_carver){.base = block};
    for (size_t i = 0; i < IM_INDEX_ARRAYS; i++)
        data[i] = im_carve(&carver, list[i].count, list[i].size);
    im_index_place(index, data);
    return IMSAT_OK;
}

/* An array of the index to write to, while it is built: it lies in memory.heap. */
static void *writable(const imsat_index *index, const void *array)
{
    char *block = index->memory.heap;
    return block + ((const unsigned char *)array - index->memory.data);
}

static void fill_codes(const imsat_index *index, const im_sort_pair *pairs,
                       const uint64_t *from, const int64_t *ids_from)
{
    const size_t words = index->words;
    uint64_t *codes = writable(index, index->codes);
    uint32_t *first = writable(index, index->first);
    int64_t *ids = writable(index, index->ids);
    size_t c = 0;
    for (size_t i = 0; i < index->rows; i++) {
        const uint32_t row = pairs[i].row;
        ids[i] = ids_from[row];
        if (i > 0 && !differ(from, words, pairs[i - 1].row, row))
            continue;
        first[c] = (uint32_t)i;
        memcpy(codes + c++ * words, from + row * words, words * sizeof *codes);
    }
    first[c] = (uint32_t)index->rows;
}

/* Sort the codes by their keys: count, sum up, place. While codes are placed, start[k] is the
 * next place of key k, which at the end is the first of key k + 1. */
static void fill_buckets(uint32_t *start, uint32_t *entry, const uint32_t *key, size_t codes,
                         size_t buckets)
{
    for (size_t c = 0; c < codes; c++)
        start[key[c] + 1]++;
    for (size_t k = 0; k < buckets; k++)
        start[k + 1] += start[k];
    for (size_t c = 0; c < codes; c++)
        entry[start[key[c]]++] = (uint32_t)c;
    memmove(start + 1, start, buckets * sizeof *start);
    start[0] = 0;
}

/* key: (distinct) scratch. */
static void fill_tables(const imsat_index *index, uint32_t *key)
{
    const size_t n = index->distinct, words = index->words;
    uint32_t bit_hash[IMSAT_MAX_BITS];
    for (size_t t = 0; t < index->tables; t++) {
        const size_t from = im_index_from(index, t), width = im_index_width(index, t);
        for (size_t c = 0; c < n; c++)
            key[c] = im_index_subcode(index->codes + c * words, from, width);
        fill_buckets(writable(index, index->buckets + im_index_bucket(index, t)),
                     writable(index, index->entry + t * n), key, n, (size_t)1 << width);
    }
    im_index_bit_hashes(bit_hash, index);
    for (size_t c = 0; c < n; c++)
        key[c] = im_index_hash(bit_hash, index->codes + c * words, words);
    fill_buckets(writable(index, index->slot), writable(index, index->slot_entry), key, n,
                 (size_t)1 << im_index_hash_width(index));
}

imsat_status im_index_build(imsat_index **out, const uint64_t *codes, const int64_t *ids,
                            size_t rows, size_t bits, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t words = im_words_of(bits);
    if (rows > UINT32_MAX - 1)
        return im_fail(err, IMSAT_EINVAL, "%zu codes are too many; the most are %" PRIu32,
                       rows, UINT32_MAX - 1);
    uint32_t *key = NULL;
    im_sort_pair *scratch = NULL;
    im_id_set order = {0};
    imsat_index *index = im_alloc(1, sizeof *index);
    if (!index)
        return im_fail_memory(err, "the index");
    IM_TRY(im_id_set_new(&order, ids, rows, err));
    IM_TRY(im_id_set_check(&order, err));
    scratch = im_alloc(rows, sizeof *scratch);
    if (!scratch) {
        st = im_fail_memory(err, "the index");
        goto cleanup;
    }
    im_sort_pair *pairs = order.pairs;
    im_sort_codes(pairs, scratch, rows, codes, words);
    const size_t distinct = count_distinct(pairs, codes, rows, words);
    IM_TRY(im_index_shape(index, bits, rows, distinct, im_index_best_tables(bits, distinct),
                          err));
    im_free(scratch);
    scratch = NULL;
    IM_TRY(take_memory(index, index->tables ? distinct * sizeof *key : 0, err));
    fill_codes(index, pairs, codes, ids);
    if (index->tables) {
        key = im_alloc(distinct, sizeof *key);
        if (!key) {
            st = im_fail_memory(err, "the index");
            goto cleanup;
        }
        fill_tables(index, key);
    }
    *out = index;
    index = NULL;

cleanup:
    imsat_index_free(index);
    im_free(key);
    im_free(scratch);
    im_id_set_clear(&order);
    return st;
}
