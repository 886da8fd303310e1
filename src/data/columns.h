/* SPDX-License-Identifier: MIT
 *
 * The columns of a table, and how an option says which ones are meant:
 *
 *   - a whole number is the number of a column, from 0; a negative one counts from the end;
 *   - else a text that is a name in the header is that column, the first of this name;
 *   - else A-B is A, B and all columns between them, and A- is A and all behind it; A and B
 * are numbers or names.
 *
 * A list of them has commas between. What is in quotes is a name, whatever it looks like, and
 * may hold commas.
 */
#ifndef IM_DATA_COLUMNS_H
#define IM_DATA_COLUMNS_H

#include "core/status.h"
#include "data/csv_split.h"

/* What one can name: */
typedef struct im_columns {
    size_t count;
    char **names; /* (count) the fields of the first line, which need not be a header */
    bool header;  /* it is one, as far as is known */
} im_columns;

#define IM_NO_COLUMN SIZE_MAX

/* Make the names from the fields of a line, which were checked. Blanks around them are gone.
 */
imsat_status im_columns_read(im_columns *out, const im_csv *csv, im_span line,
                             const char *path, imsat_error *err);

/* Find one column. *named: it was found by its name, so there is a header. Refused with
 * `none`, "no label column" say, before what was looked for. */
imsat_status im_columns_find(size_t *column, bool *named, const im_columns *columns,
                             const char *text, const char *none, const char *path,
                             imsat_error *err);

/* Set chosen[c] for each column c of a list; the others stay as they are. */
imsat_status im_columns_choose(bool *chosen, bool *named, const im_columns *columns,
                               const char *list, const char *none, const char *path,
                               imsat_error *err);

enum { IM_COLUMNS_ROOM = 400 };

/* The names, for a message: "a, b, c, ..."; without a header their numbers. */
void im_columns_list(char list[IM_COLUMNS_ROOM], const im_columns *columns);

void im_columns_clear(im_columns *columns);

#endif
