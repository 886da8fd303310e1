/* SPDX-License-Identifier: MIT
 *
 * The text of a file, some whole lines at a time. A text that is here is given at once; one
 * that is decompressed goes through a window that moves on, so that its memory does not grow
 * with the file.
 */
#ifndef IM_DATA_TEXT_H
#define IM_DATA_TEXT_H

#include "core/bytes.h"

typedef struct im_text {
    const char *at, *end; /* lines; the last may lack its newline where the text ends */
    im_bytes *bytes;      /* the caller's */
    char *window;         /* (room) owned; NULL: all of the text is here */
    size_t room, filled;
    size_t line; /* number of the line that im_text_line() gave last, from 1 */
} im_text;

/* The first lines. The bytes are read on, so they are of no use to others afterwards. */
imsat_status im_text_begin(im_text *text, im_bytes *bytes, imsat_error *err);

/* The lines behind these, which go; at == end: there are none. */
imsat_status im_text_next(im_text *text, imsat_error *err);

/* These lines and more, where the first ones are not enough to go by: before the first
 * im_text_next(). *more says whether there were more; at and end move in any case. */
imsat_status im_text_widen(im_text *text, bool *more, imsat_error *err);

/* The next line, without its end, LF or CRLF, for those who take line by line; *line is NULL
 * behind the last one. It is here until the next call. */
imsat_status im_text_line(im_text *text, const char **line, size_t *size, imsat_error *err);

void im_text_clear(im_text *text);

#endif
