/* SPDX-License-Identifier: MIT
 *
 * Elements that come one by one, nobody knows how many. They are kept in pieces: growing
 * copies nothing, and never takes more than the elements and one more piece, where an array
 * that doubles takes three times the elements at its worst.
 */
#ifndef IM_CORE_PILE_H
#define IM_CORE_PILE_H

#include <stddef.h>

/* Empty with its `size` set and everything else 0. */
typedef struct im_pile {
    size_t size;   /* bytes of an element */
    size_t count;  /* elements */
    void **pieces; /* (piece_count) owned */
    size_t piece_count;
    size_t used, room; /* elements of the last piece, and how many it can hold */
} im_pile;

/* One more element, whose bytes are not set; NULL when there is no memory. */
void *im_pile_next(im_pile *pile);

/* Take back the last element; there must be one since the pile was emptied. */
void im_pile_undo(im_pile *pile);

/* Hand all elements over in order, some at a time, and free them behind. The pile is empty
 * afterwards. */
typedef void im_pile_fn(void *context, const void *elements, size_t count);
void im_pile_drain(im_pile *pile, im_pile_fn *take, void *context);

/* All elements as one array, to be freed with im_free(), and the pile is empty; NULL when
 * there is no memory, and the pile is as it was. */
void *im_pile_join(im_pile *pile);

void im_pile_clear(im_pile *pile);

#endif
