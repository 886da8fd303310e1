/* SPDX-License-Identifier: MIT
 *
 * Text tables: lines, and the fields of a line. Nothing is copied or allocated.
 *
 *   - lines end in LF or CRLF; blank lines are skipped; a UTF-8 byte order mark and lines
 *     that start with # before the first other line are skipped;
 *   - fields are separated by a tab, a comma, a semicolon or runs of blanks, one of them for
 *     the whole file; blanks around a field are dropped;
 *   - a field may be in quotes, inside which "" is one quote. It does not go over lines.
 */
#ifndef IM_DATA_CSV_SPLIT_H
#define IM_DATA_CSV_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct im_span {
    const char *at;
    size_t size;
} im_span;

typedef struct im_csv {
    const char *at, *end; /* what is left */
    size_t line;          /* number of the line last read, from 1 */
    char separator;       /* ' ': runs of blanks */
} im_csv;

/* Begin with a text, or the first lines of it. Go to the first line that is no comment, and
 * choose the separator: a tab if the name says tsv or the line has tabs and no commas; else a
 * comma, a semicolon or blanks. Commas that can only be decimal ones, 1,5;2,5, separate
 * nothing. */
void im_csv_start(im_csv *csv, im_span text, const char *path);

/* The next line that is not blank, without its end. */
bool im_csv_line(im_csv *csv, im_span *line);

typedef struct im_csv_field {
    im_span text;
    bool escaped; /* it holds "" */
    bool broken;  /* a quote that is not closed, or text after the closing one */
} im_csv_field;

/* Walks over the fields of a line. */
typedef struct im_csv_cursor {
    const char *at, *end; /* at NULL: no field is left */
    char separator;
} im_csv_cursor;

im_csv_cursor im_csv_fields(const im_csv *csv, im_span line);
bool im_csv_next(im_csv_cursor *cursor, im_csv_field *field);

size_t im_csv_count(const im_csv *csv, im_span line);

/* Field `column` of a line, from 0; the last one if there are fewer. */
im_csv_field im_csv_field_at(const im_csv *csv, im_span line, size_t column);

/* Copy a field without its escapes; out has room for text.size bytes. Returns the length. */
size_t im_csv_plain(char *out, const im_csv_field *field);

enum { IM_WORD_MAX = 40, IM_WORD_ROOM = IM_WORD_MAX + 4 };

/* Text for a message: at most IM_WORD_MAX bytes, then "..."; control bytes become '?'. */
void im_csv_word(char word[IM_WORD_ROOM], im_span text);

#endif
