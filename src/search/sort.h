/* SPDX-License-Identifier: MIT
 * Stable sorting of rows by 64-bit keys, and by codes of several words. */
#ifndef IM_SEARCH_SORT_H
#define IM_SEARCH_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct im_sort_pair {
    uint64_t key;
    uint32_t row;
} im_sort_pair;

/* Ascending keys; equal ones keep their order. scratch: (n). */
void im_sort_pairs(im_sort_pair *pairs, im_sort_pair *scratch, size_t n);

/* Put the rows of pairs in ascending order of their codes (., words), the first word counting
 * most; equal codes keep their order. Keys are overwritten. scratch: (n). */
void im_sort_codes(im_sort_pair *pairs, im_sort_pair *scratch, size_t n, const uint64_t *codes,
                   size_t words);

#endif
