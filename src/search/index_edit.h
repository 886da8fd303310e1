/* SPDX-License-Identifier: MIT
 * New indexes from the rows of old ones, beside the functions of imsat/search.h. */
#ifndef IM_SEARCH_INDEX_EDIT_H
#define IM_SEARCH_INDEX_EDIT_H

#include "search/index.h"

/* The same rows in one part. */
imsat_status im_index_merge(imsat_index **out, const imsat_index *index, imsat_error *err);

/* ids (rows) = last + 1, last + 2, ... IMSAT_EINVAL if there are not as many. */
imsat_status im_index_number(int64_t *ids, size_t rows, int64_t last, imsat_error *err);

/* IMSAT_EMISMATCH unless the codes have as many bits as those of the index. */
imsat_status im_index_check_bits(const imsat_codes *codes, size_t bits, imsat_error *err);

#endif
