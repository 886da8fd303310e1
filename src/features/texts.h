/* SPDX-License-Identifier: MIT
 * Rows of texts by a origin that was fitted to others; imsat_texts_open() fits one. */
#ifndef IM_FEATURES_TEXTS_H
#define IM_FEATURES_TEXTS_H

#include "features/origin.h"

/* Data of all texts, however few words of the origin they have. text_column and label_column
 * may be NULL. */
imsat_status im_texts_apply(imsat_data **out, im_origin *origin, const char *const *paths,
                            size_t npaths, const char *text_column, const char *label_column,
                            imsat_error *err);

#endif
