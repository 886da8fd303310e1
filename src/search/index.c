/* SPDX-License-Identifier: MIT
 * What the numbers of an index say of its arrays, sub-codes and hashes; see index.h. */
#include "search/index.h"

#include "core/alloc.h"

#include <assert.h>
#include <string.h>

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
    for (size_t i = 0; i < IM_INDEX_ARRAYS; i++)
        assert((uintptr_t)data[i] % sizeof(uint64_t) == 0);
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
    assert(index->tables > 0 && table <= index->tables);
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
    assert(width <= IM_INDEX_WIDEST);
    const size_t word = from / 64, shift = from % 64;
    uint64_t bits = code[word] >> shift;
    if (shift + width > 64)
        bits |= code[word + 1] << (64 - shift);
    return (uint32_t)(bits & (((uint64_t)1 << width) - 1));
}

/* There are about as many slots as codes: at least 2/3 of them, and less than 4/3. */
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

int64_t im_index_largest(const imsat_index *index)
{
    int64_t largest = INT64_MIN;
    for (const imsat_index *part = index; part; part = part->tail)
        for (size_t i = 0; i < part->rows; i++) {
            im_index_pass(part->ids, sizeof *part->ids, i);
            largest = part->ids[i] > largest ? part->ids[i] : largest;
        }
    return imsat_index_rows(index) ? largest : -1;
}

size_t imsat_index_rows(const imsat_index *index)
{
    return index ? index->rows + imsat_index_journal_rows(index) : 0;
}

size_t imsat_index_journal_rows(const imsat_index *index)
{
    return index && index->tail ? index->tail->rows : 0;
}

size_t imsat_index_bits(const imsat_index *index)
{
    return index ? index->bits : 0;
}

size_t imsat_index_tables(const imsat_index *index)
{
    return index ? index->tables : 0;
}

void imsat_index_free(imsat_index *index)
{
    if (!index)
        return;
    imsat_index_free(index->tail);
    im_pool_cache_clear(&index->pools);
    im_bytes_clear(&index->memory);
    im_free(index);
}
