/* SPDX-License-Identifier: MIT
 *
 * See json_rows.h. Members of an object are found first, and then become fields in the order
 * of the first line. A mapped file may turn to zeros meanwhile (core/map.h): so no step trusts
 * what the one before it has seen.
 */
#include "data/json_rows.h"

#include "core/alloc.h"
#include "core/utf8.h"
#include "data/json_scan.h"

#include <stdio.h>
#include <string.h>

/* ABSENT_FREE: values that lines may lack before there have to be as many bytes. A line of two
 * bytes can lack thousands, which would take memory that no file of this size stands for. */
enum { ABSENT_FREE = 1 << 16, FIRST_ROOM = 4096 };

/* ---- the text that is made ------------------------------------------------------------ */

/* Room for `size` bytes more. */
static bool reserve(im_json_rows *r, size_t size)
{
    size_t room = r->room ? r->room : FIRST_ROOM;
    if (r->room - r->used >= size && r->room)
        return true;
    while (room - r->used < size)
        room *= 2;
    char *grown = im_grow(r->text, r->room, room, 1);
    if (!grown)
        return false;
    r->text = grown;
    r->room = room;
    return true;
}

static bool put(im_json_rows *r, const char *text, size_t size)
{
    if (!reserve(r, size))
        return false;
    memcpy(r->text + r->used, text, size);
    r->used += size;
    return true;
}

/* A comma, but before the first field of a line. */
static bool put_comma(im_json_rows *r)
{
    return r->used == 0 || r->text[r->used - 1] == '\n' || put(r, ",", 1);
}

/* One character of a text, for which there is room. */
static void put_character(im_json_rows *r, im_json_scan *s)
{
    char bytes[IM_UTF8_MOST];
    uint32_t character;
    const char *start = s->at++;
    char *to = r->text + r->used;
    size_t size = 1;
    *to = *start;
    if (*start == '\\') {
        const bool known = im_json_scan_escape(&character, s);
        size = (size_t)(s->at - start);
        if (known && character >= ' ' && character != '"') {
            size = im_utf8_put(bytes, character);
            memcpy(to, bytes, size);
        } else if (known && character == '"') {
            size = 2;
            memcpy(to, "\"\"", size);
        } else {
            memcpy(to, start, size);
        }
    }
    r->used += size;
}

/* What the quotes of a text hold, in those of a table, with a number behind it if it is one of
 * a list. It does not become longer: a quote is two bytes in both. */
static bool put_text(im_json_rows *r, im_span inside, const char *number)
{
    im_json_scan s = {.at = inside.at, .end = inside.at + inside.size};
    if (!reserve(r, inside.size + 8))
        return false;
    r->text[r->used++] = '"';
    while (s.at < s.end)
        put_character(r, &s);
    return put(r, number, strlen(number)) && put(r, "\"", 1);
}

/* The text of an object, as a field. */
static bool put_object(im_json_rows *r, const char *at, const char *end)
{
    bool done = put(r, "\"", 1);
    for (; done && at < end; at++)
        done = put(r, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    return done && put(r, "\"", 1);
}

/* A value that is one field. */
static bool put_scalar(im_json_rows *r, im_json_scan *s)
{
    im_span inside;
    const char *start = s->at;
    r->fields++;
    if (!put_comma(r))
        return false;
    if (im_json_scan_at(s, '{'))
        return im_json_scan_value(s, 0) && put_object(r, start, s->at);
    if (im_json_scan_at(s, '"'))
        return im_json_scan_text(s, &inside) && put_text(r, inside, "");
    if (im_json_scan_word(s, "null"))
        return put(r, "\"\"", 2);
    while (s->at < s->end && !im_json_scan_is_blank(*s->at) && !strchr(",]}", *s->at))
        s->at++;
    return put(r, start, (size_t)(s->at - start));
}

/* A value as the fields that it is. */
static bool put_value(im_json_rows *r, im_json_scan *s, int depth)
{
    if (!im_json_scan_at(s, '[')) {
        const bool done = put_scalar(r, s);
        im_json_scan_blanks(s);
        return done;
    }
    if (depth == IM_JSON_SCAN_DEEPEST)
        return false;
    s->at++;
    im_json_scan_blanks(s);
    while (s->at < s->end && *s->at != ']') {
        const char *before = s->at;
        if (!put_value(r, s, depth + 1))
            return false;
        im_json_scan_char(s, ',');
        if (s->at == before) /* it has turned to zeros */
            return false;
    }
    return im_json_scan_char(s, ']');
}

static bool put_span(im_json_rows *r, im_span value)
{
    im_json_scan s = {.at = value.at, .end = value.at + value.size};
    r->fields = 0;
    return put_value(r, &s, 0);
}

/* ---- members -------------------------------------------------------------------------- */

static int compare_names(im_span a, im_span b)
{
    const int order = memcmp(a.at, b.at, im_size_min(a.size, b.size));
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_members(const void *a, const void *b)
{
    return compare_names((*(im_json_member *const *)a)->name,
                         (*(im_json_member *const *)b)->name);
}

/* The member of a name; `next` is the one that should come. NULL: there is none. */
static im_json_member *find_member(const im_json_rows *r, im_span name, size_t next)
{
    size_t low = 0, high = r->count;
    if (next < r->count && compare_names(r->members[next].name, name) == 0)
        return &r->members[next];
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const int order = compare_names(r->sorted[middle]->name, name);
        if (order == 0)
            return r->sorted[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* ---- refusals ----------------------------------------------------------------------------
 */

static imsat_status refuse_line(const im_json_rows *r, im_span line, const im_json_scan *s,
                                const char *path, imsat_error *err)
{
    return im_fail(err, IMSAT_EFORMAT, "%s: line %zu is not JSON: column %zu: %s", path,
                   r->line, (size_t)(s->at - line.at) + 1,
                   s->why ? s->why : "there is more behind the value");
}

static imsat_status refuse_member(const im_json_rows *r, im_span name, const char *why,
                                  const char *path, imsat_error *err)
{
    char word[IM_WORD_ROOM];
    im_csv_word(word, name);
    return im_fail(err, IMSAT_EFORMAT, "%s: line %zu: the member '%s' %s", path, r->line, word,
                   why);
}

static imsat_status refuse_width(const im_json_rows *r, const im_json_member *member,
                                 const char *path, imsat_error *err)
{
    char word[IM_WORD_ROOM];
    if (r->fields == member->width)
        return refuse_member(r, member->name,
                             member->list ? "is no array, as it is in the first line"
                                          : "is an array, which it is not in the first line",
                             path, err);
    im_csv_word(word, member->name);
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: line %zu: the member '%s' has %zu values, and in the first line %zu",
                   path, r->line, word, r->fields, member->width);
}

static imsat_status refuse_absent(const im_json_rows *r, const char *path, imsat_error *err)
{
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: line %zu: the lines so far lack %zu values in %zu bytes; what has so "
                   "few values is sparse data: write it as svmlight or Matrix Market",
                   path, r->line, r->absent, r->read);
}

/* What could not be put: there is no memory, or the bytes are others than they were. */
static imsat_status refuse_text(const char *path, imsat_error *err)
{
    return im_fail_memory(err, path);
}

/* ---- objects ------------------------------------------------------------------------------
 */

/* Note where the values of an object are; s is behind its brace. Of the first line (members
 * NULL) only how many there are. */
static imsat_status find_values(im_json_rows *r, im_json_member *fill, size_t *count,
                                im_span line, const char *path, imsat_error *err)
{
    im_json_scan s = {.at = line.at, .end = line.at + line.size};
    im_span name;
    size_t next = 0;
    *count = 0;
    im_json_scan_char(&s, '{');
    while (im_json_scan_at(&s, '"') && im_json_scan_text(&s, &name)) {
        im_json_scan_blanks(&s);
        im_json_scan_char(&s, ':');
        const char *start = s.at;
        if (!im_json_scan_value(&s, 1))
            break;
        const im_span value = {start, (size_t)(s.at - start)};
        if (fill && *count < r->count)
            fill[*count] = (im_json_member){.name = name, .place = *count, .value = value};
        if (!fill && r->members) {
            im_json_member *member = find_member(r, name, next);
            if (!member)
                return refuse_member(r, name,
                                     "is none of the first line's, whose members are the "
                                     "columns; add it there, as null",
                                     path, err);
            if (member->value.at)
                return refuse_member(r, name, "comes twice", path, err);
            member->value = value;
            next = member->place + 1;
        }
        ++*count;
        im_json_scan_char(&s, ',');
    }
    return IMSAT_OK;
}

/* The names, which stay, and their order. */
static imsat_status keep_names(im_json_rows *r, size_t size, const char *path,
                               imsat_error *err)
{
    r->names = im_alloc(size, 1);
    r->sorted = im_alloc(r->count, sizeof *r->sorted);
    if (!r->names || !r->sorted)
        return im_fail_memory(err, path);
    char *to = r->names;
    for (size_t m = 0; m < r->count; m++) {
        im_json_member *member = &r->members[m];
        memcpy(to, member->name.at, member->name.size);
        member->name.at = to;
        to += member->name.size;
        r->sorted[m] = member;
    }
    qsort(r->sorted, r->count, sizeof *r->sorted, compare_members);
    for (size_t m = 1; m < r->count; m++)
        if (compare_members(&r->sorted[m - 1], &r->sorted[m]) == 0)
            return refuse_member(r, r->sorted[m]->name, "comes twice", path, err);
    return IMSAT_OK;
}

/* Measure the members of the first object, and put the line of their names. */
static imsat_status put_names(im_json_rows *r, const char *path, imsat_error *err)
{
    const size_t most = 8 * r->read + FIRST_ROOM;
    char number[24] = "";
    for (size_t m = 0; m < r->count; m++) {
        im_json_member *member = &r->members[m];
        const size_t before = r->used;
        if (!put_span(r, member->value))
            return refuse_text(path, err);
        r->used = before;
        member->width = r->fields;
        member->list = *member->value.at == '[';
        for (size_t j = 0; j < member->width; j++) {
            if (member->list)
                snprintf(number, sizeof number, "%zu", j);
            if (!put_comma(r) || !put_text(r, member->name, member->list ? number : ""))
                return refuse_text(path, err);
        }
        if (r->used > most)
            return refuse_member(r, member->name,
                                 "is a long name of many values, which each would have it; "
                                 "give it a short one",
                                 path, err);
    }
    return put(r, "\n", 1) ? IMSAT_OK : refuse_text(path, err);
}

static imsat_status learn_members(im_json_rows *r, im_span line, const char *path,
                                  imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t count = 0, size = 0;
    IM_TRY(find_values(r, NULL, &count, line, path, err));
    if (count == 0)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: line %zu is an object without members, so there are no columns",
                       path, r->line);
    r->members = im_alloc(count, sizeof *r->members);
    if (!r->members)
        return im_fail_memory(err, path);
    r->count = count;
    IM_TRY(find_values(r, r->members, &count, line, path, err));
    r->count = im_size_min(count, r->count);
    for (size_t m = 0; m < r->count; m++)
        size += r->members[m].name.size;
    IM_TRY(keep_names(r, size, path, err));
    IM_TRY(put_names(r, path, err));

cleanup:
    return st;
}

static imsat_status put_members(im_json_rows *r, const char *path, imsat_error *err)
{
    for (size_t m = 0; m < r->count; m++) {
        im_json_member *member = &r->members[m];
        const im_span value = member->value;
        const bool list = value.at && *value.at == '[';
        const bool none = !value.at || (member->list && *value.at == 'n');
        member->value = (im_span){0};
        if (none) {
            r->absent += member->width;
            for (size_t j = 0; j < member->width; j++)
                if (!put_comma(r) || !put(r, "\"\"", 2))
                    return refuse_text(path, err);
            continue;
        }
        if (!put_span(r, value))
            return refuse_text(path, err);
        if (r->fields != member->width || list != member->list)
            return refuse_width(r, member, path, err);
    }
    return r->absent > r->read + ABSENT_FREE ? refuse_absent(r, path, err) : IMSAT_OK;
}

static imsat_status add_object(im_json_rows *r, im_span line, const char *path,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t count;
    if (!r->members)
        IM_TRY(learn_members(r, line, path, err));
    for (size_t m = 0; m < r->count; m++)
        r->members[m].value = (im_span){0};
    IM_TRY(find_values(r, NULL, &count, line, path, err));
    IM_TRY(put_members(r, path, err));

cleanup:
    return st;
}

/* ---- lines
 * ---------------------------------------------------------------------------------- */

static im_span trim(im_span line)
{
    im_json_scan s = {.at = line.at, .end = line.at + line.size};
    im_json_scan_blanks(&s);
    while (s.end > s.at && im_json_scan_is_blank(s.end[-1]))
        s.end--;
    return (im_span){s.at, (size_t)(s.end - s.at)};
}

static imsat_status add_line(im_json_rows *r, im_span line, const char *path, imsat_error *err)
{
    im_json_scan s = {.at = line.at, .end = line.at + line.size};
    const char kind = *line.at;
    if (!im_json_scan_value(&s, 0) || s.at < s.end)
        return refuse_line(r, line, &s, path, err);
    if ((kind != '{' && kind != '[') || (r->kind && kind != r->kind))
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: line %zu is not an %s; each line of a table is a row, %s", path,
                       r->line, r->kind == '[' ? "array" : "object",
                       r->kind ? "of one kind" : "an object or an array");
    r->kind = kind;
    if (kind == '{')
        return add_object(r, line, path, err);
    if (!put_span(r, line))
        return refuse_text(path, err);
    return r->fields ? IMSAT_OK
                     : im_fail(err, IMSAT_EFORMAT, "%s: line %zu is an array without values",
                               path, r->line);
}

imsat_status im_json_rows_add(im_json_rows *rows, im_span line, const char *path,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    rows->line++;
    rows->read += line.size + 1;
    line = trim(line);
    if (line.size)
        IM_TRY(add_line(rows, line, path, err));
    if (!put(rows, "\n", 1))
        st = refuse_text(path, err);

cleanup:
    return st;
}

void im_json_rows_clear(im_json_rows *rows)
{
    im_free(rows->members);
    im_free(rows->sorted);
    im_free(rows->names);
    im_free(rows->text);
    *rows = (im_json_rows){0};
}

/* ---- files
 * ---------------------------------------------------------------------------------- */

/* The first line that is not blank, as far as it is here; *whole: all of it. */
static im_json_scan first_line(const im_bytes *bytes, bool *whole)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const char *text = (const char *)bytes->data;
    im_json_scan s = {.at = text, .end = text + bytes->size};
    if (bytes->size)
        im_json_scan_word(&s, mark);
    im_json_scan_blanks(&s);
    const char *newline = s.at < s.end ? memchr(s.at, '\n', (size_t)(s.end - s.at)) : NULL;
    *whole = newline || !bytes->stream;
    s.end = newline ? newline : s.end;
    return s;
}

bool im_json_rows_begin(const im_bytes *bytes)
{
    bool whole;
    im_json_scan s = first_line(bytes, &whole);
    if (!im_json_scan_at(&s, '{') && !im_json_scan_at(&s, '['))
        return false;
    return (im_json_scan_value(&s, 0) && s.at == s.end) || (!whole && s.at + 8 >= s.end);
}

bool im_json_rows_have_text(const im_bytes *bytes, const char *name)
{
    bool whole;
    im_span key;
    im_json_scan s = first_line(bytes, &whole);
    if (!im_json_scan_char(&s, '{'))
        return false;
    while (im_json_scan_at(&s, '"') && im_json_scan_text(&s, &key)) {
        im_json_scan_blanks(&s);
        if (!im_json_scan_char(&s, ':'))
            return false;
        if (key.size == strlen(name) && memcmp(key.at, name, key.size) == 0)
            return im_json_scan_at(&s, '"');
        if (!im_json_scan_value(&s, 1))
            return false;
        im_json_scan_char(&s, ',');
    }
    return false;
}
