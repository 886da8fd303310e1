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
    uint32_t bound;  /* codes further away are of no use */
    uint64_t within; /* ids that were handed in and are within the bound */
    uint64_t *at;    /* (bits + 1) owned: ids that were handed in, by distance */
    im_near *list;   /* (room) owned */
    size_t length, room;
    bool failed; /* there was no memory; the list is not complete */
} im_nearest;

/* What was found for a query. */
typedef struct im_found {
    im_near *list; /* (length) owned, in no order */
    size_t length;
    bool done;
} im_found;

imsat_status im_nearest_new(im_nearest *nearest, const imsat_index *index, size_t count,
                            imsat_error *err);
void im_nearest_clear(im_nearest *nearest);

/* Begin with a query; nothing further away than radius (at most the bits) is wanted. */
void im_nearest_begin(im_nearest *nearest, size_t radius);

/* A code at a distance of at most the bound, which was not handed in before. */
void im_nearest_add(im_nearest *nearest, uint32_t code, uint32_t distance);

/* Move the codes whose ids are the answer, and no others, to out. Also there may be codes of
 * which only some ids, or none for those of smaller distance, are wanted: at most `count`
 * codes. IMSAT_ENOMEM if there was no memory since the beginning. */
imsat_status im_nearest_end(im_found *out, im_nearest *nearest, imsat_error *err);

#endif
