/* SPDX-License-Identifier: MIT
 *
 * Results beside the rows that they are of.
 *
 * Rows of a table as text, and of JSON lines, are read again and copied as they are written,
 * with the new columns behind them (before the closing brace), if the output is of the same
 * kind. Rows of anything else are written as numbers, x0, x1, ..., and then the new columns.
 *
 * Which record of its file a row is, the data knows: rows that were left out are left out
 * here, too. A name of the file's header that is also one of the new columns' has these go by
 * imsat_NAME.
 */
#define _GNU_SOURCE
#include "core/alloc.h"
#include "core/path.h"
#include "data/dataset.h"
#include "data/output.h"
#include "features/documents.h"
#include "features/records.h"

#include <stdio.h>
#include <string.h>

static const char PREFIX[] = "imsat_";

enum { NAME_ROOM = 80, ROWS = 64 };

struct imsat_join {
    const imsat_data *data;
    const char *const *paths; /* (npaths) the caller's */
    size_t npaths;
    imsat_output *numbers; /* of rows that are written as numbers; else NULL: */
    im_writer writer;
    im_records records;        /* of paths[file - 1] */
    im_output_column *columns; /* (ncolumns) owned: what is added */
    char *texts;               /* owned: their names, NAME_ROOM bytes each */
    size_t ncolumns;
    char *header; /* owned: that of the first file; NULL: there is none */
    size_t header_size;
    size_t file;   /* files that were opened */
    size_t record; /* records that were read: of texts all, of rows those of this file */
    size_t row;    /* rows that were written */
    float *values; /* (ROWS,dim) owned, of numbers */
};

/* ---- what kind of file ------------------------------------------------------------ */

/* Whether rows can be copied, and as what. */
static imsat_status find_kind(bool *out, im_records_kind *kind, const imsat_data *data,
                              const char *const *paths, size_t npaths, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    bool tables = data->nblocks == npaths;
    size_t json = 0, csv = 0;
    for (size_t b = 0; b < data->nblocks; b++) {
        tables = tables && data->blocks[b].cells && !data->blocks[b].json;
        json += data->blocks[b].cells && data->blocks[b].json == '{';
    }
    for (size_t i = 0; data->documents && i < npaths; i++) {
        im_bytes bytes = {0};
        if (im_folder_is(paths[i]))
            return IMSAT_OK;
        IM_TRY(im_bytes_open(&bytes, paths[i], err));
        if (im_documents_are_json(&bytes))
            json++;
        else if (im_path_ends(paths[i], ".csv") || im_path_ends(paths[i], ".tsv"))
            csv++;
        im_bytes_clear(&bytes);
    }
    *out = tables || json == npaths || csv == npaths;
    *kind = json ? IM_RECORDS_JSON : csv ? IM_RECORDS_TEXTS : IM_RECORDS_TABLE;

cleanup:
    return st;
}

/* The format of the output, and whether rows are copied to it. */
static imsat_status choose(const im_output_format **format, bool *copies, const imsat_join *j,
                           const char *path, const char *name, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_records *records = &j->records;
    const im_output_format *own = records->kind == IM_RECORDS_JSON ? &im_jsonl_output
                                  : records->separator == '\t'     ? &im_tsv_output
                                                                   : &im_csv_output;
    IM_TRY(im_output_find(format, path, name, err));
    if (!name && *format == &im_npy_output && !im_path_ends(path, ".npy"))
        *format = *copies ? own : &im_csv_output; /* a name without an ending */
    if (!(*format)->shown.text)
        return im_fail(err, IMSAT_EINVAL,
                       "%s: rows with results beside them are .csv, .tsv or .jsonl, not %s",
                       path, (*format)->shown.name);
    *copies = *copies && *format == own;

cleanup:
    return st;
}

/* ---- names ----------------------------------------------------------------------- */

/* Whether the header has a field, or the first object something, of this name. */
static bool is_taken(const imsat_join *j, im_span record, const char *name)
{
    char quoted[NAME_ROOM + 4];
    if (j->records.kind == IM_RECORDS_JSON) {
        snprintf(quoted, sizeof quoted, "\"%s\"", name);
        return memmem(record.at, record.size, quoted, strlen(quoted)) != NULL;
    }
    const im_csv csv = {.separator = j->records.separator};
    im_csv_cursor cursor = im_csv_fields(&csv, record);
    im_csv_field field;
    while (im_csv_next(&cursor, &field))
        if (field.text.size == strlen(name) &&
            memcmp(field.text.at, name, field.text.size) == 0)
            return true;
    return false;
}

static bool any_taken(const imsat_join *j, im_span record)
{
    bool taken = false;
    for (size_t c = 0; c < j->ncolumns && !taken; c++)
        taken = is_taken(j, record, j->columns[c].name);
    return taken;
}

/* Let all new columns go by other names. */
static void rename_columns(imsat_join *j)
{
    for (size_t c = 0; c < j->ncolumns; c++) {
        char *text = j->texts + c * NAME_ROOM;
        memmove(text + sizeof PREFIX - 1, text, strlen(text) + 1);
        memcpy(text, PREFIX, sizeof PREFIX - 1);
    }
}

/* Objects need not have the same members: all of them are looked at, before the first is
 * written. */
static imsat_status look_at_members(imsat_join *j, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_records records = {0};
    im_span record;
    bool taken = false;
    for (size_t i = 0; i < j->npaths && !taken; i++) {
        bool found = true;
        IM_TRY(im_records_open(&records, IM_RECORDS_JSON, j->paths[i], err));
        while (found && !taken) {
            IM_TRY(im_records_next(&records, &record, &found, err));
            taken = found && any_taken(j, record);
        }
        im_records_close(&records);
    }
    if (taken)
        rename_columns(j);

cleanup:
    im_records_close(&records);
    return st;
}

static imsat_status keep_columns(imsat_join *j, const imsat_output_column *columns,
                                 size_t count, const char *path, imsat_error *err)
{
    j->columns = im_alloc(count, sizeof *j->columns);
    j->texts = im_alloc(count, NAME_ROOM);
    if (!j->columns || !j->texts)
        return im_fail_memory(err, path);
    j->ncolumns = count;
    for (size_t c = 0; c < count; c++) {
        char *text = j->texts + c * NAME_ROOM;
        snprintf(text, NAME_ROOM - sizeof PREFIX, "%s",
                 columns[c].name ? columns[c].name : "");
        j->columns[c].name = text;
        if (columns[c].width || !im_output_type(&j->columns[c].type, columns[c].type))
            return im_fail(err, IMSAT_EINVAL,
                           "%s: column '%s' is a list, or of a type that is none", path, text);
    }
    return IMSAT_OK;
}

/* ---- files ------------------------------------------------------------------------ */

static imsat_status put(imsat_join *j, const char *text, size_t size, imsat_error *err)
{
    return im_writer_put(&j->writer, text, size, err);
}

static imsat_status put_end(imsat_join *j, imsat_error *err)
{
    const char *end = j->records.carriage ? "\r\n" : "\n";
    return put(j, end, strlen(end), err);
}

static char separator_of(const imsat_join *j)
{
    return j->records.separator;
}

/* Keep the header of the first file, and see that the others have the same. */
static imsat_status take_header(imsat_join *j, im_span line, imsat_error *err)
{
    if (j->file > 1) {
        if (j->header && line.size == j->header_size &&
            memcmp(line.at, j->header, line.size) == 0)
            return IMSAT_OK;
        return im_fail(err, IMSAT_EMISMATCH,
                       "%s: its header is not that of %s, and rows are joined as they are "
                       "written; join one file at a time",
                       j->paths[j->file - 1], j->paths[0]);
    }
    j->header = im_alloc(line.size + 1, 1);
    if (!j->header)
        return im_fail_memory(err, j->paths[0]);
    memcpy(j->header, line.at, line.size);
    j->header_size = line.size;
    return IMSAT_OK;
}

static bool has_header(const imsat_join *j)
{
    return j->records.kind == IM_RECORDS_TEXTS ||
           (j->records.kind == IM_RECORDS_TABLE && j->data->blocks[j->file - 1].header);
}

static imsat_status open_next(imsat_join *j, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_records_kind kind = j->records.kind;
    im_span line;
    bool found = true;
    im_records_close(&j->records);
    IM_TRY(im_records_open(&j->records, kind, j->paths[j->file++], err));
    if (!j->data->documents)
        j->record = 0;
    if (has_header(j)) {
        IM_TRY(im_records_next(&j->records, &line, &found, err));
        if (found)
            IM_TRY(take_header(j, line, err));
    }

cleanup:
    return st;
}

static imsat_status put_header(imsat_join *j, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char separator = separator_of(j);
    if (!j->header)
        return IMSAT_OK;
    if (any_taken(j, (im_span){j->header, j->header_size}))
        rename_columns(j);
    IM_TRY(put(j, j->header, j->header_size, err));
    for (size_t c = 0; c < j->ncolumns; c++) {
        IM_TRY(put(j, &separator, 1, err));
        IM_TRY(put(j, j->columns[c].name, strlen(j->columns[c].name), err));
    }
    IM_TRY(put_end(j, err));

cleanup:
    return st;
}

/* ---- rows that are copied ------------------------------------------------------------ */

/* Which record of its file, or of all texts, the next row is. */
static size_t record_of(const imsat_join *j)
{
    const imsat_data *data = j->data;
    if (data->documents)
        return (size_t)data->documents[j->row];
    const im_block *block = &data->blocks[j->file - 1];
    const size_t row = j->row - block->first;
    return block->records ? block->records[row] : row;
}

static bool is_behind(const imsat_join *j)
{
    const im_block *block = &j->data->blocks[j->data->documents ? 0 : j->file - 1];
    return !j->data->documents && j->row >= block->first + block->rows;
}

/* The record of the next row. */
static imsat_status find_record(imsat_join *j, im_span *record, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    bool found = false;
    if (is_behind(j))
        IM_TRY(open_next(j, err));
    const size_t wanted = record_of(j);
    while (j->record <= wanted) {
        IM_TRY(im_records_next(&j->records, record, &found, err));
        j->record += found;
        if (!found && j->file == j->npaths)
            return im_fail(err, IMSAT_EIO,
                           "%s: has fewer rows than it had: it was changed meanwhile",
                           j->paths[j->file - 1]);
        if (!found)
            IM_TRY(open_next(j, err));
    }

cleanup:
    return im_records_check(&j->records, st, err);
}

/* A value; in a table whose numbers have decimal commas, with one. */
static size_t value_text(char text[IM_NUMBER_ROOM], const imsat_join *j, size_t column,
                         const void *values, size_t row)
{
    const size_t size = im_output_value(text, &j->columns[column], values, row);
    char *point = memchr(text, '.', size);
    if (point && j->data->schema.commas)
        *point = ',';
    return size;
}

static imsat_status put_fields(imsat_join *j, const void *const *values, size_t i,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char separator = separator_of(j);
    char text[IM_NUMBER_ROOM];
    for (size_t c = 0; c < j->ncolumns; c++) {
        IM_TRY(put(j, &separator, 1, err));
        IM_TRY(put(j, text, value_text(text, j, c, values[c], i), err));
    }

cleanup:
    return st;
}

/* The members of an object, behind those that it has: before its last brace. */
static imsat_status put_members(imsat_join *j, im_span record, const void *const *values,
                                size_t i, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *brace = memrchr(record.at, '}', record.size);
    const char *last = brace;
    char text[IM_NUMBER_ROOM + NAME_ROOM + 8];
    while (last > record.at && strchr(" \t", last[-1]))
        last--;
    IM_TRY(put(j, record.at, (size_t)(brace - record.at), err));
    for (size_t c = 0; c < j->ncolumns; c++) {
        char value[IM_NUMBER_ROOM] = "null";
        const size_t size = im_output_value(value, &j->columns[c], values[c], i);
        value[size ? size : 4] = '\0';
        const bool empty = c == 0 && last > record.at && last[-1] == '{';
        const int length = snprintf(text, sizeof text, "%s\"%s\":%s", empty ? "" : ",",
                                    j->columns[c].name, value);
        IM_TRY(put(j, text, (size_t)length, err));
    }
    IM_TRY(put(j, brace, record.size - (size_t)(brace - record.at), err));

cleanup:
    return st;
}

static imsat_status copy_rows(imsat_join *j, const void *const *values, size_t rows,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_span record;
    for (size_t i = 0; i < rows; i++, j->row++) {
        IM_TRY(find_record(j, &record, err));
        if (j->records.kind == IM_RECORDS_JSON) {
            IM_TRY(put_members(j, record, values, i, err));
        } else {
            IM_TRY(put(j, record.at, record.size, err));
            IM_TRY(put_fields(j, values, i, err));
        }
        IM_TRY(put_end(j, err));
    }

cleanup:
    return st;
}

/* ---- rows as numbers ------------------------------------------------------------------ */

static imsat_status begin_numbers(imsat_join *j, const char *path,
                                  const im_output_format *format, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_data *data = j->data;
    const size_t count = j->ncolumns + 1;
    im_output_column *all = im_alloc(count, sizeof *all);
    const char **names = data->schema.names ? im_alloc(data->dim, sizeof *names) : NULL;
    j->values = im_alloc(ROWS * data->dim, sizeof *j->values);
    if (!all || !j->values || (data->schema.names && !names)) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    for (size_t c = 0; names && c < data->dim; c++)
        names[c] = imsat_data_column_name(data, c);
    all[0] =
        (im_output_column){.name = "x", .type = IM_F32, .width = data->dim, .names = names};
    memcpy(all + 1, j->columns, j->ncolumns * sizeof *all);
    IM_TRY(im_output_open(&j->numbers, path, format, all, count, data->rows, err));
    j->numbers->columns[0].names = NULL; /* they are written, and go */

cleanup:
    im_free(all);
    im_free(names);
    return st;
}

static imsat_status put_numbers(imsat_join *j, const void *const *values, size_t rows,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const void **all = im_alloc(j->ncolumns + 1, sizeof *all);
    if (!all)
        return im_fail_memory(err, "the columns of a table");
    all[0] = j->values;
    for (size_t first = 0; first < rows; first += ROWS) {
        const size_t count = im_size_min(ROWS, rows - first);
        IM_TRY(imsat_data_read(j->data, j->row, count, j->values, err));
        for (size_t c = 0; c < j->ncolumns; c++)
            all[c + 1] =
                (const unsigned char *)values[c] + first * im_dtype_size(j->columns[c].type);
        IM_TRY(imsat_output_append(j->numbers, all, count, err));
        j->row += count;
    }

cleanup:
    im_free(all);
    return st;
}

/* ---- the public part ------------------------------------------------------------------ */

static imsat_status check_paths(const char *const *paths, size_t npaths, const char *path,
                                imsat_error *err)
{
    for (size_t i = 0; i < npaths; i++)
        if (!im_path_lasts(paths[i]))
            return im_fail(err, IMSAT_EINVAL,
                           "%s: its rows cannot be joined to %s: that takes reading it twice; "
                           "write it to a file first",
                           paths[i], path);
    return IMSAT_OK;
}

imsat_status imsat_join_create(imsat_join **out, const char *path, const char *format,
                               const imsat_data *data, const char *const *paths, size_t npaths,
                               const imsat_output_column *columns, size_t ncolumns,
                               imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE_PATH(path);
    IM_REQUIRE(data);
    IM_REQUIRE_PATHS(paths, npaths);
    IM_REQUIRE_ARRAY(columns, ncolumns);
    imsat_status st = IMSAT_OK;
    const im_output_format *found = NULL;
    bool copies = false;
    imsat_join *j = im_alloc(1, sizeof *j);
    if (!j)
        return im_fail_memory(err, path);
    j->data = data;
    j->paths = paths;
    j->npaths = npaths;
    IM_TRY(check_paths(paths, npaths, path, err));
    IM_TRY(keep_columns(j, columns, ncolumns, path, err));
    IM_TRY(find_kind(&copies, &j->records.kind, data, paths, npaths, err));
    if (copies)
        IM_TRY(open_next(j, err));
    IM_TRY(choose(&found, &copies, j, path, format, err));
    if (copies) {
        if (j->records.kind == IM_RECORDS_JSON)
            IM_TRY(look_at_members(j, err));
        IM_TRY(im_writer_open(&j->writer, path, err));
        IM_TRY(put_header(j, err));
    } else {
        IM_TRY(begin_numbers(j, path, found, err));
    }
    *out = j;
    j = NULL;

cleanup:
    imsat_join_free(j);
    return st;
}

imsat_status imsat_join_append(imsat_join *file, const void *const *values, size_t rows,
                               imsat_error *err)
{
    IM_REQUIRE(file);
    IM_REQUIRE_ARRAY(values, rows);
    if (rows > file->data->rows - file->row)
        return im_fail(err, IMSAT_EINVAL, "%zu rows more than the data has",
                       rows - (file->data->rows - file->row));
    return file->numbers ? put_numbers(file, values, rows, err)
                         : copy_rows(file, values, rows, err);
}

imsat_status imsat_join_commit(imsat_join *file, imsat_error *err)
{
    IM_REQUIRE(file);
    if (file->row < file->data->rows)
        return im_fail(err, IMSAT_EINVAL, "%zu rows are missing",
                       file->data->rows - file->row);
    return file->numbers ? imsat_output_commit(file->numbers, err)
                         : im_writer_commit(&file->writer, err);
}

void imsat_join_free(imsat_join *file)
{
    if (!file)
        return;
    imsat_output_free(file->numbers);
    im_writer_clear(&file->writer);
    im_records_close(&file->records);
    im_free(file->columns);
    im_free(file->texts);
    im_free(file->header);
    im_free(file->values);
    im_free(file);
}
