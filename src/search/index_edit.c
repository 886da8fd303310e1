/* SPDX-License-Identifier: MIT
 *
 * A new index, and one with codes added or deleted. An index is never changed: append and
 * delete take its rows apart and build another one. That sorts all rows again, and in exchange
 * there is one way to build. */
#include "core/alloc.h"
#include "search/index_build.h"
#include "search/sort.h"

#include <inttypes.h>

/* The rows of the index that is about to be built. */
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

/* Append the rows of an index, except those whose ids are in left_out (count, ascending keys):
 * an id that was met gets `row` 1 there. */
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

/* Append rows. Without ids they get last + 1, last + 2, ... */
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
    IM_REQUIRE(out);
    IM_REQUIRE(codes);
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
    IM_REQUIRE(out);
    IM_REQUIRE(index);
    IM_REQUIRE(codes);
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

/* pairs = the keys of the ids, ascending, without repetitions, with `row` 0. Returns how many.
 */
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
    IM_REQUIRE(out);
    IM_REQUIRE(index);
    IM_REQUIRE_ARRAY(ids, count);
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
