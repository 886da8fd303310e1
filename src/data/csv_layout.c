/* SPDX-License-Identifier: MIT
 * The columns of a text table; see csv_layout.h. */
#include "data/csv_layout.h"

#include "core/alloc.h"
#include "data/cell.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- the header ----------------------------------------------------------------- */

static bool is_word(const char *text, const im_csv_lines *lines)
{
    return !im_cell_is_value((im_span){text, strlen(text)}, lines->csv.separator != ',');
}

/* Whether a field that is not in column `except` is a word. */
static bool has_word(const im_columns *columns, size_t except, const im_csv_lines *lines)
{
    for (size_t c = 0; c < columns->count; c++)
        if (c != except && is_word(columns->names[c], lines))
            return true;
    return false;
}

/* Whether a field that is not in column `except` is a value. */
static bool has_value(const im_columns *columns, size_t except, const im_csv_lines *lines)
{
    for (size_t c = 0; c < columns->count; c++)
        if (c != except && *columns->names[c] && !is_word(columns->names[c], lines))
            return true;
    return false;
}

/* The first line has words. If there is a value below one of them they are names. If not,
 * these columns hold words; then it is a header if it has nothing but names. */
static bool words_are_names(const im_csv_layout *layout, const im_csv_lines *lines,
                            im_span second)
{
    im_csv_cursor cursor = im_csv_fields(&lines->csv, second);
    im_csv_field field;
    for (size_t c = 0; c < layout->columns.count && im_csv_next(&cursor, &field); c++)
        if (c != layout->label && is_word(layout->columns.names[c], lines) &&
            im_cell_is_value(field.text, lines->csv.separator != ','))
            return true;
    return !has_value(&layout->columns, layout->label, lines);
}

/* Whether the first line is one as pandas writes it for columns without names: nothing above
 * the index, then 0, 1, 2, ... */
static bool numbers_columns(const im_columns *columns)
{
    char number[24];
    for (size_t c = 1; c < columns->count; c++) {
        snprintf(number, sizeof number, "%zu", c - 1);
        if (strcmp(columns->names[c], number) != 0)
            return false;
    }
    return columns->count > 1 && !*columns->names[0];
}

/* Whether the first line is a header; `lines` is behind it. */
static bool is_header(const im_csv_layout *layout, const im_csv_lines *lines)
{
    im_csv ahead = lines->csv;
    im_span second;
    const bool words = has_word(&layout->columns, layout->label, lines);
    if (!im_csv_line(&ahead, &second)) /* the only line is a row if it can be one */
        return words && !has_value(&layout->columns, layout->label, lines);
    if (words)
        return words_are_names(layout, lines, second);
    if (numbers_columns(&layout->columns))
        return true;
    if (layout->label == IM_NO_COLUMN)
        return false;
    const char *a = layout->columns.names[layout->label];
    const im_span b = im_csv_field_at(&ahead, second, layout->label).text;
    return im_label_is_title(a, strlen(a), b.at, b.size);
}

/* ---- what is asked for ------------------------------------------------------------ */

/* keep (columns): those that are values. *named: one was called by its name. */
static imsat_status choose(bool *keep, bool *named, const im_csv_layout *layout,
                           const imsat_table_options *options, const im_csv_lines *lines)
{
    imsat_status st = IMSAT_OK;
    const im_columns *columns = &layout->columns;
    bool *drop = im_alloc(columns->count, sizeof *drop);
    if (!drop)
        return im_fail_memory(lines->err, lines->path);
    if (options->columns)
        IM_TRY(im_columns_choose(keep, named, columns, options->columns,
                                 "--columns: no column", lines->path, lines->err));
    if (options->drop)
        IM_TRY(im_columns_choose(drop, named, columns, options->drop, "--drop: no column",
                                 lines->path, lines->err));
    for (size_t c = 0; c < columns->count; c++)
        keep[c] = (keep[c] || !options->columns) && !drop[c] && c != layout->label;

cleanup:
    im_free(drop);
    return st;
}

static imsat_status refuse_nothing(const im_csv_layout *layout, const im_csv_lines *lines)
{
    if (layout->columns.count == 1 && layout->label == 0)
        return im_fail(lines->err, IMSAT_EFORMAT, "%s: has no column but the label's",
                       lines->path);
    return im_fail(lines->err, IMSAT_EINVAL,
                   "%s: --columns and --drop leave none of the %zu columns", lines->path,
                   layout->columns.count);
}

/* The columns that are kept are the values of a row, in their order. */
static imsat_status set_target(im_csv_layout *layout, const bool *keep,
                               const im_csv_lines *lines)
{
    for (size_t c = 0; c < layout->columns.count; c++)
        layout->target[c] = keep[c] ? layout->width++ : IM_NO_COLUMN;
    return layout->width > 0 ? IMSAT_OK : refuse_nothing(layout, lines);
}

/* ---- the first lines ---------------------------------------------------------------- */

/* The fields of the first line, which may be names. */
static imsat_status read_columns(im_csv_layout *layout, im_csv_lines *lines)
{
    imsat_status st = IMSAT_OK;
    im_span first;
    if (!im_csv_line(&lines->csv, &first))
        return im_fail(lines->err, IMSAT_EFORMAT, "%s: holds no rows", lines->path);
    im_csv_cursor cursor = im_csv_fields(&lines->csv, first);
    im_csv_field field;
    for (size_t column = 0; im_csv_next(&cursor, &field); column++)
        if (field.broken)
            return im_csv_refuse_quotes(lines, column);
    IM_TRY(im_columns_read(&layout->columns, &lines->csv, first, lines->path, lines->err));
    layout->columns.header = has_word(&layout->columns, IM_NO_COLUMN, lines);
    layout->target = im_alloc(layout->columns.count, sizeof *layout->target);
    if (!layout->target)
        return im_fail_memory(lines->err, lines->path);

cleanup:
    return st;
}

/* Whether the first line is a header; else it is data, and `lines` goes back to it. */
static void decide_header(im_csv_layout *layout, im_csv_lines *lines, im_csv first, bool named)
{
    layout->columns.header = named || is_header(layout, lines);
    if (!layout->columns.header)
        lines->csv = first;
}

/* The first table, or text that is read as no table: what is asked for decides. */
static imsat_status lay_out(im_csv_layout *layout, im_csv_lines *lines, im_csv first,
                            bool named, im_schema *schema)
{
    imsat_status st = IMSAT_OK;
    static const imsat_table_options nothing = {0};
    bool *keep = im_alloc(layout->columns.count, sizeof *keep);
    if (!keep)
        return im_fail_memory(lines->err, lines->path);
    IM_TRY(choose(keep, &named, layout, schema ? &schema->options : &nothing, lines));
    IM_TRY(set_target(layout, keep, lines));
    decide_header(layout, lines, first, named);
    if (!schema)
        goto cleanup;
    IM_TRY(im_schema_learn(schema, &layout->columns, keep, layout->label, lines->path,
                           lines->err));
    layout->index = schema->names && layout->target[0] == 0 && schema->count > 1 &&
                    !schema->options.columns && im_schema_is_index(schema->names[0]);

cleanup:
    im_free(keep);
    return st;
}

/* Another table: the columns of the first one, or of a model, are looked for. Of a table for a
 * model the caller may say which columns it is to see. */
static imsat_status find_columns(im_csv_layout *layout, im_csv_lines *lines, im_csv first,
                                 bool named, im_schema *schema)
{
    imsat_status st = IMSAT_OK;
    static const imsat_table_options nothing = {0};
    bool *seen = im_alloc(layout->columns.count, sizeof *seen);
    if (!seen)
        return im_fail_memory(lines->err, lines->path);
    IM_TRY(choose(seen, &named, layout, schema->given ? &schema->options : &nothing, lines));
    decide_header(layout, lines, first,
                  named || im_schema_has_names(schema, &layout->columns));
    const size_t label = im_schema_label(schema, &layout->columns);
    if (layout->label == IM_NO_COLUMN && label != IM_NO_COLUMN)
        seen[label] = false;
    IM_TRY(im_schema_match(layout->target, schema, &layout->columns, seen, lines->path,
                           lines->err));
    layout->width = schema->count;

cleanup:
    im_free(seen);
    return st;
}

imsat_status im_csv_layout_read(im_csv_layout *out, im_csv_lines *lines, im_bytes *bytes,
                                const im_read_request *request)
{
    imsat_status st = IMSAT_OK;
    im_schema *schema = request->schema;
    bool named = false;
    *out = (im_csv_layout){.label = IM_NO_COLUMN};
    IM_TRY(im_csv_begin(lines, bytes));
    const im_csv first = lines->csv;
    IM_TRY(read_columns(out, lines));
    named = lines->rows.kind == '{'; /* the names are there for certain */
    out->columns.header |= named;
    if (request->label_column)
        IM_TRY(im_columns_find(&out->label, &named, &out->columns, request->label_column,
                               "no label column", lines->path, lines->err));
    if (!schema || schema->count == 0)
        IM_TRY(lay_out(out, lines, first, named, schema));
    else
        IM_TRY(find_columns(out, lines, first, named, schema));

cleanup:
    return st;
}

void im_csv_layout_clear(im_csv_layout *layout)
{
    im_columns_clear(&layout->columns);
    im_free(layout->target);
    *layout = (im_csv_layout){0};
}
