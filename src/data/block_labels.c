/* SPDX-License-Identifier: MIT
 * See block_labels.h. */
#include "data/block_labels.h"

#include "data/number.h"

imsat_status im_block_labels_suit(const im_block *block, const im_read_request *request,
                                  imsat_error *err)
{
    if (block->dim != 1)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: rows of %zu values (%s); labels need one column", request->path,
                       block->dim, block->description);
    return IMSAT_OK;
}

imsat_status im_block_labels_add(im_label_list *labels, const im_block *block,
                                 const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    double value;
    int32_t whole;
    for (size_t i = 0; i < block->rows; i++) {
        IM_TRY(im_block_read_wide(&value, block, i, 0, 1, err));
        if (!im_number_whole(&whole, value))
            return im_fail(
                err, IMSAT_EFORMAT,
                "%s: label %zu (from 0) is %.17g; labels are whole numbers of 32 bits", path,
                i, value);
        IM_TRY(im_label_list_add(labels, whole, err));
    }

cleanup:
    return st;
}
