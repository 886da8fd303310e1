/* SPDX-License-Identifier: MIT
 *
 * Is a text UTF-8, which is all that JSON may hold, and can it be shown?
 */
#ifndef IM_CORE_UTF8_H
#define IM_CORE_UTF8_H

#include <stdbool.h>

/* False for malformed, overlong or truncated sequences, surrogates and values above
 * U+10FFFF. */
bool im_utf8_valid(const char *text);

/* Whether a valid text has no control characters, which would steer a terminal: U+0000 to
 * U+001F and U+007F to U+009F. */
bool im_utf8_printable(const char *text);

#endif
