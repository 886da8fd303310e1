/* SPDX-License-Identifier: MIT
 *
 * Passes over a gallery: how many codes are at each distance from a query, all and relevant,
 * and what depends on the order of codes at equal distances. A code is relevant if it has the
 * query's label. Memory does not grow with the gallery.
 */
#ifndef IM_EVALUATE_TALLY_H
#define IM_EVALUATE_TALLY_H

#include "core/alloc.h"
#include "evaluate/ranking.h"
#include "imsat/search.h"

/* Codes with their classes. */
typedef struct im_labeled {
    const imsat_codes *codes;
    const int32_t *labels; /* (codes->rows) */
} im_labeled;

/* One thread's memory, by im_tally_carve(). */
typedef struct im_tally {
    uint16_t *distance; /* of a piece of the gallery */
    uint64_t *lanes;    /* counts of that piece */
    size_t *seen;       /* (bits + 1): codes nearer than d, and those at d so far */
    size_t *found;      /* (bits + 1): the relevant ones of them */
} im_tally;

void im_tally_carve(im_tally *tally, im_carver *carver, size_t bits);

/* Queries first .. first + count - 1 against the whole gallery: all and relevant
 * (count, bits + 1) are overwritten. */
void im_tally_count(size_t *all, size_t *relevant, im_labeled gallery, im_labeled queries,
                    size_t first, size_t count, const im_tally *tally);

/* Average precision of a query whose counts are known, with equal distances in the order of
 * the gallery; 0 if nothing is relevant. */
double im_tally_ap(im_labeled gallery, im_labeled queries, size_t query, im_ranking ranking,
                   const im_tally *tally);

/* The share of relevant codes among the `at` nearest, in the same order. */
double im_tally_at(im_labeled gallery, im_labeled queries, size_t query, im_ranking ranking,
                   size_t at, const im_tally *tally);

#endif
