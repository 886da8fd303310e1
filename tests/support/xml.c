/* SPDX-License-Identifier: MIT
 * See xml.h. */
#include "xml.h"

#include "support.h"

#include "core/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 32, NAME = 32, ATTRIBUTES = 24 };

typedef struct reader {
    const char *at;
    char open[DEEPEST][NAME];
    size_t depth;
    const char *trouble;
} reader;

static bool fails(reader *r, const char *trouble)
{
    if (!r->trouble)
        r->trouble = trouble;
    return false;
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '-' || c == '_' || c == ':';
}

static bool read_name(reader *r, char name[NAME])
{
    size_t n = 0;
    while (is_name(*r->at) && n + 1 < NAME)
        name[n++] = *r->at++;
    name[n] = '\0';
    return n > 0 && !is_name(*r->at) ? true : fails(r, "a name");
}

static bool read_entity(reader *r)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(r->at, known[i], strlen(known[i])) == 0) {
            r->at += strlen(known[i]);
            return true;
        }
    return fails(r, "an entity");
}

/* Characters up to one of `ends`. */
static bool read_text(reader *r, const char *ends)
{
    while (*r->at && !strchr(ends, *r->at)) {
        if (*r->at == '<' || *r->at == '>')
            return fails(r, "markup in a text");
        if (*r->at == '&') {
            if (!read_entity(r))
                return false;
            continue;
        }
        if ((unsigned char)*r->at < 0x20 && *r->at != '\n' && *r->at != '\t')
            return fails(r, "a control character");
        r->at++;
    }
    return *r->at ? true : fails(r, "the end");
}

static bool read_attribute(reader *r, char names[ATTRIBUTES][NAME], size_t count)
{
    if (count == ATTRIBUTES || !read_name(r, names[count]))
        return fails(r, "attributes");
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], names[count]) == 0)
            return fails(r, "an attribute twice");
    if (r->at[0] != '=' || r->at[1] != '"')
        return fails(r, "an attribute without quotes");
    r->at += 2;
    if (!read_text(r, "\""))
        return false;
    r->at++;
    return true;
}

static bool read_closing(reader *r)
{
    char name[NAME];
    r->at++;
    if (!read_name(r, name) || *r->at != '>')
        return fails(r, "a closing tag");
    r->at++;
    if (r->depth == 0 || strcmp(r->open[r->depth - 1], name) != 0)
        return fails(r, "a closing tag of another element");
    r->depth--;
    return true;
}

static bool read_tag(reader *r)
{
    char attributes[ATTRIBUTES][NAME];
    size_t count = 0;
    r->at++;
    if (*r->at == '/')
        return read_closing(r);
    if (r->depth == DEEPEST || !read_name(r, r->open[r->depth]))
        return fails(r, "an opening tag");
    while (*r->at == ' ') {
        r->at++;
        if (!read_attribute(r, attributes, count++))
            return false;
    }
    if (r->at[0] == '/' && r->at[1] == '>') {
        r->at += 2;
        return true;
    }
    if (*r->at++ != '>')
        return fails(r, "the end of a tag");
    r->depth++;
    return true;
}

/* The rest of the last text in which there was trouble. */
static const char *where;

const char *xml_trouble(const char *text)
{
    reader r = {.at = text};
    where = text;
    if (!im_utf8_valid(text))
        return "not UTF-8";
    if (strstr(text, "\xEF\xBF\xBE") || strstr(text, "\xEF\xBF\xBF"))
        return "a character that XML does not allow";
    bool good = *text == '<' ? true : fails(&r, "no root");
    while (good) {
        good = read_tag(&r);
        if (good && r.depth == 0)
            break;
        good = good && read_text(&r, "<");
    }
    where = r.at;
    if (good && strcmp(r.at, "\n") != 0 && *r.at)
        return "text behind the root";
    return r.trouble;
}

void assert_xml(const char *text)
{
    const char *trouble = xml_trouble(text);
    if (trouble)
        fail_msg("%s before \"%.60s\"", trouble, where);
}
