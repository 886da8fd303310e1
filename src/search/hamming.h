/* SPDX-License-Identifier: MIT
 *
 * Distances of codes: the number of bits in which they differ. One kernel per instruction
 * set, all with the same results.
 *
 * A run is 64 codes with their words apart: word j of code i is run[64 j + i]. So a vector
 * register holds one word of several codes, nothing is added across its lanes, and a run of
 * one-word codes is just 64 codes in a row. A run is loaded once for a block of queries.
 */
#ifndef IM_SEARCH_HAMMING_H
#define IM_SEARCH_HAMMING_H

#include "search/words.h"

#include <stdbool.h>

enum {
    IM_HAMMING_RUN = 64,                                   /* codes */
    IM_HAMMING_RUN_WORDS = IM_HAMMING_RUN * IM_WORDS_MOST, /* of the largest run */
    IM_HAMMING_QUERIES = 64                                /* most queries of one call */
};

/* A query that has codes of a run within its bound: bit i of mask is set if code i of the run
 * is one of them. */
typedef struct im_hamming_pass {
    uint64_t mask;
    uint32_t query;
} im_hamming_pass;

typedef struct im_hamming_kernel {
    const char *name;
    double cost; /* about how many nanoseconds a word of one code takes with one query */

    /* distance (queries, 64) of queries (count, words) to the codes of a run. */
    void (*distances)(uint16_t *distance, const uint64_t *queries, size_t count,
                      const uint64_t *run, size_t words);

    /* The queries that have a code of the run at a distance of at most bound (count), at most
     * IM_HAMMING_QUERIES of them. Returns how many; their order is that of the queries. */
    size_t (*within)(im_hamming_pass *passed, const uint64_t *queries, const uint16_t *bound,
                     size_t count, const uint64_t *run, size_t words);

    /* distance (count) of one query to the codes (., words) with the numbers in list. */
    void (*listed)(uint16_t *distance, const uint64_t *query, const uint64_t *codes,
                   const uint32_t *list, size_t count, size_t words);
} im_hamming_kernel;

/* The fastest kernel this machine runs, or the plain C one. */
const im_hamming_kernel *im_hamming_select(bool reference);

/* Codes (count, words), at most 64, as a run: in place if that is possible, else copied to
 * scratch (64 * words). Where there are fewer than 64 the rest of the run is 0, and what a
 * kernel says of it has no meaning. */
const uint64_t *im_hamming_load(uint64_t *scratch, const uint64_t *codes, size_t count,
                                size_t words);

#endif
