/* SPDX-License-Identifier: MIT
 * See json_scan.h. */
#include "data/json_scan.h"

#include <string.h>

static bool fail(im_json_scan *s, const char *why)
{
    s->why = why;
    return false;
}

void im_json_scan_blanks(im_json_scan *s)
{
    while (s->at < s->end && im_json_scan_is_blank(*s->at))
        s->at++;
}

bool im_json_scan_char(im_json_scan *s, char c)
{
    if (!im_json_scan_at(s, c))
        return false;
    s->at++;
    im_json_scan_blanks(s);
    return true;
}

bool im_json_scan_word(im_json_scan *s, const char *word)
{
    const size_t size = strlen(word);
    if ((size_t)(s->end - s->at) < size || memcmp(s->at, word, size) != 0)
        return false;
    s->at += size;
    return true;
}

/* Four hexadecimal digits. */
static bool take_unit(uint32_t *unit, im_json_scan *s)
{
    *unit = 0;
    if (s->end - s->at < 4)
        return fail(s, "a character needs four hexadecimal digits");
    for (int i = 0; i < 4; i++, s->at++) {
        const char c = *s->at;
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return fail(s, "a character needs four hexadecimal digits");
        *unit = 16 * *unit + (uint32_t)digit;
    }
    return true;
}

bool im_json_scan_escape(uint32_t *character, im_json_scan *s)
{
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    uint32_t low;
    const char *known = s->at < s->end && *s->at ? strchr(escapes, *s->at) : NULL;
    if (known) {
        *character = (unsigned char)meant[known - escapes];
        s->at++;
        return true;
    }
    if (!im_json_scan_word(s, "u"))
        return fail(s, "no escape that JSON has");
    if (!take_unit(character, s))
        return false;
    if (*character < 0xD800 || *character > 0xDFFF)
        return true;
    if (*character > 0xDBFF || !im_json_scan_word(s, "\\u") || !take_unit(&low, s) ||
        low < 0xDC00 || low > 0xDFFF)
        return fail(s, "half of a character");
    *character = 0x10000 + ((*character - 0xD800) << 10) + (low - 0xDC00);
    return true;
}

bool im_json_scan_text(im_json_scan *s, im_span *inside)
{
    uint32_t ignored;
    if (!im_json_scan_word(s, "\""))
        return fail(s, "a text in quotes is needed");
    const char *start = s->at;
    while (s->at < s->end && *s->at != '"') {
        if ((unsigned char)*s->at < ' ')
            return fail(s, "a control character in a text");
        if (*s->at++ == '\\' && !im_json_scan_escape(&ignored, s))
            return false;
    }
    *inside = (im_span){start, (size_t)(s->at - start)};
    return im_json_scan_word(s, "\"") || fail(s, "a text that does not end");
}

static bool skip_digits(im_json_scan *s)
{
    const char *start = s->at;
    while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
        s->at++;
    return s->at > start || fail(s, "a digit is needed");
}

static bool skip_number(im_json_scan *s)
{
    im_json_scan_word(s, "-");
    if (im_json_scan_word(s, "Infinity"))
        return true;
    if (!im_json_scan_word(s, "0") && !skip_digits(s))
        return fail(s, "no value that JSON has");
    if (im_json_scan_word(s, ".") && !skip_digits(s))
        return false;
    if (!im_json_scan_word(s, "e") && !im_json_scan_word(s, "E"))
        return true;
    if (!im_json_scan_word(s, "+"))
        im_json_scan_word(s, "-");
    return skip_digits(s);
}

static bool skip_member(im_json_scan *s, im_span *name, int depth)
{
    if (!im_json_scan_text(s, name))
        return false;
    im_json_scan_blanks(s);
    return (im_json_scan_char(s, ':') || fail(s, "a colon is needed")) &&
           im_json_scan_value(s, depth);
}

/* The values of an array or the members of an object, and blanks behind. */
static bool skip_list(im_json_scan *s, char close, int depth)
{
    im_span name;
    if (depth == IM_JSON_SCAN_DEEPEST)
        return fail(s, "arrays in arrays that are too deep");
    s->at++;
    im_json_scan_blanks(s);
    if (im_json_scan_char(s, close))
        return true;
    do {
        if (!(close == '}' ? skip_member(s, &name, depth + 1)
                           : im_json_scan_value(s, depth + 1)))
            return false;
    } while (im_json_scan_char(s, ','));
    return im_json_scan_char(s, close) || fail(s, "a comma or the end is needed");
}

bool im_json_scan_value(im_json_scan *s, int depth)
{
    im_span inside;
    if (im_json_scan_at(s, '{') || im_json_scan_at(s, '['))
        return skip_list(s, *s->at == '{' ? '}' : ']', depth);
    if (im_json_scan_at(s, '"')) {
        if (!im_json_scan_text(s, &inside))
            return false;
    } else if (!im_json_scan_word(s, "null") && !im_json_scan_word(s, "true") &&
               !im_json_scan_word(s, "false") && !im_json_scan_word(s, "NaN") &&
               !skip_number(s)) {
        return false;
    }
    im_json_scan_blanks(s);
    return true;
}
