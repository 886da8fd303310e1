/* SPDX-License-Identifier: MIT
 *
 * JSON lines: an object a line; see documents.h. Blank lines are skipped. A label is a text, a
 * whole number or a truth value.
 *
 * Prefixes: im_documents_.
 */
#include "core/path.h"
#include "data/text.h"
#include "features/documents.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_ROOM = 32, LIST_ROOM = 400 };

/* The file being read. */
typedef struct reading {
    const im_documents *documents;
    const char *text_name;
    size_t line; /* from 1 */
    imsat_error *err;
} reading;

bool im_documents_are_json(const im_bytes *bytes)
{
    size_t at = bytes->size >= 3 && memcmp(bytes->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < bytes->size && bytes->data[at] && strchr(" \t\r\n", bytes->data[at]))
        at++;
    return at < bytes->size && bytes->data[at] == '{';
}

static imsat_status refuse_line(const reading *r, const char *why)
{
    return im_fail(r->err, IMSAT_EFORMAT, "%s: line %zu: %s", r->documents->path, r->line,
                   why);
}

/* The members that there are: "id, body, label". */
static void list_members(char list[LIST_ROOM], json_t *object)
{
    const char *key;
    json_t *value;
    size_t used = 0;
    list[0] = '\0';
    json_object_foreach(object, key, value)
    {
        if (used < LIST_ROOM)
            used +=
                (size_t)snprintf(list + used, LIST_ROOM - used, "%s%s", used ? ", " : "", key);
    }
}

static imsat_status refuse_member(const reading *r, json_t *object, const char *name,
                                  const char *option, const char *kind)
{
    char list[LIST_ROOM];
    list_members(list, object);
    if (json_object_get(object, name))
        return im_fail(r->err, IMSAT_EFORMAT, "%s: line %zu: the member '%s' is not %s",
                       r->documents->path, r->line, name, kind);
    return im_fail(r->err, IMSAT_EFORMAT,
                   "%s: line %zu has no member '%s' but %s; say which one it is by %s NAME",
                   r->documents->path, r->line, name, *list ? list : "none at all", option);
}

/* The label as text; buffer is for numbers. */
static bool read_label(im_span *out, const json_t *value, char buffer[LABEL_ROOM])
{
    if (json_is_string(value)) {
        *out = (im_span){json_string_value(value), json_string_length(value)};
        return !memchr(out->at, '\0', out->size);
    }
    if (json_is_integer(value))
        snprintf(buffer, LABEL_ROOM, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_boolean(value))
        snprintf(buffer, LABEL_ROOM, "%s", json_is_true(value) ? "true" : "false");
    else
        return false;
    *out = (im_span){buffer, strlen(buffer)};
    return true;
}

static imsat_status take_object(const reading *r, json_t *object)
{
    const im_documents *documents = r->documents;
    const json_t *value = json_object_get(object, r->text_name);
    char buffer[LABEL_ROOM];
    im_span label = {0};
    if (!json_is_string(value))
        return refuse_member(r, object, r->text_name, "--text-column", "a text");
    if (documents->label_column &&
        !read_label(&label, json_object_get(object, documents->label_column), buffer))
        return refuse_member(r, object, documents->label_column, "--label-column",
                             "a text, a whole number, true or false");
    const im_span text = {json_string_value(value), json_string_length(value)};
    return im_documents_put(documents, text, label, r->err);
}

static imsat_status take_line(const reading *r, im_span line)
{
    json_error_t why;
    json_t *object = json_loadb(line.at, line.size, JSON_ALLOW_NUL, &why);
    if (!object && (!why.text[0] || json_error_code(&why) == json_error_out_of_memory))
        return im_fail_memory(r->err, r->documents->path);
    if (!object)
        return im_fail(r->err, IMSAT_EFORMAT, "%s: line %zu is not JSON: %s (column %d)",
                       r->documents->path, r->line, why.text, why.column);
    const imsat_status st = json_is_object(object)
                                ? take_object(r, object)
                                : refuse_line(r, "is not an object of JSON");
    json_decref(object);
    return st;
}

static bool is_blank(im_span line)
{
    for (size_t i = 0; i < line.size; i++)
        if (!line.at[i] || !strchr(" \t\r\n", line.at[i]))
            return false;
    return true;
}

imsat_status im_documents_json(const im_documents *documents, im_bytes *bytes,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_text text = {0};
    reading r = {.documents = documents,
                 .text_name = documents->text_column ? documents->text_column : "text",
                 .err = err};
    IM_TRY(im_text_begin(&text, bytes, err));
    if (text.end - text.at >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0)
        text.at += 3;
    while (text.at < text.end) {
        for (const char *at = text.at, *next; at < text.end; at = next) {
            const char *newline = memchr(at, '\n', (size_t)(text.end - at));
            next = newline ? newline + 1 : text.end;
            const im_span line = {at, (size_t)(next - at)};
            r.line++;
            im_bytes_touched(bytes, line.at, line.size);
            if (!is_blank(line))
                IM_TRY(take_line(&r, line));
        }
        IM_TRY(im_text_next(&text, err));
    }

cleanup:
    im_text_clear(&text);
    return st;
}
