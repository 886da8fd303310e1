/* SPDX-License-Identifier: MIT
 * Labels from a block of one column. */
#ifndef IM_DATA_BLOCK_LABELS_H
#define IM_DATA_BLOCK_LABELS_H

#include "data/reader.h"

/* Whether a block can hold labels; an im_suits_fn. */
imsat_status im_block_labels_suit(const im_block *block, const im_read_request *request,
                                  imsat_error *err);

/* Append the only column of a block. What is not a whole number of 32 bits is refused. */
imsat_status im_block_labels_add(im_label_list *labels, const im_block *block,
                                 const char *path, imsat_error *err);

#endif
