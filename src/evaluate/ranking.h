/* SPDX-License-Identifier: MIT
 *
 * Scores of one query that follow from two counts alone: how many codes are at each distance
 * from it, and how many of them are relevant.
 */
#ifndef IM_EVALUATE_RANKING_H
#define IM_EVALUATE_RANKING_H

#include <stddef.h>

/* Codes at distance 0 .. bits; the arrays belong to others. */
typedef struct im_ranking {
    size_t bits;
    const size_t *all, *relevant; /* (bits + 1) */
} im_ranking;

/* Sums over all distances. */
size_t im_ranking_codes(im_ranking ranking);
size_t im_ranking_relevant(im_ranking ranking);

/* Average precision; 0 if nothing is relevant. Codes at one distance count as one rank, or
 * the mean over all their orders is taken, or precision runs straight from the end of one
 * distance to that of the next. */
double im_ranking_ap_block(im_ranking ranking);
double im_ranking_ap_expected(im_ranking ranking);
double im_ranking_ap_trapezoid(im_ranking ranking);

/* Where a list of the `at` nearest codes ends: `nearer` relevant codes are before distance d,
 * and `taken` (1 or more) of the all[d] codes at it belong to the list of `length` codes,
 * which is all there are if that is fewer than `at`. */
typedef struct im_ranking_end {
    size_t length, nearer, distance, taken;
} im_ranking_end;

/* at is 1 or more, and so are the codes. */
im_ranking_end im_ranking_cut(im_ranking ranking, size_t at);

/* The mean share of relevant codes among the `at` nearest, over all orders of ties. */
double im_ranking_at_expected(im_ranking ranking, size_t at);

#endif
