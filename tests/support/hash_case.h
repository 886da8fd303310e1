/* SPDX-License-Identifier: MIT
 *
 * Random codes with classes, and the scores of one query written as their definitions read: a
 * list of codes in order, and a loop over it. For the tests of the scores of hash codes.
 */
#ifndef TESTS_HASH_CASE_H
#define TESTS_HASH_CASE_H

#include "imsat/search.h"

#include <stdbool.h>

typedef struct hash_side {
    imsat_codes codes;
    int32_t *labels; /* (codes.rows) */
} hash_side;

/* Labels in -1 .. classes - 2; a code is that of its class with about a fourth of the first
 * 9 bits flipped and all bits behind them equal in most rows, so that many distances tie. */
void hash_side_make(hash_side *side, size_t rows, size_t bits, int classes, uint64_t seed);
void hash_side_clear(hash_side *side);

/* One entry of a list of search results. */
typedef struct hash_entry {
    size_t distance, place; /* ties are by place */
    bool relevant;
} hash_entry;

/* The gallery as query q sees it, in the order of (distance, row). */
void hash_entries(hash_entry *out, const hash_side *gallery, const hash_side *queries,
                  size_t q);

/* Sort by (distance, place). */
void hash_sort(hash_entry *entries, size_t n);

/* Scores of a list that is in order. An `at` above n counts as n. */
double hash_ap_listed(const hash_entry *entries, size_t n);
double hash_at_listed(const hash_entry *entries, size_t n, size_t at);

/* Average precision with each distance as one rank: the mean, over relevant entries, of the
 * precision among all entries that are no further. */
double hash_ap_block(const hash_entry *entries, size_t n);

/* The area under straight lines between the points (recall, precision) at the ends of
 * distances, from (0, 1) on. */
double hash_ap_trapezoid(const hash_entry *entries, size_t n);

/* Means over all n! orders of ties; n is at most 7. */
void hash_expected(double *ap, double *precision_at, const hash_entry *entries, size_t n,
                   size_t at);

#endif
