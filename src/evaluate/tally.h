/* SPDX-License-Identifier: MIT
 *
 * Passes of a block of queries over a gallery: how many codes are at each distance from a
 * query, all and relevant, and what depends on the order of codes at equal distances, which is
 * that of the gallery. A code is relevant if it has the query's label.
 */
#ifndef IM_EVALUATE_TALLY_H
#define IM_EVALUATE_TALLY_H

#include "core/alloc.h"
#include "evaluate/ranking.h"
#include "search/hamming.h"

enum { IM_TALLY_QUERIES = 16 }; /* most queries of a block */

/* Codes as words, with their classes. */
typedef struct im_labeled {
    const uint64_t *codes; /* (rows, words) */
    const int32_t *labels; /* (rows) */
    size_t rows;
} im_labeled;

/* Where codes are looked for. */
typedef struct im_gallery {
    const im_hamming_kernel *kernel;
    im_labeled in;
    size_t bits, words; /* of a code, here and in the queries */
} im_gallery;

/* One thread's memory, by im_tally_carve(). */
typedef struct im_tally {
    uint64_t *run;      /* codes as the kernel wants them */
    uint16_t *distance; /* (IM_TALLY_QUERIES, codes of a run) */
    size_t *seen;       /* (IM_TALLY_QUERIES, bits + 1): codes nearer than d or at d so far */
    size_t *found;      /* the same, of relevant codes */
} im_tally;

void im_tally_carve(im_tally *tally, im_carver *carver, size_t bits, size_t words);

/* all and relevant (queries->rows, bits + 1) = the counts. */
void im_tally_count(size_t *all, size_t *relevant, const im_gallery *gallery,
                    const im_labeled *queries, const im_tally *tally);

/* ap (queries->rows) = the average precision of queries whose counts are known; 0 where
 * nothing is relevant. */
void im_tally_ap(double *ap, const size_t *all, const size_t *relevant,
                 const im_gallery *gallery, const im_labeled *queries, const im_tally *tally);

/* share (queries->rows) = the share of relevant codes among the `at` nearest. */
void im_tally_at(double *share, size_t at, const size_t *all, const size_t *relevant,
                 const im_gallery *gallery, const im_labeled *queries, const im_tally *tally);

#endif
