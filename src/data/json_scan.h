/* SPDX-License-Identifier: MIT
 *
 * A scanner of JSON, by RFC 8259, for those who need the text of values and not a tree of
 * them. NaN and Infinity are values, too, since Python writes them. Functions step over what
 * they find; where it is not what they look for they return false, and say why if nothing else
 * can be there.
 */
#ifndef IM_DATA_JSON_SCAN_H
#define IM_DATA_JSON_SCAN_H

#include "data/csv_split.h"

#include <stdint.h>

enum { IM_JSON_SCAN_DEEPEST = 64 }; /* arrays and objects in one another */

typedef struct im_json_scan {
    const char *at, *end;
    const char *why; /* what is wrong at `at`; NULL: nothing so far */
} im_json_scan;

static inline bool im_json_scan_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Whether this character is the next one. */
static inline bool im_json_scan_at(const im_json_scan *s, char c)
{
    return s->at < s->end && *s->at == c;
}

void im_json_scan_blanks(im_json_scan *s);

/* A character, and blanks behind it. */
bool im_json_scan_char(im_json_scan *s, char c);

bool im_json_scan_word(im_json_scan *s, const char *word);

/* What is behind a backslash, and the character that it stands for. */
bool im_json_scan_escape(uint32_t *character, im_json_scan *s);

/* A text; *inside is what its quotes hold, as it is written. */
bool im_json_scan_text(im_json_scan *s, im_span *inside);

/* Any value, and blanks behind it. depth: of what it is in. */
bool im_json_scan_value(im_json_scan *s, int depth);

#endif
