/* SPDX-License-Identifier: MIT
 * Codes and queries for tests of the search, and a search by a plain loop. */
#ifndef TESTS_CODES_H
#define TESTS_CODES_H

#include "imsat/search.h"

typedef enum codes_kind {
    CODES_RANDOM,
    CODES_CLUSTERED /* few bits from one of 9 centers, so that many are equal */
} codes_kind;

/* What a search has to find: for each query all ids, nearest first, equal distances by id. */
typedef struct codes_case {
    imsat_codes codes, queries;
    int64_t *ids;      /* (codes.rows): different, in no order, some negative */
    int64_t *order;    /* (queries.rows, codes.rows) */
    int32_t *distance; /* (queries.rows, codes.rows) */
} codes_case;

void codes_case_make(codes_case *c, codes_kind kind, size_t rows, size_t queries, size_t bits);
void codes_case_clear(codes_case *c);

/* Fail unless these are the nearest `count` (0: all) within the radius, of every query. */
void assert_hits(const imsat_hits *hits, const codes_case *c, size_t count, size_t radius);

/* The number of differing bits, one by one. */
int32_t codes_distance(const imsat_codes *a, size_t i, const imsat_codes *b, size_t j);

#endif
