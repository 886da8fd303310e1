/* SPDX-License-Identifier: MIT
 * UTF-8 validation; see utf8.h. */
#include "core/utf8.h"

#include <stddef.h>

/* The length of the sequence at s, or 0 if it is not valid. */
static size_t sequence_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0; /* a continuation byte, or a lead byte that no value needs */
    const size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
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
        const size_t length = sequence_length(s);
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
