/* SPDX-License-Identifier: MIT
 * New indexes from the rows of old ones, beside the functions of imsat/search.h. */
#ifndef IM_SEARCH_INDEX_EDIT_H
#define IM_SEARCH_INDEX_EDIT_H

#include "search/index.h"

/* The same rows in one part. */
imsat_status im_index_merge(imsat_index **out, const imsat_index *index, imsat_error *err);

#endif
