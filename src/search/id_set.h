/* SPDX-License-Identifier: MIT
 * Ids in order, each with the row that it was given for: whether they differ, and look-ups. */
#ifndef IM_SEARCH_ID_SET_H
#define IM_SEARCH_ID_SET_H

#include "core/status.h"
#include "search/sort.h"

typedef struct im_id_set {
    im_sort_pair *pairs; /* (count) owned: the keys of the ids ascend; equal ones by row */
    size_t count;
} im_id_set;

/* IMSAT_EINVAL if there are more ids than an index can have rows. */
imsat_status im_id_set_new(im_id_set *out, const int64_t *ids, size_t count, imsat_error *err);
void im_id_set_clear(im_id_set *set);

/* The id at a place. */
int64_t im_id_set_at(const im_id_set *set, size_t place);

/* The first place of an id, or set->count. */
size_t im_id_set_find(const im_id_set *set, int64_t id);

/* IMSAT_EINVAL, naming id and row, if an id is there twice or is IMSAT_NO_ID. */
imsat_status im_id_set_check(const im_id_set *set, imsat_error *err);

/* IMSAT_EINVAL, naming id and row, if one of the ids of an index (count) is in the set. */
imsat_status im_id_set_apart(const im_id_set *set, const int64_t *ids, size_t count,
                             imsat_error *err);

#endif
