/* SPDX-License-Identifier: MIT
 * The lines of a text table, a window of the text at a time; see csv_lines.h. */
#include "data/csv_lines.h"

imsat_status im_csv_begin(im_csv_lines *lines, im_bytes *bytes)
{
    imsat_status st = IMSAT_OK;
    im_span line;
    bool more = true, seen = false;
    IM_TRY(im_text_begin(&lines->text, bytes, lines->err));
    while (more && !seen) {
        const im_span here = {lines->text.at, (size_t)(lines->text.end - lines->text.at)};
        im_csv_start(&lines->csv, here, lines->path);
        im_csv ahead = lines->csv;
        seen = im_csv_line(&ahead, &line) && im_csv_line(&ahead, &line);
        if (!seen)
            IM_TRY(im_text_widen(&lines->text, &more, lines->err));
    }

cleanup:
    return st;
}

imsat_status im_csv_next_line(im_csv_lines *lines, im_span *line, bool *found)
{
    imsat_status st = IMSAT_OK;
    while (!(*found = im_csv_line(&lines->csv, line)) && lines->text.at < lines->text.end) {
        IM_TRY(im_text_next(&lines->text, lines->err));
        lines->csv.at = lines->text.at;
        lines->csv.end = lines->text.end;
    }
    if (*found)
        im_bytes_touched(lines->text.bytes, line->at, line->size + 1);

cleanup:
    return st;
}

imsat_status im_csv_refuse_quotes(const im_csv_lines *lines, size_t column)
{
    return im_fail(lines->err, IMSAT_EFORMAT,
                   "%s: line %zu, column %zu (from 0): quotes must close before the field and "
                   "the line end",
                   lines->path, lines->csv.line, column);
}

void im_csv_end(im_csv_lines *lines)
{
    im_text_clear(&lines->text);
}
