/* SPDX-License-Identifier: MIT
 * Labels in text; see csv_labels.h, and label_list.h for what they become. */
#include "data/csv_labels.h"

#include "core/alloc.h"
#include "data/number.h"

#include <string.h>

imsat_status im_csv_add_label(im_label_list *labels, const im_csv_lines *lines,
                              const im_csv_field *field, size_t column)
{
    imsat_status st = IMSAT_OK;
    if (field->broken)
        return im_csv_refuse_quotes(lines, column);
    if (field->text.size == 0)
        return im_fail(lines->err, IMSAT_EFORMAT,
                       "%s: line %zu, column %zu (from 0): the label is empty", lines->path,
                       lines->csv.line, column);
    if (memchr(field->text.at, 0, field->text.size))
        return im_fail(lines->err, IMSAT_EFORMAT,
                       "%s: line %zu, column %zu (from 0): the label holds a zero byte",
                       lines->path, lines->csv.line, column);
    if (!field->escaped)
        return im_label_list_add_text(labels, field->text.at, field->text.size, lines->err);
    char *plain = im_alloc(field->text.size, 1);
    if (!plain)
        return im_fail_memory(lines->err, lines->path);
    st = im_label_list_add_text(labels, plain, im_csv_plain(plain, field), lines->err);
    im_free(plain);
    return st;
}

static bool all_numbers(const im_csv *csv, im_span line)
{
    im_csv_cursor cursor = im_csv_fields(csv, line);
    im_csv_field field;
    double ignored;
    while (im_csv_next(&cursor, &field))
        if (im_number_parse(&ignored, field.text.at, field.text.size) == IM_NUMBER_NONE)
            return false;
    return true;
}

/* The field of a line of labels. Blanks belong to a label, except between numbers. */
static imsat_status only_field(im_csv_field *field, const im_csv_lines *lines, im_span line)
{
    im_csv_cursor cursor = im_csv_fields(&lines->csv, line);
    im_csv blanks = lines->csv;
    blanks.separator = ' ';
    size_t columns = im_csv_count(&lines->csv, line);
    if (columns == 1 && all_numbers(&blanks, line))
        columns = im_csv_count(&blanks, line);
    if (columns != 1)
        return im_fail(lines->err, IMSAT_EFORMAT,
                       "%s: line %zu has %zu fields; labels need a file of one column",
                       lines->path, lines->csv.line, columns);
    im_csv_next(&cursor, field);
    return IMSAT_OK;
}

/* Go behind the first line if it is a title. */
static imsat_status skip_title(im_csv_lines *lines)
{
    imsat_status st = IMSAT_OK;
    const im_csv start = lines->csv;
    im_span line;
    im_csv_field first, second;
    if (!im_csv_line(&lines->csv, &line))
        return IMSAT_OK;
    IM_TRY(only_field(&first, lines, line));
    if (lines->rows.kind == '{') /* the name of the member */
        return IMSAT_OK;
    im_csv ahead = lines->csv;
    if (im_csv_line(&ahead, &line)) {
        second = im_csv_field_at(&ahead, line, 0);
        if (im_label_is_title(first.text.at, first.text.size, second.text.at,
                              second.text.size))
            return IMSAT_OK;
    }
    lines->csv = start;

cleanup:
    return st;
}

imsat_status im_csv_labels(im_label_list *labels, im_bytes *bytes, bool json, const char *path,
                           imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_csv_lines lines = {.json = json, .path = path, .err = err};
    im_span line;
    im_csv_field field;
    bool found;
    const size_t before = labels->count;
    IM_TRY(im_csv_begin(&lines, bytes));
    if (lines.csv.separator == ' ')
        lines.csv.separator = ',';
    IM_TRY(skip_title(&lines));
    for (;;) {
        IM_TRY(im_csv_next_line(&lines, &line, &found));
        if (!found)
            break;
        IM_TRY(only_field(&field, &lines, line));
        IM_TRY(im_csv_add_label(labels, &lines, &field, 0));
        IM_TRY(im_bytes_afford(bytes, im_label_list_memory(labels), err));
    }
    if (labels->count == before)
        st = im_fail(err, IMSAT_EFORMAT, "%s: holds no labels", path);

cleanup:
    im_csv_end(&lines);
    return st;
}
