/* SPDX-License-Identifier: MIT
 *
 * What the libraries of compression find in a file by their functions for whole buffers, to
 * compare with what comes of reading it piece by piece. */
#ifndef TESTS_FUZZ_UNPACKERS_H
#define TESTS_FUZZ_UNPACKERS_H

#include "fuzz.h"

/* All members of a file, with zeros between and behind them, as *total bytes at `out`. False
 * if its library refuses one, or there is not enough room. The build has that library. */
bool unpackers_unpack(uint8_t *out, size_t room, size_t *total, const uint8_t *input,
                      size_t size);

/* Make the checksum of a gzip file of one member right, if nothing else is wrong in it. */
void unpackers_correct_gzip(uint8_t *input, size_t size);

#endif
