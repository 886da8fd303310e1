/* SPDX-License-Identifier: MIT
 * Which columns of a table are meant; see columns.h. */
#include "data/columns.h"

#include "core/alloc.h"
#include "data/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------- */

/* All names are one block, which begins with the first of them. */
imsat_status im_columns_read(im_columns *out, const im_csv *csv, im_span line,
                             const char *path, imsat_error *err)
{
    const size_t count = im_csv_count(csv, line);
    char **names = im_alloc(count, sizeof *names);
    char *text = im_alloc(line.size + count, 1);
    if (!names || !text) {
        im_free(names);
        im_free(text);
        return im_fail_memory(err, path);
    }
    im_csv_cursor cursor = im_csv_fields(csv, line);
    im_csv_field field;
    for (size_t i = 0; i < count; i++) {
        names[i] = text;
        if (im_csv_next(&cursor, &field)) /* or the file has become shorter since */
            text += im_csv_plain(text, &field);
        *text++ = '\0';
    }
    *out = (im_columns){.count = count, .names = names};
    return IMSAT_OK;
}

void im_columns_clear(im_columns *columns)
{
    if (columns->names)
        im_free(columns->names[0]);
    im_free(columns->names);
    *columns = (im_columns){0};
}

void im_columns_list(char list[IM_COLUMNS_ROOM], const im_columns *columns)
{
    char word[IM_WORD_ROOM];
    size_t used = 0;
    if (!columns->header) {
        snprintf(list, IM_COLUMNS_ROOM, "0 to %zu", columns->count - 1);
        return;
    }
    for (size_t i = 0; i < columns->count; i++) {
        if (used + IM_WORD_ROOM + 8 > IM_COLUMNS_ROOM) {
            snprintf(list + used, IM_COLUMNS_ROOM - used, ", ...");
            return;
        }
        im_csv_word(word, (im_span){columns->names[i], strlen(columns->names[i])});
        used += (size_t)snprintf(list + used, IM_COLUMNS_ROOM - used, "%s%s", used ? ", " : "",
                                 *word ? word : "''");
    }
}

/* ---- one column ------------------------------------------------------------------- */

/* Whether the text is a whole number, as the index of a column is. */
static bool parse_index(double *index, im_span text)
{
    for (size_t i = 0; i < text.size; i++)
        if (strchr(".eE", text.at[i]))
            return false;
    return im_number_parse(index, text.at, text.size) == IM_NUMBER_FINITE;
}

static bool find_index(size_t *column, size_t count, double index)
{
    const double at = index < 0 ? index + (double)count : index;
    if (at < 0 || at >= (double)count)
        return false;
    *column = (size_t)at;
    return true;
}

static bool find_name(size_t *column, const im_columns *columns, im_span text)
{
    for (size_t i = 0; i < columns->count; i++)
        if (strlen(columns->names[i]) == text.size &&
            memcmp(columns->names[i], text.at, text.size) == 0) {
            *column = i;
            return true;
        }
    return false;
}

/* One end of a range. */
static bool find_end(size_t *column, bool *named, const im_columns *columns, im_span text)
{
    double index;
    if (parse_index(&index, text))
        return find_index(column, columns->count, index);
    if (text.size == 0 || !find_name(column, columns, text))
        return false;
    *named = true;
    return true;
}

/* ---- what is not found ------------------------------------------------------------ */

static imsat_status refuse_index(const im_columns *columns, double index, const char *none,
                                 const char *path, imsat_error *err)
{
    return im_fail(err, IMSAT_EINVAL,
                   "%s: %s %.0f: the columns are 0 to %zu, or -%zu to -1 from the end", path,
                   none, index, columns->count - 1, columns->count);
}

static imsat_status refuse_name(const im_columns *columns, im_span text, const char *none,
                                const char *path, imsat_error *err)
{
    char word[IM_WORD_ROOM], list[IM_COLUMNS_ROOM];
    im_csv_word(word, text);
    im_columns_list(list, columns);
    if (!columns->header)
        return im_fail(err, IMSAT_EINVAL,
                       "%s: %s '%s': the file has no header; its columns are %s", path, none,
                       word, list);
    return im_fail(err, IMSAT_EINVAL, "%s: %s '%s'; the columns are %s", path, none, word,
                   list);
}

/* ---- options ---------------------------------------------------------------------- */

imsat_status im_columns_find(size_t *column, bool *named, const im_columns *columns,
                             const char *text, const char *none, const char *path,
                             imsat_error *err)
{
    const im_span span = {text, strlen(text)};
    double index;
    if (parse_index(&index, span)) {
        if (!find_index(column, columns->count, index))
            return refuse_index(columns, index, none, path, err);
    } else {
        if (!find_name(column, columns, span))
            return refuse_name(columns, span, none, path, err);
        *named = true;
    }
    return IMSAT_OK;
}

/* A-B: any dash that has a column on each side, or nothing on its right. */
static bool find_range(size_t *first, size_t *last, bool *named, const im_columns *columns,
                       im_span text)
{
    for (size_t dash = 1; dash < text.size; dash++) {
        const im_span left = {text.at, dash};
        const im_span right = {text.at + dash + 1, text.size - dash - 1};
        bool by_name = false;
        if (text.at[dash] != '-' || !find_end(first, &by_name, columns, left))
            continue;
        *last = columns->count - 1;
        if (right.size > 0 && !find_end(last, &by_name, columns, right))
            continue;
        *named |= by_name;
        return true;
    }
    return false;
}

/* One item of a list. */
static imsat_status find_item(size_t *first, size_t *last, bool *named,
                              const im_columns *columns, im_span text, bool quoted,
                              const char *none, const char *path, imsat_error *err)
{
    double index;
    if (!quoted && parse_index(&index, text)) {
        if (!find_index(first, columns->count, index))
            return refuse_index(columns, index, none, path, err);
        *last = *first;
        return IMSAT_OK;
    }
    if (find_name(first, columns, text)) {
        *named = true;
        *last = *first;
        return IMSAT_OK;
    }
    if (quoted || !find_range(first, last, named, columns, text))
        return refuse_name(columns, text, none, path, err);
    if (*first > *last)
        return im_fail(err, IMSAT_EINVAL,
                       "%s: %s '%.*s': the range ends at column %zu, before column %zu, where "
                       "it begins; columns stay in the order of the file",
                       path, none, (int)im_size_min(text.size, IM_WORD_MAX), text.at, *last,
                       *first);
    return IMSAT_OK;
}

imsat_status im_columns_choose(bool *chosen, bool *named, const im_columns *columns,
                               const char *list, const char *none, const char *path,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_csv commas = {.separator = ','};
    im_csv_cursor cursor = im_csv_fields(&commas, (im_span){list, strlen(list)});
    im_csv_field field;
    char *plain = im_alloc(strlen(list) + 1, 1);
    if (!plain)
        return im_fail_memory(err, path);
    while (im_csv_next(&cursor, &field)) {
        size_t first = 0, last = 0;
        const bool quoted = field.text.at > list && field.text.at[-1] == '"';
        if (field.broken || (field.text.size == 0 && !quoted)) {
            st = im_fail(err, IMSAT_EINVAL,
                         "%s: %s '%.*s' in '%.200s': a list of columns is names, numbers and "
                         "ranges with commas between",
                         path, none, (int)im_size_min(field.text.size, IM_WORD_MAX),
                         field.text.at, list);
            goto cleanup;
        }
        const im_span text = {plain, im_csv_plain(plain, &field)};
        IM_TRY(find_item(&first, &last, named, columns, text, quoted, none, path, err));
        for (size_t c = first; c <= last; c++)
            chosen[c] = true;
    }

cleanup:
    im_free(plain);
    return st;
}
