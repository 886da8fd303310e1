/* SPDX-License-Identifier: MIT
 *
 * A mutator of the journal of an index file (search/journal.h): it adds records, changes the
 * numbers and the rows of one, cuts the last one short or takes one out, and then makes the
 * checksums right, which no blind change gets behind. */
#ifndef TESTS_FUZZ_RECORDS_H
#define TESTS_FUZZ_RECORDS_H

#include "fuzz.h"

/* Where the first record of a file begins; its size if there is none. */
size_t records_start(const uint8_t *file, size_t size);

/* Put a record of random rows behind the end of an index file, whose base and records are as
 * they must be. Returns the new size; the old one if there is no room. */
size_t records_add(uint8_t *file, size_t size, size_t room);

/* Change one of the records from `start` on. Returns the new size. */
size_t records_mutate(uint8_t *file, size_t start, size_t size);

/* The base has another size, so the records, which were moved to behind it, have to say so. */
void records_rebase(uint8_t *file, size_t start, size_t size);

#endif
