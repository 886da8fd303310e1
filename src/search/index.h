/* SPDX-License-Identifier: MIT
 *
 * The index: codes with ids, as flat arrays that can be written to a file and mapped back.
 *
 * Equal codes are stored once. Code c (of `distinct`, in ascending order of their words) has
 * the ids ids[first[c]] .. ids[first[c + 1] - 1], which ascend.
 *
 * Table t of multi-index hashing (search/mih.h) is about the bits from_t .. from_{t+1} - 1,
 * from_t = bits t / tables rounded down, of the words: the sub-code of table t, a number. The
 * codes with sub-code s are entry[t distinct + e], e = bucket_t[s] .. bucket_t[s + 1] - 1;
 * they ascend. bucket_t starts at im_index_bucket(index, t) and has 2^width + 1 elements.
 *
 * If there are tables, then there is one of the whole codes as well: the codes with the hash h
 * are slot_entry[slot[h]] .. slot_entry[slot[h + 1] - 1]. The hash is linear: that of a code
 * is the exclusive or of those of its bits, so flipping a bit takes one operation.
 *
 * The numbers bits, rows, distinct and tables determine the sizes of all arrays. Elements of
 * the arrays are little-endian in a file; nothing in memory depends on the byte order.
 *
 * An index may have a tail: more rows, with arrays of their own. What was appended to a file
 * and not merged yet is such a tail (search/journal.h). The functions here are about one part;
 * searches, changes and the number of rows are about both.
 */
#ifndef IM_SEARCH_INDEX_H
#define IM_SEARCH_INDEX_H

#include "core/bytes.h"
#include "core/map.h"
#include "core/pool_cache.h"
#include "search/words.h"

enum {
    IM_INDEX_ARRAYS = 7,
    IM_INDEX_WIDEST = 30,   /* bits of a sub-code */
    IM_INDEX_FEW = 128,     /* fewer distinct codes have no tables: a scan is as fast */
    IM_INDEX_PASS = 1 << 14 /* elements of an array between two words on what was read */
};

struct imsat_index {
    size_t bits, words;         /* of a code */
    size_t rows;                /* ids; below 2^32 */
    size_t distinct;            /* codes */
    size_t tables;              /* 0: there are none */
    const uint64_t *codes;      /* (distinct, words) */
    const uint32_t *first;      /* (distinct + 1) */
    const int64_t *ids;         /* (rows) */
    const uint32_t *buckets;    /* (sum of 2^width + 1 over the tables) */
    const uint32_t *entry;      /* (tables, distinct) */
    const uint32_t *slot;       /* (2^hash width + 1), or none without tables */
    const uint32_t *slot_entry; /* (distinct), or none without tables */
    bool scanned;               /* only codes, first and ids are to be read: memory is limited,
                                   and the file is larger than what pages may take */
    im_bytes memory;            /* owned: all arrays, on the heap or mapped */
    imsat_index *tail;          /* owned: more rows of as many bits, or NULL; has no tail */
    im_pool_cache pools;        /* of searches; the one thing that changes in a const index */
};

/* One array of an index. */
typedef struct im_index_array {
    const char *name;
    size_t size, count; /* bytes of an element; elements */
    const void *data;   /* NULL before im_index_place() */
} im_index_array;

/* Set the numbers of an index; its pointers are NULL. IMSAT_EFORMAT unless they are possible:
 * whatever they are, the sizes of the arrays then do not overflow. */
imsat_status im_index_shape(imsat_index *index, size_t bits, size_t rows, size_t distinct,
                            size_t tables, imsat_error *err);

/* The largest id of both parts; -1 if there are none. */
int64_t im_index_largest(const imsat_index *index);

/* The arrays of an index that has its numbers. To be aligned to 64 bytes each. */
void im_index_arrays(im_index_array list[IM_INDEX_ARRAYS], const imsat_index *index);

/* Point the index to its arrays, in the order of the list. */
void im_index_place(imsat_index *index, const void *const data[IM_INDEX_ARRAYS]);

/* Which ids a code has, and what they are, for those who read here and there: memory may be
 * limited (core/bytes.h). */
typedef struct im_index_range {
    uint32_t first, end; /* of ids */
} im_index_range;

static inline im_index_range im_index_ids(const imsat_index *index, size_t code)
{
    uint32_t room[2];
    if (index->rows == index->distinct) /* one each */
        return (im_index_range){(uint32_t)code, (uint32_t)code + 1};
    const void *at = im_bytes_get(&index->memory, (const unsigned char *)(index->first + code),
                                  sizeof room, room);
    const uint32_t *first = at;
    return (im_index_range){first[0], first[1]};
}

static inline int64_t im_index_id(const imsat_index *index, size_t i)
{
    int64_t room;
    const void *at = im_bytes_get(&index->memory, (const unsigned char *)(index->ids + i),
                                  sizeof room, &room);
    return *(const int64_t *)at;
}

/* In a loop over an array of elements of `size` bytes, from the first on: those before element
 * i were read, and if memory is limited they may go (core/map.h). */
static inline void im_index_pass(const void *array, size_t size, size_t i)
{
    if (i > 0 && i % IM_INDEX_PASS == 0)
        im_map_touched((const char *)array + (i - IM_INDEX_PASS) * size, IM_INDEX_PASS * size);
}

/* IMSAT_EFORMAT unless the arrays are what is said above, so that no search reads outside of
 * them; of an index that is only scanned the tables are not read. That ids of different codes
 * differ is not checked. */
imsat_status im_index_check(const imsat_index *index, imsat_error *err);

/* Sub-codes: first bit and number of bits of table t, and its value for a code. */
size_t im_index_from(const imsat_index *index, size_t table);
size_t im_index_width(const imsat_index *index, size_t table);
uint32_t im_index_subcode(const uint64_t *code, size_t from, size_t width);

/* The first element of bucket_t. im_index_bucket(index, tables) is their total. */
size_t im_index_bucket(const imsat_index *index, size_t table);

/* The hash of whole codes: its number of bits; the hashes of single bits of the words; and
 * that of a code, from these. */
size_t im_index_hash_width(const imsat_index *index);
void im_index_bit_hashes(uint32_t bit_hash[IMSAT_MAX_BITS], const imsat_index *index);
uint32_t im_index_hash(const uint32_t *bit_hash, const uint64_t *code, size_t words);

#endif
