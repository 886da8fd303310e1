/* SPDX-License-Identifier: MIT
 *
 * The lines of a text table, from a file that may be decompressed as it is read (text.h); see
 * csv_split.h for what a line and a field are. Lines of JSON become lines of a table as they
 * are read (json_rows.h); they keep their numbers, and the line of names that objects get has
 * the number 0.
 */
#ifndef IM_DATA_CSV_LINES_H
#define IM_DATA_CSV_LINES_H

#include "data/csv_split.h"
#include "data/json_rows.h"
#include "data/text.h"

typedef struct im_csv_lines {
    im_text text;
    im_csv csv; /* the lines of the text that are here */
    bool json;  /* they are JSON */
    im_json_rows rows;
    const char *path;
    imsat_error *err;
} im_csv_lines;

/* Begin at the first line that is no comment, with as much of the text as shows the second
 * one, too. lines has its path, its err, and whether it is JSON. */
imsat_status im_csv_begin(im_csv_lines *lines, im_bytes *bytes);

/* The next line that is not blank; *found false: there is none. Those before it may go. */
imsat_status im_csv_next_line(im_csv_lines *lines, im_span *line, bool *found);

/* The refusal of a field whose quotes do not fit. */
imsat_status im_csv_refuse_quotes(const im_csv_lines *lines, size_t column);

void im_csv_end(im_csv_lines *lines);

#endif
