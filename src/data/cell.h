/* SPDX-License-Identifier: MIT
 *
 * What a field of a table may be other than a number with a point: nothing, a yes or no, a
 * date, a number with a comma.
 */
#ifndef IM_DATA_CELL_H
#define IM_DATA_CELL_H

#include "data/csv_split.h"
#include "data/number.h"

/* Whether it says that there is no value: it is empty, NA, N/A, #N/A, <NA>, NaN, null, None,
 * nil or ?, in capitals or not. */
bool im_cell_missing(im_span text);

/* true and yes are 1, false and no are 0, in capitals or not. */
bool im_cell_boolean(double *value, im_span text);

/* A date of ISO 8601, YYYY-MM-DD, with a time behind a T or a blank or without one: HH:MM[:SS
 * [.fraction]], and a Z or an offset +HH[:MM]. *value is days since 1970-01-01, in UTC if
 * there is an offset. */
bool im_cell_date(double *value, im_span text);

/* A number with a decimal comma, 1,5. */
im_number im_cell_comma(double *value, im_span text);

/* Whether it is a value of any of these kinds, or missing: no word. commas: numbers may have
 * them. */
bool im_cell_is_value(im_span text, bool commas);

#endif
