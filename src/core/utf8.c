/* SPDX-License-Identifier: MIT
 * UTF-8; see utf8.h. */
#include "core/utf8.h"

/* The length of the sequence at s, which has `room` bytes or ends with a zero before; 0 if it
 * is not valid. */
static size_t sequence_length(const unsigned char *s, size_t room)
{
    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0; /* a continuation byte, or a lead byte that no value needs */
    const size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (length > room)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) /* also stops at the final zero */
            return 0;
    const bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    const bool surrogate = s[0] == 0xed && s[1] >= 0xa0;
    const bool above = s[0] == 0xf4 && s[1] >= 0x90;
    return overlong || surrogate || above ? 0 : length;
}

bool im_utf8_valid(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    while (*s) {
        const size_t length = sequence_length(s, IM_UTF8_MOST);
        if (length == 0)
            return false;
        s += length;
    }
    return true;
}

bool im_utf8_printable(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    for (; *s; s++)
        if (*s < 0x20 || *s == 0x7f || (s[0] == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0))
            return false;
    return true;
}

uint32_t im_utf8_next(const char **at, const char *end)
{
    const unsigned char *s = (const unsigned char *)*at;
    const size_t length = sequence_length(s, (size_t)(end - *at));
    if (length <= 1) {
        *at += 1;
        return s[0];
    }
    *at += length;
    uint32_t character = s[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++)
        character = character << 6 | (s[i] & 0x3fU);
    return character;
}

size_t im_utf8_put(char out[IM_UTF8_MOST], uint32_t character)
{
    const size_t length = character < 0x80      ? 1
                          : character < 0x800   ? 2
                          : character < 0x10000 ? 3
                                                : 4;
    if (length == 1) {
        out[0] = (char)character;
        return 1;
    }
    for (size_t i = length - 1; i > 0; i--, character >>= 6)
        out[i] = (char)(0x80U | (character & 0x3fU));
    out[0] = (char)((0xf00U >> length & 0xffU) | character);
    return length;
}
