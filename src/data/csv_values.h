/* SPDX-License-Identifier: MIT
 *
 * The values of a text table: from a field to a double, as the schema of the table has it.
 */
#ifndef IM_DATA_CSV_VALUES_H
#define IM_DATA_CSV_VALUES_H

#include "data/csv_layout.h"

typedef struct im_csv_values {
    im_schema *schema; /* NULL: numbers only */
    const im_csv_lines *lines;
    const size_t *target; /* of the layout */
    size_t row;           /* for messages: which row of the file this is, from 0 */
    bool any_range;       /* numbers beyond the range of float are taken, too */
    bool wide;            /* not all values so far are what float holds */
    bool points, commas;  /* there were numbers with a decimal point, with a comma */
    /* What is refused for want of an option: the first missing value, and the first word. It
     * is told when all rows were seen, so that one refusal names all that is needed. Empty:
     * there is none. */
    imsat_error missing, text;
} im_csv_values;

/* The value of a field in a column that has a target. */
imsat_status im_csv_value(double *to, im_csv_values *values, size_t column,
                          const im_csv_field *field);

/* All rows were read: refuse what needs options that were not given. */
imsat_status im_csv_values_check(const im_csv_values *values);

#endif
