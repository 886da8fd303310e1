/* SPDX-License-Identifier: MIT
 *
 * Labels from a text file of one column. (Data goes by im_csv_reader.)
 */
#ifndef IM_DATA_CSV_H
#define IM_DATA_CSV_H

#include "core/bytes.h"
#include "data/label_list.h"

/* Append the labels of a file, one a line, numbers or texts, with or without a title. A file
 * of several columns is refused. The bytes are of no use afterwards. */
imsat_status im_csv_labels(im_label_list *labels, im_bytes *bytes, const char *path,
                           imsat_error *err);

#endif
