/* SPDX-License-Identifier: MIT
 *
 * Labels from a text file of one column, and from a column of a table. (Data goes by
 * im_csv_reader.)
 */
#ifndef IM_DATA_CSV_LABELS_H
#define IM_DATA_CSV_LABELS_H

#include "data/csv_lines.h"
#include "data/label_list.h"

/* Append the labels of a file, one a line, numbers or texts, with or without a title. A file
 * of several columns is refused. json: its lines are JSON. The bytes are of no use
 * afterwards. */
imsat_status im_csv_labels(im_label_list *labels, im_bytes *bytes, bool json, const char *path,
                           imsat_error *err);

/* Append the label in a field of the line last read; an empty one is refused. */
imsat_status im_csv_add_label(im_label_list *labels, const im_csv_lines *lines,
                              const im_csv_field *field, size_t column);

#endif
