/* SPDX-License-Identifier: MIT
 * Lines and fields of text tables; see csv_split.h. */
#include "data/csv_split.h"

#include "core/path.h"
#include "data/reader.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static im_span trim(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    while (end > at && is_blank(end[-1]))
        end--;
    return (im_span){at, (size_t)(end - at)};
}

/* Whether every comma is a decimal one: between digits, and at most one between two `other`,
 * which separates. */
static bool commas_are_decimal(im_span line, char other)
{
    bool seen = false;
    for (size_t i = 0; i < line.size; i++) {
        if (line.at[i] == other)
            seen = false;
        if (line.at[i] != ',')
            continue;
        if (seen || i == 0 || i + 1 == line.size || !is_digit(line.at[i - 1]) ||
            !is_digit(line.at[i + 1]))
            return false;
        seen = true;
    }
    return true;
}

static char choose_separator(im_span line, const char *path)
{
    const bool tabs = memchr(line.at, '\t', line.size);
    const bool semicolons = memchr(line.at, ';', line.size);
    bool commas = memchr(line.at, ',', line.size);
    if (commas && (tabs || semicolons))
        commas = !commas_are_decimal(line, tabs ? '\t' : ';');
    if (im_path_ends(path, ".tsv") || (tabs && !commas))
        return '\t';
    if (commas)
        return ',';
    return semicolons ? ';' : ' ';
}

void im_csv_start(im_csv *csv, im_span text, const char *path)
{
    static const char byte_order_mark[] = {'\xEF', '\xBB', '\xBF'};
    im_csv csv_here = {.at = text.at, .end = text.at + text.size, .separator = ' '};
    im_span line;
    if (text.size >= sizeof byte_order_mark &&
        memcmp(csv_here.at, byte_order_mark, sizeof byte_order_mark) == 0)
        csv_here.at += sizeof byte_order_mark;
    *csv = csv_here;
    while (im_csv_line(&csv_here, &line)) {
        if (*line.at != '#') {
            csv->separator = choose_separator(line, path);
            return;
        }
        *csv = csv_here; /* behind the comment */
    }
}

bool im_csv_line(im_csv *csv, im_span *line)
{
    while (csv->at < csv->end) {
        const char *start = csv->at;
        const char *newline = memchr(start, '\n', (size_t)(csv->end - start));
        const char *stop = newline ? newline : csv->end;
        csv->at = newline ? newline + 1 : csv->end;
        csv->line++;
        if (stop > start && stop[-1] == '\r')
            stop--;
        const char *text = start;
        while (text < stop && is_blank(*text))
            text++;
        if (text < stop) {
            *line = (im_span){start, (size_t)(stop - start)};
            return true;
        }
    }
    return false;
}

im_csv_cursor im_csv_fields(const im_csv *csv, im_span line)
{
    im_csv_cursor cursor = {line.at, line.at + line.size, csv->separator};
    if (csv->separator == ' ') { /* blanks at the ends separate nothing */
        const im_span inner = trim(cursor.at, cursor.end);
        cursor.at = inner.at;
        cursor.end = inner.at + inner.size;
    }
    return cursor;
}

/* Move behind the separator at `at`, or say that there is no more. */
static void pass_separator(im_csv_cursor *cursor, const char *at)
{
    if (at >= cursor->end) {
        cursor->at = NULL;
        return;
    }
    at++;
    if (cursor->separator == ' ')
        while (at < cursor->end && is_blank(*at))
            at++;
    cursor->at = at;
}

static inline bool separates(const im_csv_cursor *cursor, char c)
{
    return c == cursor->separator || (cursor->separator == ' ' && c == '\t');
}

/* A field whose opening quote is at `quote`. */
static void quoted_field(im_csv_cursor *cursor, im_csv_field *field, const char *quote)
{
    const char *at = quote + 1;
    for (; at < cursor->end; at++) {
        if (*at != '"')
            continue;
        if (at + 1 == cursor->end || at[1] != '"')
            break;
        field->escaped = true;
        at++;
    }
    field->text = (im_span){quote + 1, (size_t)(at - quote - 1)};
    if (at == cursor->end) {
        field->broken = true;
        cursor->at = NULL;
        return;
    }
    at++;
    while (at < cursor->end && is_blank(*at) && !separates(cursor, *at))
        at++;
    if (at < cursor->end && !separates(cursor, *at))
        field->broken = true;
    pass_separator(cursor, at);
}

bool im_csv_next(im_csv_cursor *cursor, im_csv_field *field)
{
    const char *at = cursor->at, *end = cursor->end;
    if (!at)
        return false;
    field->escaped = field->broken = false;
    while (at < end && is_blank(*at) && !separates(cursor, *at))
        at++;
    if (at < end && *at == '"') {
        quoted_field(cursor, field, at);
        return true;
    }
    const char *stop = at;
    while (stop < end && !separates(cursor, *stop))
        stop++;
    pass_separator(cursor, stop);
    const char *last = stop;
    while (last > at && is_blank(last[-1]))
        last--;
    field->text = (im_span){at, (size_t)(last - at)};
    return true;
}

size_t im_csv_count(const im_csv *csv, im_span line)
{
    im_csv_cursor cursor = im_csv_fields(csv, line);
    im_csv_field field;
    size_t count = 0;
    while (im_csv_next(&cursor, &field))
        count++;
    return count;
}

im_csv_field im_csv_field_at(const im_csv *csv, im_span line, size_t column)
{
    im_csv_cursor cursor = im_csv_fields(csv, line);
    im_csv_field field = {0};
    for (size_t i = 0; im_csv_next(&cursor, &field) && i < column; i++)
        ;
    return field;
}

size_t im_csv_plain(char *out, const im_csv_field *field)
{
    size_t used = 0;
    for (size_t i = 0; i < field->text.size; i++) {
        out[used++] = field->text.at[i];
        if (field->escaped && field->text.at[i] == '"')
            i++; /* the second of two */
    }
    return used;
}

void im_csv_word(char word[IM_WORD_ROOM], im_span text)
{
    const bool cut = text.size > IM_WORD_MAX;
    size_t size = cut ? IM_WORD_MAX : text.size;
    while (cut && size > 0 && ((unsigned char)text.at[size] & 0xC0) == 0x80)
        size--; /* not inside a UTF-8 character */
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text.at[i];
        word[i] = c < ' ' || c == 127 ? '?' : (char)c;
    }
    memcpy(word + size, cut ? "..." : "", cut ? 4 : 1);
}
