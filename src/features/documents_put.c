/* SPDX-License-Identifier: MIT
 * What all readers of documents do with one; see documents.h. */
#include "features/documents.h"

imsat_status im_documents_put(const im_documents *documents, im_span text, im_span label,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_label_list *list = documents->labels->list;
    if (list && documents->label_column)
        IM_TRY(im_label_list_add_text(list, label.at, label.size, err));
    IM_TRY(documents->take(documents->context, text.at, text.size, err));

cleanup:
    return st;
}
