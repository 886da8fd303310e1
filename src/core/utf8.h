/* SPDX-License-Identifier: MIT
 *
 * Is a text UTF-8? JSON may hold nothing else.
 */
#ifndef IM_CORE_UTF8_H
#define IM_CORE_UTF8_H

#include <stdbool.h>

/* False for malformed, overlong or truncated sequences, surrogates and values above
 * U+10FFFF. */
bool im_utf8_valid(const char *text);

#endif
