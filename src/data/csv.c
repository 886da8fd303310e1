/* SPDX-License-Identifier: MIT
 *
 * Text tables of numbers (.csv, .tsv, what np.savetxt writes), of which one column may hold
 * labels; see csv_split.h for lines and fields, label_list.h for what labels become. The
 * other columns become an array of float if float holds every number, else one of double: what
 * is rounded to float, and when, is for the preprocessing to say (preprocess.h).
 *
 * The first line is a header if one of its fields, the label's aside, is neither a number
 * nor empty; or if the label column's name was asked for and it is there; or if only the
 * label is a word and im_label_is_title().
 *
 * In messages lines count from 1 as in an editor, rows and columns from 0.
 */
#include "core/alloc.h"
#include "core/pile.h"
#include "data/csv_labels.h"
#include "data/number.h"
#include "data/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LOOK_FOR_NUL = 1 << 16, LIST_ROOM = 400 };

static const size_t NO_COLUMN = SIZE_MAX;

/* The file being read. */
typedef struct table {
    im_csv_lines lines;
    im_label_list *labels;
    size_t columns, label; /* label: NO_COLUMN if there is none */
    size_t rows;           /* read so far */
    bool any_range;        /* numbers beyond the range of float are taken, too */
    bool wide;             /* not all values so far are what float holds */
} table;

static bool csv_holds(const im_bytes *bytes)
{
    return !memchr(bytes->data, 0, bytes->size < LOOK_FOR_NUL ? bytes->size : LOOK_FOR_NUL);
}

/* ---- what may be wrong with a field ------------------------------------------ */

static imsat_status refuse_number(const table *t, size_t column, im_span text, im_number kind)
{
    char word[IM_WORD_ROOM];
    im_csv_word(word, text);
    if (text.size == 0)
        return im_fail(t->lines.err, IMSAT_EFORMAT,
                       "%s: line %zu, column %zu (from 0) is empty", t->lines.path,
                       t->lines.csv.line, column);
    if (kind == IM_NUMBER_NONE)
        return im_fail(t->lines.err, IMSAT_EFORMAT,
                       "%s: line %zu, column %zu (from 0): '%s' is not a number",
                       t->lines.path, t->lines.csv.line, column, word);
    return im_fail(
        t->lines.err, IMSAT_EFORMAT,
        "%s: row %zu, column %zu (both from 0; line %zu) is %s; values must be finite "
        "and in the range of float",
        t->lines.path, t->rows, column, t->lines.csv.line, word);
}

static imsat_status refuse_count(const table *t, im_span line)
{
    return im_fail(t->lines.err, IMSAT_EFORMAT,
                   "%s: line %zu has %zu fields; the lines before it have %zu", t->lines.path,
                   t->lines.csv.line, im_csv_count(&t->lines.csv, line), t->columns);
}

/* ---- the first lines ------------------------------------------------------------ */

/* Whether the text is a whole number, as a label column's index is. */
static bool parse_index(long long *index, const char *text)
{
    double value;
    if (im_number_parse(&value, text, strlen(text)) != IM_NUMBER_FINITE ||
        value != floor(value) || fabs(value) > 0x1p53 || strpbrk(text, ".eE"))
        return false;
    *index = (long long)value;
    return true;
}

static bool has_word(const table *t, im_span line)
{
    im_csv_cursor cursor = im_csv_fields(&t->lines.csv, line);
    im_csv_field field;
    double ignored;
    for (size_t column = 0; im_csv_next(&cursor, &field); column++)
        if (column != t->label && field.text.size > 0 &&
            im_number_parse(&ignored, field.text.at, field.text.size) == IM_NUMBER_NONE)
            return true;
    return false;
}

/* The names in a header, for a message: "a, b, c, ...". */
static void list_names(char list[LIST_ROOM], const table *t, im_span header)
{
    im_csv_cursor cursor = im_csv_fields(&t->lines.csv, header);
    im_csv_field field;
    char word[IM_WORD_ROOM];
    size_t used = 0;
    list[0] = '\0';
    while (im_csv_next(&cursor, &field)) {
        if (used + IM_WORD_ROOM + 8 > LIST_ROOM) {
            snprintf(list + used, LIST_ROOM - used, ", ...");
            return;
        }
        im_csv_word(word, field.text);
        used += (size_t)snprintf(list + used, LIST_ROOM - used, "%s%s", used ? ", " : "",
                                 *word ? word : "''");
    }
}

static imsat_status find_named(table *t, im_span header, const char *name)
{
    im_csv_cursor cursor = im_csv_fields(&t->lines.csv, header);
    im_csv_field field;
    char list[LIST_ROOM];
    char *plain = im_alloc(header.size + 1, 1);
    if (!plain)
        return im_fail_memory(t->lines.err, t->lines.path);
    const size_t length = strlen(name);
    for (size_t column = 0; t->label == NO_COLUMN && im_csv_next(&cursor, &field); column++)
        if (im_csv_plain(plain, &field) == length && memcmp(plain, name, length) == 0)
            t->label = column;
    im_free(plain);
    if (t->label != NO_COLUMN)
        return IMSAT_OK;
    if (!has_word(t, header))
        return im_fail(
            t->lines.err, IMSAT_EINVAL,
            "%s: no label column '%s': the file has no header; its columns are 0 to %zu",
            t->lines.path, name, t->columns - 1);
    list_names(list, t, header);
    return im_fail(t->lines.err, IMSAT_EINVAL, "%s: no label column '%s'; the columns are %s",
                   t->lines.path, name, list);
}

/* Find the label column: an index, negative from the end, or a name. */
static imsat_status find_label(table *t, im_span first, const char *label_column, bool *named)
{
    long long index;
    *named = false;
    if (!label_column)
        return IMSAT_OK;
    if (!parse_index(&index, label_column)) {
        *named = true;
        return find_named(t, first, label_column);
    }
    const long long columns = (long long)t->columns;
    if (index < -columns || index >= columns)
        return im_fail(
            t->lines.err, IMSAT_EINVAL,
            "%s: no label column %lld: the columns are 0 to %lld, or -%lld to -1 from "
            "the end",
            t->lines.path, index, columns - 1, columns);
    t->label = (size_t)(index < 0 ? index + columns : index);
    return IMSAT_OK;
}

/* Whether the first line is a header; the cursor of t is behind it. */
static bool is_header(const table *t, im_span first)
{
    im_csv ahead = t->lines.csv;
    im_span second;
    if (has_word(t, first))
        return true;
    if (t->label == NO_COLUMN || !im_csv_line(&ahead, &second))
        return false;
    const im_span a = im_csv_field_at(&t->lines.csv, first, t->label).text;
    const im_span b = im_csv_field_at(&t->lines.csv, second, t->label).text;
    return im_label_is_title(a.at, a.size, b.at, b.size);
}

/* Columns, label and header; leaves t at the first line of data. */
static imsat_status read_layout(table *t, im_bytes *bytes, const char *label_column)
{
    imsat_status st = IMSAT_OK;
    im_span first;
    bool named;
    IM_TRY(im_csv_begin(&t->lines, bytes));
    const im_csv start = t->lines.csv;
    if (!im_csv_line(&t->lines.csv, &first))
        return im_fail(t->lines.err, IMSAT_EFORMAT, "%s: holds no rows", t->lines.path);
    im_csv_cursor cursor = im_csv_fields(&t->lines.csv, first);
    im_csv_field field;
    for (; im_csv_next(&cursor, &field); t->columns++)
        if (field.broken)
            return im_csv_refuse_quotes(&t->lines, t->columns);
    IM_TRY(find_label(t, first, label_column, &named));
    if (t->columns == 1 && t->label != NO_COLUMN)
        return im_fail(t->lines.err, IMSAT_EFORMAT, "%s: has no column but the label's",
                       t->lines.path);
    if (!named && !is_header(t, first))
        t->lines.csv = start;

cleanup:
    return st;
}

/* ---- the rows ------------------------------------------------------------------- */

/* One value of a row. */
static inline imsat_status put_value(table *t, double *to, size_t column,
                                     const im_csv_field *field)
{
    const im_number kind = im_number_parse(to, field->text.at, field->text.size);
    if (field->broken)
        return im_csv_refuse_quotes(&t->lines, column);
    if (kind != IM_NUMBER_FINITE || (!t->any_range && !isfinite((float)*to)))
        return refuse_number(t, column, field->text, kind);
    t->wide |= (double)(float)*to != *to;
    return IMSAT_OK;
}

static imsat_status read_row(table *t, double *row, im_span line)
{
    imsat_status st = IMSAT_OK;
    im_csv_cursor cursor = im_csv_fields(&t->lines.csv, line);
    im_csv_field field;
    size_t column = 0, place = 0;
    for (; im_csv_next(&cursor, &field); column++) {
        if (column == t->columns)
            return refuse_count(t, line);
        if (column == t->label)
            IM_TRY(im_csv_add_label(t->labels, &t->lines, &field, column));
        else
            IM_TRY(put_value(t, &row[place++], column, &field));
    }
    if (column < t->columns)
        return refuse_count(t, line);

cleanup:
    return st;
}

/* All rows, piled up as doubles. */
static imsat_status read_rows(table *t, im_pile *rows)
{
    imsat_status st = IMSAT_OK;
    im_span line;
    bool found;
    for (;; t->rows++) {
        IM_TRY(im_csv_next_line(&t->lines, &line, &found));
        if (!found)
            break;
        void *row = im_pile_next(rows);
        if (!row)
            return im_fail_memory(t->lines.err, t->lines.path);
        IM_TRY(im_bytes_afford(t->lines.text.bytes, rows->count * rows->size, t->lines.err));
        IM_TRY(read_row(t, row, line));
    }
    if (t->rows == 0)
        st = im_fail(t->lines.err, IMSAT_EFORMAT, "%s: holds a header and no rows",
                     t->lines.path);

cleanup:
    return st;
}

/* Values as float, which holds all of them, behind those before. */
typedef struct narrowed {
    float *next;
    size_t dim;
} narrowed;

static void narrow(void *context, const void *rows, size_t count)
{
    narrowed *to = context;
    const double *from = rows;
    for (size_t i = 0; i < count * to->dim; i++)
        *to->next++ = (float)from[i];
}

/* The rows as one array (rows,dim), float if that holds all values. */
static void *join(im_pile *rows, size_t dim, bool wide)
{
    if (wide)
        return im_pile_join(rows);
    float *all = im_alloc_unset(rows->count * dim, sizeof *all);
    narrowed to = {all, dim};
    if (all)
        im_pile_drain(rows, narrow, &to);
    return all;
}

/* A block of the rows. */
static imsat_status make_block(im_block *block, table *t, im_pile *rows, size_t dim)
{
    imsat_status st = IMSAT_OK;
    const size_t shape[] = {t->rows, dim};
    char labels[48] = "";
    block->bytes.heap = join(rows, dim, t->wide);
    if (!block->bytes.heap)
        return im_fail_memory(t->lines.err, t->lines.path);
    block->dtype = t->wide ? IM_F64 : IM_F32;
    block->bytes.size = t->rows * dim * im_dtype_size(block->dtype);
    block->base = block->bytes.data = block->bytes.heap;
    IM_TRY(im_block_set_shape(block, shape, 2, t->lines.path, t->lines.err));
    if (t->label != NO_COLUMN)
        snprintf(labels, sizeof labels, ", labels in column %zu", t->label);
    IM_TRY(im_block_describe(block, t->lines.err, "%s (%zu, %zu), as %s in memory%s",
                             t->lines.csv.separator == '\t' ? "tsv" : "csv", t->rows, dim,
                             t->wide ? "float64" : "float32", labels));

cleanup:
    return st;
}

static imsat_status csv_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    table t = {.lines = {.path = request->path, .err = err},
               .labels = request->labels,
               .label = NO_COLUMN,
               .any_range = request->doubles,
               .wide = request->doubles};
    im_block block = {0};
    im_pile rows = {0};
    IM_TRY(read_layout(&t, bytes, request->label_column));
    const size_t dim = t.columns - (t.label != NO_COLUMN);
    rows.size = dim * sizeof(double);
    IM_TRY(read_rows(&t, &rows));
    IM_TRY(make_block(&block, &t, &rows, dim));
    IM_TRY(im_bytes_check(bytes, IMSAT_OK, err));
    im_bytes_clear(bytes);
    *out = block;
    block = (im_block){0};

cleanup:
    im_csv_end(&t.lines);
    im_pile_clear(&rows);
    im_block_clear(&block);
    return st;
}

const im_reader im_csv_reader = {
    .format = {"csv", "a table as text, with commas, tabs, semicolons or blanks", ".csv .tsv",
               NULL},
    .holds = csv_holds,
    .read = csv_read};
