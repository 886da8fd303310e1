/* SPDX-License-Identifier: MIT
 *
 * Lines of JSON as lines of a text table, which are then read like any (csv_split.h): a line
 * that is
 *
 *     an object    is a row, whose members are columns by their names, in the order of the
 *                  first line. What a later line lacks is missing; what it has besides is
 *                  refused
 *     an array     is a row of its values
 *
 * A member that is an array is a column for each of its values, called by its name and a
 * number from 0, p0, p1, ..., as imsat writes lists to tables; arrays in arrays are taken in
 * order. An object in a value is its text. null is an empty field. In texts the escapes of
 * control characters, line ends among them, stay as they are written.
 *
 * The text of a number stays as it is, so there is one way from text to number; that is why
 * this is no use of the library that reads the JSON of models. NaN and Infinity, which are not
 * JSON but which Python writes, are taken for what they are.
 */
#ifndef IM_DATA_JSON_ROWS_H
#define IM_DATA_JSON_ROWS_H

#include "core/bytes.h"
#include "data/csv_split.h"

/* A member of the first object. */
typedef struct im_json_member {
    im_span name;  /* as it is written, without its quotes; in `names` */
    size_t place;  /* which one it is, from 0 */
    size_t width;  /* columns that it is */
    bool list;     /* it is an array */
    im_span value; /* of the line at hand; at NULL: it has none */
} im_json_member;

/* Zeroed is empty, before the first line. */
typedef struct im_json_rows {
    char kind;               /* '{' or '[': what the first line is; 0: none was seen */
    im_json_member *members; /* (count) owned: of objects */
    im_json_member **sorted; /* (count) owned: by name */
    size_t count;
    char *names; /* owned */
    char *text;  /* (room) owned: lines of a table, LF behind each */
    size_t used, room;
    size_t fields; /* of the value at hand */
    size_t line;   /* number of the line at hand, from 1 */
    size_t read;   /* bytes of lines so far */
    size_t absent; /* values that lines lacked so far */
} im_json_rows;

/* Append a line to the text; a blank one stays blank. Before the first object goes a line of
 * names. */
imsat_status im_json_rows_add(im_json_rows *rows, im_span line, const char *path,
                              imsat_error *err);

void im_json_rows_clear(im_json_rows *rows);

/* Whether a file begins with a line that is an object or an array. Of a line that is longer
 * than what is here, its beginning tells. */
bool im_json_rows_begin(const im_bytes *bytes);

/* Whether the file begins with an object that has a member of this name, and that is a text.
 */
bool im_json_rows_have_text(const im_bytes *bytes, const char *name);

#endif
