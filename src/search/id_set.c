/* SPDX-License-Identifier: MIT
 * Ids in order; see id_set.h. */
#include "search/id_set.h"

#include "core/alloc.h"
#include "imsat/search.h"
#include "search/index.h"

#include <inttypes.h>

/* The key under which an id is sorted: as unsigned numbers, keys are in the order of the ids.
 */
static uint64_t key_of(int64_t id)
{
    return (uint64_t)id ^ (uint64_t)1 << 63;
}

imsat_status im_id_set_new(im_id_set *out, const int64_t *ids, size_t count, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (count >= UINT32_MAX)
        return im_fail(err, IMSAT_EINVAL, "%zu ids are too many; the most are %" PRIu32, count,
                       UINT32_MAX - 1);
    im_sort_pair *pairs = im_alloc(count, sizeof *pairs);
    im_sort_pair *scratch = im_alloc(count, sizeof *scratch);
    if (!pairs || !scratch) {
        st = im_fail_memory(err, "the ids");
        goto cleanup;
    }
    for (size_t i = 0; i < count; i++)
        pairs[i] = (im_sort_pair){key_of(ids[i]), (uint32_t)i};
    im_sort_pairs(pairs, scratch, count);
    *out = (im_id_set){pairs, count};
    pairs = NULL;

cleanup:
    im_free(pairs);
    im_free(scratch);
    return st;
}

void im_id_set_clear(im_id_set *set)
{
    im_free(set->pairs);
    *set = (im_id_set){0};
}

int64_t im_id_set_at(const im_id_set *set, size_t place)
{
    return (int64_t)(set->pairs[place].key ^ (uint64_t)1 << 63);
}

size_t im_id_set_find(const im_id_set *set, int64_t id)
{
    const uint64_t key = key_of(id);
    size_t low = 0, high = set->count; /* the first that is not below */
    if (high == 0 || key < set->pairs[0].key || key > set->pairs[high - 1].key)
        return set->count; /* most ids of an index are outside of the few that are added */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (set->pairs[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return set->pairs[low].key == key ? low : set->count;
}

imsat_status im_id_set_check(const im_id_set *set, imsat_error *err)
{
    const size_t none = im_id_set_find(set, IMSAT_NO_ID);
    if (none < set->count)
        return im_fail(err, IMSAT_EINVAL,
                       "the id of row %" PRIu32 " is -1, which marks what a search did not "
                       "find; give it another",
                       set->pairs[none].row);
    for (size_t i = 1; i < set->count; i++)
        if (set->pairs[i].key == set->pairs[i - 1].key)
            return im_fail(err, IMSAT_EINVAL,
                           "the id %" PRId64 " is given twice, for rows %" PRIu32
                           " and %" PRIu32 "; ids must differ",
                           im_id_set_at(set, i), set->pairs[i - 1].row, set->pairs[i].row);
    return IMSAT_OK;
}

imsat_status im_id_set_apart(const im_id_set *set, const int64_t *ids, size_t count,
                             imsat_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const size_t place = im_id_set_find(set, ids[i]);
        im_index_pass(ids, sizeof *ids, i);
        if (place < set->count)
            return im_fail(err, IMSAT_EINVAL,
                           "the id %" PRId64 ", given for row %" PRIu32
                           ", is in the index already; ids must differ",
                           ids[i], set->pairs[place].row);
    }
    return IMSAT_OK;
}
