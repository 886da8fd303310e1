/* SPDX-License-Identifier: MIT
 *
 * Packed codes as 64-bit words. Byte b of a code is bits 8 (b % 8) .. 8 (b % 8) + 7 of word
 * b / 8, as a little-endian machine loads it, and bytes behind the last are 0. So on such a
 * machine the words of a code are its bytes. Bit i of the words is bit i % 64 of word i / 64;
 * which bit of the code that is does not matter for a distance.
 */
#ifndef IM_SEARCH_WORDS_H
#define IM_SEARCH_WORDS_H

#include "core/status.h"
#include "imsat/search.h"

enum { IM_WORDS_MOST = IMSAT_MAX_BITS / 64 };

/* Words of a code. */
size_t im_words_of(size_t bits);

/* IMSAT_EINVAL unless there are from 1 to IMSAT_MAX_BITS bits, the rows are there and can be,
 * and every bit behind the last is 0. what: "the codes", for the message. */
imsat_status im_words_check(const imsat_codes *codes, const char *what, imsat_error *err);

/* words (codes->rows, im_words_of(bits)) = the codes. */
void im_words_pack(uint64_t *words, const imsat_codes *codes);

/* Which bit of the words bit i of a code is. */
size_t im_words_position(size_t i);

#endif
