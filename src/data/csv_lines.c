/* SPDX-License-Identifier: MIT
 * The lines of a text table, a window of the text at a time; see csv_lines.h. */
#include "data/csv_lines.h"

#include <stdint.h>
#include <string.h>

/* One more line of JSON behind those that were made of others; *found false: there is none. */
static imsat_status add_json(im_csv_lines *lines, bool *found)
{
    static const char byte_order_mark[] = {'\xEF', '\xBB', '\xBF'};
    imsat_status st = IMSAT_OK;
    im_span line = {0};
    const bool first = lines->text.line == 0;
    IM_TRY(im_text_line(&lines->text, &line.at, &line.size, lines->err));
    *found = line.at != NULL;
    if (!*found)
        return IMSAT_OK;
    if (first && line.size >= sizeof byte_order_mark &&
        memcmp(line.at, byte_order_mark, sizeof byte_order_mark) == 0)
        line = (im_span){line.at + sizeof byte_order_mark, line.size - sizeof byte_order_mark};
    IM_TRY(im_json_rows_add(&lines->rows, line, lines->path, lines->err));

cleanup:
    return st;
}

static void show_json(im_csv_lines *lines)
{
    lines->csv.at = lines->rows.text;
    lines->csv.end = lines->rows.text + lines->rows.used;
}

/* Enough lines to have two, besides that of the names. */
static imsat_status begin_json(im_csv_lines *lines, im_bytes *bytes)
{
    imsat_status st = IMSAT_OK;
    bool found = true;
    IM_TRY(im_text_begin(&lines->text, bytes, lines->err));
    for (size_t rows = 0; found && rows < 2;) {
        const size_t before = lines->rows.used;
        IM_TRY(add_json(lines, &found));
        rows += lines->rows.used > before + 1;
    }
    show_json(lines);
    lines->csv.separator = ',';
    lines->csv.line = lines->rows.kind == '{' ? SIZE_MAX : 0; /* the names are line 0 */

cleanup:
    return st;
}

imsat_status im_csv_begin(im_csv_lines *lines, im_bytes *bytes)
{
    imsat_status st = IMSAT_OK;
    im_span line;
    bool more = true, seen = false;
    if (lines->json)
        return begin_json(lines, bytes);
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

static imsat_status next_json(im_csv_lines *lines, im_span *line, bool *found)
{
    imsat_status st = IMSAT_OK;
    bool more = true;
    while (!(*found = im_csv_line(&lines->csv, line)) && more) {
        lines->rows.used = 0;
        IM_TRY(add_json(lines, &more));
        show_json(lines);
    }

cleanup:
    return st;
}

imsat_status im_csv_next_line(im_csv_lines *lines, im_span *line, bool *found)
{
    imsat_status st = IMSAT_OK;
    if (lines->json)
        return next_json(lines, line, found);
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
    im_json_rows_clear(&lines->rows);
}
