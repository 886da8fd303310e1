/* SPDX-License-Identifier: MIT
 * Rows of texts by a origin that was fitted to others; imsat_texts_open() fits one. */
#ifndef IM_FEATURES_TEXTS_H
#define IM_FEATURES_TEXTS_H

#include "features/documents.h"
#include "features/origin.h"
#include "imsat/features.h"

/* Hands documents over one after the other, with their labels if there are any. */
typedef imsat_status im_texts_visit(void *context, im_label_list *labels, im_document_fn *take,
                                    void *taker, imsat_error *err);

/* As imsat_texts_open(), of documents that come from anywhere: its columns are not looked at.
 * `name` begins messages. */
imsat_status im_texts_fit(imsat_data **out, const imsat_text_options *options,
                          im_texts_visit *visit, void *context, const char *name,
                          imsat_error *err);

/* Data of all texts, however few words of the origin they have. text_column and label_column
 * may be NULL. */
imsat_status im_texts_apply(imsat_data **out, im_origin *origin, const char *const *paths,
                            size_t npaths, const char *text_column, const char *label_column,
                            imsat_error *err);

#endif
