/* SPDX-License-Identifier: MIT
 *
 * A new index, and one with codes added or deleted. An index is never changed: append, delete
 * and merge take its rows apart and build another one. That sorts all rows again, and in
 * exchange there is one way to build. */
#include "search/index_edit.h"

#include "core/alloc.h"
#include "search/id_set.h"
#include "search/index_build.h"

#include <inttypes.h>
#include <stdbool.h>

/* The rows of the index that is about to be built. */
typedef struct row_list {
    uint64_t *codes; /* (room, words) owned */
    int64_t *ids;    /* (room) owned */
    size_t rows, words, room;
} row_list;

/* Room for the rows, if there is also memory to sort them. */
static imsat_status rows_new(row_list *list, size_t room, size_t words, imsat_error *err)
{
    size_t count, bytes;
    const size_t row = words * sizeof *list->codes + sizeof *list->ids;
    *list = (row_list){.words = words, .room = room};
    if (im_size_mul(&bytes, room, row + 2 * sizeof(im_sort_pair)) && im_alloc_affords(bytes) &&
        im_size_mul(&count, room, words)) {
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

/* Append the rows of one part of an index, except those whose ids are in left_out, which may
 * be NULL: the place there of an id that was met is noted in met. An index that is mapped may
 * turn to zeros meanwhile (core/map.h), so its numbers are not trusted to fit the room. */
static void take_part(row_list *list, const imsat_index *part, const im_id_set *left_out,
                      bool *met)
{
    for (size_t c = 0; c < part->distinct; c++) {
        im_index_pass(part->codes, list->words * sizeof *part->codes, c);
        im_index_pass(part->first, sizeof *part->first, c);
        for (uint32_t i = part->first[c]; i < part->first[c + 1] && list->rows < list->room;
             i++) {
            im_index_pass(part->ids, sizeof *part->ids, i);
            const size_t place = left_out ? im_id_set_find(left_out, part->ids[i]) : 0;
            if (left_out && place < left_out->count) {
                met[place] = true;
                continue;
            }
            for (size_t j = 0; j < list->words; j++)
                list->codes[list->rows * list->words + j] = part->codes[c * list->words + j];
            list->ids[list->rows++] = part->ids[i];
        }
    }
}

/* The rows of both parts. */
static void rows_take(row_list *list, const imsat_index *index, const im_id_set *left_out,
                      bool *met)
{
    for (const imsat_index *part = index; part; part = part->tail)
        take_part(list, part, left_out, met);
}

imsat_status im_index_number(int64_t *ids, size_t rows, int64_t last, imsat_error *err)
{
    if (rows > (uint64_t)INT64_MAX - (uint64_t)last)
        return im_fail(err, IMSAT_EINVAL,
                       "behind the id %" PRId64 " there are none for %zu codes; give them ids",
                       last, rows);
    for (size_t i = 0; i < rows; i++)
        ids[i] = (int64_t)((uint64_t)last + 1 + i);
    return IMSAT_OK;
}

/* Append rows. Without ids they get last + 1, last + 2, ... */
static imsat_status rows_add(row_list *list, const imsat_codes *codes, const int64_t *ids,
                             int64_t last, imsat_error *err)
{
    int64_t *to = list->ids + list->rows;
    im_words_pack(list->codes + list->rows * list->words, codes);
    list->rows += codes->rows;
    if (!ids)
        return im_index_number(to, codes->rows, last, err);
    for (size_t i = 0; i < codes->rows; i++)
        to[i] = ids[i];
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

/* IMSAT_EINVAL unless the ids differ from one another and from those of the index. */
static imsat_status check_ids(const imsat_index *index, const int64_t *ids, size_t count,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_id_set set = {0};
    IM_TRY(im_id_set_new(&set, ids, count, err));
    IM_TRY(im_id_set_check(&set, err));
    for (const imsat_index *part = index; part; part = part->tail)
        IM_TRY(im_id_set_apart(&set, part->ids, part->rows, err));

cleanup:
    im_id_set_clear(&set);
    return st;
}

imsat_status im_index_check_bits(const imsat_codes *codes, size_t bits, imsat_error *err)
{
    if (codes->bits != bits)
        return im_fail(err, IMSAT_EMISMATCH,
                       "codes of %zu bits cannot be added to an index of %zu bits",
                       codes->bits, bits);
    return IMSAT_OK;
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
    IM_TRY(im_index_check_bits(codes, index->bits, err));
    if (ids)
        IM_TRY(im_bytes_check(&index->memory, check_ids(index, ids, codes->rows, err), err));
    IM_TRY(rows_new(&list, imsat_index_rows(index) + codes->rows, index->words, err));
    rows_take(&list, index, NULL, NULL);
    const int64_t largest = im_index_largest(index);
    IM_TRY(im_bytes_check(&index->memory, IMSAT_OK, err));
    IM_TRY(rows_add(&list, codes, ids, largest, err));
    IM_TRY(im_index_build(out, list.codes, list.ids, list.rows, index->bits, err));

cleanup:
    rows_clear(&list);
    return st;
}

/* Of ids that are given several times the first place stands for all. */
static imsat_status check_met(const im_id_set *set, const bool *met, imsat_error *err)
{
    for (size_t i = 0; i < set->count; i++)
        if (!met[i] && im_id_set_find(set, im_id_set_at(set, i)) == i)
            return im_fail(err, IMSAT_EMISMATCH,
                           "the id %" PRId64 " is not in the index, so it cannot be deleted",
                           im_id_set_at(set, i));
    return IMSAT_OK;
}

imsat_status imsat_index_delete(imsat_index **out, const imsat_index *index,
                                const int64_t *ids, size_t count, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(index);
    IM_REQUIRE_ARRAY(ids, count);
    imsat_status st = IMSAT_OK;
    row_list list = {0};
    im_id_set set = {0};
    bool *met = im_alloc(count, sizeof *met);
    if (!met)
        return im_fail_memory(err, "the ids to delete");
    IM_TRY(im_id_set_new(&set, ids, count, err));
    IM_TRY(rows_new(&list, imsat_index_rows(index), index->words, err));
    rows_take(&list, index, &set, met);
    IM_TRY(im_bytes_check(&index->memory, check_met(&set, met, err), err));
    IM_TRY(im_index_build(out, list.codes, list.ids, list.rows, index->bits, err));

cleanup:
    im_free(met);
    im_id_set_clear(&set);
    rows_clear(&list);
    return st;
}

imsat_status im_index_merge(imsat_index **out, const imsat_index *index, imsat_error *err)
{
    return imsat_index_delete(out, index, NULL, 0, err);
}
