/* SPDX-License-Identifier: MIT
 *
 * Text tables of numbers (.csv, .tsv, what np.savetxt writes), of which one column may hold
 * labels; see csv_split.h for lines and fields, csv_layout.h for what the columns are,
 * label_list.h for what labels become. The other columns become an array of float if float
 * holds every number, else one of double: what is rounded to float, and when, is for the
 * preprocessing to say (preprocess.h). Lines of JSON are such tables, too (json_rows.h).
 *
 * In messages lines count from 1 as in an editor, rows and columns from 0.
 */
#include "core/alloc.h"
#include "core/pile.h"
#include "data/cell.h"
#include "data/csv_labels.h"
#include "data/csv_values.h"

#include <stdio.h>
#include <string.h>

enum { LOOK_FOR_NUL = 1 << 16 };

/* The file being read. */
typedef struct table {
    im_csv_lines lines;
    im_label_list *labels;
    im_csv_layout layout;
    im_csv_values values;
    size_t rows;  /* kept so far */
    im_pile kept; /* size_t: which line of data each is, if some may be left out */
    double index; /* where an index would begin: 0 or 1 */
} table;

static bool csv_holds(const im_bytes *bytes)
{
    return !memchr(bytes->data, 0, bytes->size < LOOK_FOR_NUL ? bytes->size : LOOK_FOR_NUL);
}

static imsat_status refuse_count(const table *t, im_span line)
{
    return im_fail(t->lines.err, IMSAT_EFORMAT,
                   "%s: line %zu has %zu fields; the lines before it have %zu", t->lines.path,
                   t->lines.csv.line, im_csv_count(&t->lines.csv, line),
                   t->layout.columns.count);
}

/* ---- the rows ------------------------------------------------------------------- */

/* Whether a row without a label is to be left out, and not the file to be refused. */
static bool drops_missing(const table *t)
{
    return t->values.schema && t->values.schema->options.missing == IMSAT_MISSING_DROP;
}

/* The values of a row, and its label. *keep: it does not lack its label. */
static imsat_status read_row(table *t, double *row, bool *keep, im_span line)
{
    imsat_status st = IMSAT_OK;
    im_csv_cursor cursor = im_csv_fields(&t->lines.csv, line);
    im_csv_field field, label = {0};
    size_t column = 0;
    *keep = true;
    for (; im_csv_next(&cursor, &field); column++) {
        if (column == t->layout.columns.count)
            return refuse_count(t, line);
        const size_t target = t->layout.target[column];
        if (target != IM_NO_COLUMN)
            IM_TRY(im_csv_value(&row[target], &t->values, column, &field));
        else if (column == t->layout.label)
            label = field;
    }
    if (column < t->layout.columns.count)
        return refuse_count(t, line);
    if (t->layout.label == IM_NO_COLUMN)
        return IMSAT_OK;
    *keep = !drops_missing(t) || !im_cell_missing(label.text);
    if (*keep)
        st = im_csv_add_label(t->labels, &t->lines, &label, t->layout.label);
    if (st != IMSAT_OK && label.text.size == 0 && t->values.schema)
        st = im_fail_advise(st, t->lines.err, "--missing drop leaves out rows without one");

cleanup:
    return st;
}

/* Whether value 0, which may be an index, still is: 0, 1, 2, ... or 1, 2, 3, ... */
static void watch_index(table *t, double value)
{
    const size_t row = t->values.row;
    if (row == 0)
        t->index = value;
    t->layout.index &= (t->index == 0 || t->index == 1) && value == t->index + (double)row;
}

/* Say what became of the rows. */
static imsat_status check_rows(table *t)
{
    const size_t seen = t->values.row;
    if (seen == 0)
        return im_fail(t->lines.err, IMSAT_EFORMAT, "%s: holds a header and no rows",
                       t->lines.path);
    if (t->rows == 0)
        return im_fail(t->lines.err, IMSAT_EFORMAT,
                       "%s: --missing drop leaves none of the %zu rows, which all lack their "
                       "label",
                       t->lines.path, seen);
    if (t->rows == seen)
        return IMSAT_OK;
    return im_notes_add(&t->values.schema->notes, t->lines.err,
                        "%s: %zu of %zu rows lack their label, and are left out",
                        t->lines.path, seen - t->rows, seen);
}

/* What the rows say of the columns. */
static imsat_status tell_schema(im_schema *schema, const table *t)
{
    schema->commas |= t->values.commas;
    return im_schema_note_unknown(schema, t->lines.path, t->lines.err);
}

/* Rows may be left out: note which line this one is. */
static imsat_status keep_line(table *t)
{
    size_t *line = im_pile_next(&t->kept);
    if (!line)
        return im_fail_memory(t->lines.err, t->lines.path);
    *line = t->values.row;
    return IMSAT_OK;
}

/* All rows, piled up as doubles. */
static imsat_status read_rows(table *t, im_pile *rows)
{
    imsat_status st = IMSAT_OK;
    im_span line;
    bool found, keep;
    for (;; t->values.row++) {
        IM_TRY(im_csv_next_line(&t->lines, &line, &found));
        if (!found)
            break;
        double *row = im_pile_next(rows);
        if (!row)
            return im_fail_memory(t->lines.err, t->lines.path);
        IM_TRY(im_bytes_afford(t->lines.text.bytes, rows->count * rows->size, t->lines.err));
        IM_TRY(read_row(t, row, &keep, line));
        if (t->layout.index)
            watch_index(t, row[0]);
        if (!keep)
            im_pile_undo(rows);
        else if (t->kept.size)
            IM_TRY(keep_line(t));
        t->rows = rows->count;
    }
    IM_TRY(im_csv_values_check(&t->values));
    IM_TRY(check_rows(t));
    if (t->values.schema)
        IM_TRY(tell_schema(t->values.schema, t));

cleanup:
    return st;
}

/* An array being filled with rows of `width` values, of which the first `skip` are left out:
 * of float, which holds all of them, or of double. */
typedef struct joined {
    float *floats;
    double *doubles;
    size_t width, skip;
} joined;

static void append(void *context, const void *rows, size_t count)
{
    joined *to = context;
    const double *from = rows;
    for (size_t i = 0; i < count; i++, from += to->width)
        for (size_t j = to->skip; j < to->width; j++)
            if (to->floats)
                *to->floats++ = (float)from[j];
            else
                *to->doubles++ = from[j];
}

/* The rows as one array, without the first `skip` values of each; float if that holds all. */
static void *join(im_pile *rows, size_t width, size_t skip, bool wide)
{
    joined to = {.width = width, .skip = skip};
    if (wide && skip == 0)
        return im_pile_join(rows);
    void *all = im_alloc_unset(rows->count * (width - skip),
                               wide ? sizeof *to.doubles : sizeof *to.floats);
    if (wide)
        to.doubles = all;
    else
        to.floats = all;
    if (all)
        im_pile_drain(rows, append, &to);
    return all;
}

/* A block of the rows. */
static imsat_status make_block(im_block *block, table *t, im_pile *rows)
{
    imsat_status st = IMSAT_OK;
    const size_t width = t->layout.width, skip = t->layout.index, dim = width - skip;
    const bool wide = t->values.wide;
    char labels[48] = "";
    void *elements = join(rows, width, skip, wide);
    if (!elements)
        return im_fail_memory(t->lines.err, t->lines.path);
    block->dtype = wide ? IM_F64 : IM_F32;
    block->cells = t->values.schema != NULL;
    block->header = t->layout.columns.header;
    block->json = t->lines.rows.kind;
    if (t->rows < t->values.row) {
        block->records = im_pile_join(&t->kept);
        if (!block->records) {
            st = im_fail_memory(t->lines.err, t->lines.path);
            goto cleanup;
        }
    }
    IM_TRY(im_block_own(block, elements, t->rows, dim, t->lines.path, t->lines.err));
    elements = NULL;
    if (t->layout.label != IM_NO_COLUMN)
        snprintf(labels, sizeof labels, ", labels in column %zu", t->layout.label);
    IM_TRY(im_block_describe(block, t->lines.err, "%s (%zu, %zu), as %s in memory%s",
                             t->lines.json                    ? "jsonl"
                             : t->lines.csv.separator == '\t' ? "tsv"
                                                              : "csv",
                             t->rows, dim, wide ? "float64" : "float32", labels));

cleanup:
    im_free(elements);
    return st;
}

static imsat_status read_table(im_block *out, im_bytes *bytes, const im_read_request *request,
                               bool json, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    table t = {.lines = {.json = json, .path = request->path, .err = err},
               .labels = request->labels,
               .values = {.schema = request->schema,
                          .any_range = request->doubles,
                          .wide = request->doubles}};
    im_block block = {0};
    im_pile rows = {0};
    IM_TRY(im_csv_layout_read(&t.layout, &t.lines, bytes, request));
    t.values.lines = &t.lines;
    t.values.target = t.layout.target;
    rows.size = t.layout.width * sizeof(double);
    if (request->schema && request->schema->options.missing == IMSAT_MISSING_DROP)
        t.kept.size = sizeof(size_t);
    IM_TRY(read_rows(&t, &rows));
    IM_TRY(make_block(&block, &t, &rows));
    if (t.layout.index)
        IM_TRY(im_schema_drop_index(request->schema, request->path, err));
    IM_TRY(im_bytes_check(bytes, IMSAT_OK, err));
    im_bytes_clear(bytes);
    *out = block;
    block = (im_block){0};

cleanup:
    im_csv_end(&t.lines);
    im_csv_layout_clear(&t.layout);
    im_pile_clear(&rows);
    im_pile_clear(&t.kept);
    im_block_clear(&block);
    return st;
}

static imsat_status csv_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                             imsat_error *err)
{
    return read_table(out, bytes, request, false, err);
}

static imsat_status jsonl_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                               imsat_error *err)
{
    return read_table(out, bytes, request, true, err);
}

const im_reader im_csv_reader = {
    .format = {"csv", "a table as text, with commas, tabs, semicolons or blanks", ".csv .tsv",
               NULL},
    .table = true,
    .holds = csv_holds,
    .read = csv_read};

const im_reader im_jsonl_reader = {
    .format = {"jsonl",
               "a table as lines of JSON: an object, whose members are columns, or an "
               "array each",
               ".jsonl .ndjson", NULL},
    .table = true,
    .holds = im_json_rows_begin,
    .read = jsonl_read};
