/* SPDX-License-Identifier: MIT
 *
 * What the columns of a text table are, from its first lines and what was asked for.
 *
 * The first line is a header if a field of it, the label's aside, is a word and the one below
 * it is a value (cell.h); or if it has words and no values; or if it only numbers the columns
 * behind an index, as pandas does; or if a column was asked for by a name that is there; or if
 * only the label is a word and im_label_is_title().
 */
#ifndef IM_DATA_CSV_LAYOUT_H
#define IM_DATA_CSV_LAYOUT_H

#include "data/csv_lines.h"
#include "data/reader.h"
#include "data/schema.h"

typedef struct im_csv_layout {
    im_columns columns; /* fields of a line */
    size_t label;       /* which of them is the label; IM_NO_COLUMN: none */
    size_t *target;     /* (columns.count) which value of a row; IM_NO_COLUMN: none */
    size_t width;       /* values of a row */
    bool index;         /* value 0 may only number the rows; then the table goes without it */
} im_csv_layout;

/* Leaves `lines` at the first line of data. */
imsat_status im_csv_layout_read(im_csv_layout *out, im_csv_lines *lines, im_bytes *bytes,
                                const im_read_request *request);
void im_csv_layout_clear(im_csv_layout *layout);

#endif
