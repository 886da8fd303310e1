/* SPDX-License-Identifier: MIT
 *
 * CSV and TSV of texts; see documents.h. Unlike tables of numbers (data/csv_split.h), fields
 * in quotes may go over several lines, as texts do, so the table is held as a whole. The first
 * record has the names of the columns.
 *
 * Prefixes: im_documents_.
 */
#include "core/alloc.h"
#include "features/documents.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>

enum { LIST_ROOM = 400 };

static const size_t NO_COLUMN = SIZE_MAX;

/* The table, as far as it was read. */
typedef struct table {
    const im_documents *documents;
    imsat_error *err;
    const char *at, *end;
    char separator;
    size_t line;        /* of the record that was read last, from 1 */
    size_t next_line;   /* of what is at `at` */
    size_t columns;     /* as the header has them */
    size_t text, label; /* which ones; label: NO_COLUMN if there is none */
    char *plain[2];     /* (room) owned: text and label without their quotes */
    size_t room[2];
} table;

static imsat_status refuse_line(const table *t, const char *why)
{
    return im_fail(t->err, IMSAT_EFORMAT, "%s: line %zu: %s", t->documents->path, t->line,
                   why);
}

/* ---- fields ----------------------------------------------------------------------------- */

/* The end of a field in quotes, which begins at `at`: its closing quote, or NULL. */
static const char *find_quote(const char *at, const char *end)
{
    while ((at = memchr(at, '"', (size_t)(end - at)))) {
        if (at + 1 == end || at[1] != '"')
            return at;
        at += 2;
    }
    return NULL;
}

static bool ends_field(const table *t, const char *at)
{
    return at == t->end || *at == t->separator || *at == '\n' ||
           (*at == '\r' && (at + 1 == t->end || at[1] == '\n'));
}

/* The next field of a record, and *last if it was the last one. */
static imsat_status next_field(table *t, im_csv_field *field, bool *last)
{
    *field = (im_csv_field){0};
    if (t->at < t->end && *t->at == '"') {
        const char *quote = find_quote(t->at + 1, t->end);
        if (!quote || !ends_field(t, quote + 1))
            return refuse_line(t, quote ? "there is text behind a closing quote"
                                        : "a quote is not closed");
        field->text = (im_span){t->at + 1, (size_t)(quote - t->at - 1)};
        field->escaped = true;
        for (const char *c = t->at; c < quote; c++)
            t->next_line += *c == '\n';
        t->at = quote + 1;
    } else {
        const char *begin = t->at;
        while (!ends_field(t, t->at))
            t->at++;
        field->text = (im_span){begin, (size_t)(t->at - begin)};
    }
    *last = t->at == t->end || *t->at != t->separator;
    if (t->at < t->end && *t->at == '\r')
        t->at++;
    if (t->at < t->end && *t->at == '\n')
        t->next_line++;
    t->at += t->at < t->end;
    return IMSAT_OK;
}

/* A field without its quotes: in place, or copied. */
static imsat_status make_plain(table *t, int which, im_span *out, const im_csv_field *field)
{
    *out = field->text;
    if (!field->escaped || !memchr(field->text.at, '"', field->text.size))
        return IMSAT_OK;
    if (field->text.size > t->room[which]) {
        char *plain = im_alloc_unset(2 * field->text.size, 1);
        if (!plain)
            return im_fail_memory(t->err, t->documents->path);
        im_free(t->plain[which]);
        t->plain[which] = plain;
        t->room[which] = 2 * field->text.size;
    }
    *out = (im_span){t->plain[which], im_csv_plain(t->plain[which], field)};
    return IMSAT_OK;
}

/* Go over blank lines; whether a record follows. */
static bool find_record(table *t)
{
    while (t->at < t->end && (*t->at == '\n' || *t->at == '\r'))
        t->next_line += *t->at++ == '\n';
    t->line = t->next_line;
    return t->at < t->end;
}

/* ---- the header ------------------------------------------------------------------------- */

/* A column by its number, from 0, or from the end if it is negative. */
static size_t column_number(const char *name, size_t columns)
{
    char *end;
    errno = 0;
    const long number = strtol(name, &end, 10);
    if (end == name || *end || errno)
        return NO_COLUMN;
    if (number >= 0)
        return (size_t)number < columns ? (size_t)number : NO_COLUMN;
    return (size_t)-number <= columns ? columns - (size_t)-number : NO_COLUMN;
}

/* Where in the header a name was found, and all names for the message. */
typedef struct search {
    const char *name, *option;
    size_t found;
} search;

static imsat_status refuse_name(const table *t, const search *s, const char *list)
{
    return im_fail(t->err, IMSAT_EINVAL,
                   "%s: there is no column '%s' but %s; say which one it is by %s NAME",
                   t->documents->path, s->name, list, s->option);
}

static imsat_status read_header(table *t, search *searches, size_t count)
{
    imsat_status st = IMSAT_OK;
    char list[LIST_ROOM] = "";
    size_t used = 0;
    for (bool last = false; !last; t->columns++) {
        im_csv_field field;
        im_span name;
        IM_TRY(next_field(t, &field, &last));
        IM_TRY(make_plain(t, 0, &name, &field));
        assert(name.at); /* in the file, also if it is empty */
        for (size_t i = 0; i < count; i++)
            if (searches[i].name && searches[i].found == NO_COLUMN &&
                strlen(searches[i].name) == name.size &&
                memcmp(searches[i].name, name.at, name.size) == 0)
                searches[i].found = t->columns;
        char word[IM_WORD_ROOM];
        im_csv_word(word, name);
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     t->columns ? ", " : "", word);
    }
    for (size_t i = 0; i < count; i++) {
        if (!searches[i].name)
            continue;
        if (searches[i].found == NO_COLUMN)
            searches[i].found = column_number(searches[i].name, t->columns);
        if (searches[i].found == NO_COLUMN)
            return refuse_name(t, &searches[i], list);
    }

cleanup:
    return st;
}

static imsat_status find_columns(table *t)
{
    imsat_status st = IMSAT_OK;
    const im_documents *documents = t->documents;
    search searches[] = {
        {documents->text_column ? documents->text_column : "text", "--text-column", NO_COLUMN},
        {documents->label_column, "--label-column", NO_COLUMN}};
    IM_TRY(read_header(t, searches, 2));
    t->text = searches[0].found;
    t->label = searches[1].found;

cleanup:
    return st;
}

/* ---- records ---------------------------------------------------------------------------- */

static imsat_status take_record(table *t)
{
    imsat_status st = IMSAT_OK;
    im_csv_field fields[2] = {{{0}, false, false}};
    im_span text, label;
    size_t column = 0;
    for (bool last = false; !last; column++) {
        im_csv_field field;
        IM_TRY(next_field(t, &field, &last));
        if (column == t->text)
            fields[0] = field;
        if (column == t->label)
            fields[1] = field;
    }
    if (column != t->columns)
        return im_fail(t->err, IMSAT_EFORMAT,
                       "%s: line %zu has %zu fields, and the header %zu; fields with a "
                       "separator in them must be in quotes",
                       t->documents->path, t->line, column, t->columns);
    IM_TRY(make_plain(t, 0, &text, &fields[0]));
    IM_TRY(make_plain(t, 1, &label, &fields[1]));
    assert(t->label == NO_COLUMN || label.at);
    if (t->label != NO_COLUMN && memchr(label.at, '\0', label.size))
        return refuse_line(t, "the label holds a zero byte");
    IM_TRY(im_documents_put(t->documents, text, label, t->err));

cleanup:
    return st;
}

/* All of the text, and the separator that its first line tells. */
static imsat_status begin(table *t, im_bytes *bytes)
{
    imsat_status st = IMSAT_OK;
    im_csv csv;
    while (bytes->stream) /* twice as much each time: how much there is, nobody knows */
        IM_TRY(im_bytes_need(bytes, 2 * bytes->size + 1, t->err));
    const im_span all = {(const char *)bytes->data, bytes->size};
    im_csv_start(&csv, all, t->documents->path);
    t->at = csv.at;
    t->end = csv.end;
    t->next_line = csv.line + 1;
    t->separator = csv.separator == ' ' ? ',' : csv.separator; /* of one column of words */

cleanup:
    return st;
}

imsat_status im_documents_table(const im_documents *documents, im_bytes *bytes,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    table t = {.documents = documents, .err = err};
    IM_TRY(begin(&t, bytes));
    if (!find_record(&t)) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: there is no line with the names of columns",
                     documents->path);
        goto cleanup;
    }
    IM_TRY(find_columns(&t));
    while (find_record(&t)) {
        const char *start = t.at;
        IM_TRY(take_record(&t));
        im_bytes_touched(bytes, start, (size_t)(t.at - start));
    }

cleanup:
    im_free(t.plain[0]);
    im_free(t.plain[1]);
    return st;
}
