/* SPDX-License-Identifier: MIT
 *
 * The nearest codes of a query, while codes are handed in one by one.
 *
 * Wanted are `count` ids, nearest first and equal distances by id; or all within a radius. How
 * many ids there are at each distance is counted, which gives the bound: the smallest distance
 * within which there are `count` ids. A code further away is of no use. At the bound itself
 * smaller ids may still come, so those codes are kept, and from time to time all but the ones
 * with the smallest ids are thrown out.
 */
#ifndef IM_SEARCH_NEAREST_H
#define IM_SEARCH_NEAREST_H

#include "search/index.h"

#include <stdbool.h>

/* A code of the index and its distance to a query. */
typedef struct im_near {
    uint32_t code, distance;
} im_near;

typedef struct im_nearest {
    const imsat_index *index;
    size_t count;    /* wanted ids; 0: all within the radius */
    uint32_t bound;  /* codes further away cannot be in the answer */
    uint64_t within; /* ids that were handed in and are within the bound */
    uint64_t *at;    /* (bits + 1) owned: ids that were handed in, by distance */
    im_near *list;   /* (room) owned */
    size_t length, room;
    bool failed;    /* there was no memory, or the index is lost: the list is not complete */
    size_t refused; /* then, or at the end: the bytes that a limit on memory did not allow */
} im_nearest;

/* What was found for a query. */
typedef struct im_found {
    im_near *list; /* (length) owned, in no order */
    size_t length;
    bool done; /* the query was answered */
} im_found;

imsat_status im_nearest_new(im_nearest *nearest, const imsat_index *index, size_t count,
                            imsat_error *err);
void im_nearest_clear(im_nearest *nearest);

/* Forget the query before, and begin with one for which nothing further away than radius (at
 * most the bits) is wanted. */
void im_nearest_begin(im_nearest *nearest, size_t radius);

/* Hand in a code of the index. Its distance is at most the bound, and it may be handed in once
 * only for a query. */
void im_nearest_add(im_nearest *nearest, uint32_t code, uint32_t distance);

/* Hand over the codes that were found since im_nearest_begin(), in no order. Every id of the
 * answer belongs to one of them. At the largest distance there may also be codes of which only
 * some ids, or none, belong to the answer, because other codes at that distance have smaller
 * ids; im_hits_new() sorts that out. Where a count is wanted these are at most `count` codes.
 * IMSAT_ENOMEM if memory ran out at any time since im_nearest_begin(), or if the index was
 * lost (core/map.h), which is for the caller to find out. */
imsat_status im_nearest_end(im_found *out, im_nearest *nearest, imsat_error *err);

#endif
