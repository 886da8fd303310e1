/* SPDX-License-Identifier: MIT
 * An index from rows of codes: equal codes joined, tables filled. */
#ifndef IM_SEARCH_INDEX_BUILD_H
#define IM_SEARCH_INDEX_BUILD_H

#include "search/index.h"

/* Build an index of codes (rows, im_words_of(bits)) with the ids (rows). IMSAT_EINVAL if there
 * are too many rows for 32 bits, or an id twice. */
imsat_status im_index_build(imsat_index **out, const uint64_t *codes, const int64_t *ids,
                            size_t rows, size_t bits, imsat_error *err);

/* How many tables are best for so many distinct codes; docs/theory.md has the reasons. */
size_t im_index_best_tables(size_t bits, size_t distinct);

#endif
