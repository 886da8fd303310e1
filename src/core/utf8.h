/* SPDX-License-Identifier: MIT
 *
 * Is a text UTF-8, which is all that JSON may hold, can it be shown, and its characters one by
 * one.
 */
#ifndef IM_CORE_UTF8_H
#define IM_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False for malformed, overlong or truncated sequences, surrogates and values above
 * U+10FFFF. */
bool im_utf8_valid(const char *text);

/* Whether a valid text has no control characters, which would steer a terminal: U+0000 to
 * U+001F and U+007F to U+009F. */
bool im_utf8_printable(const char *text);

/* The character at *at, which moves behind it; *at is before `end`. A byte that is not part of
 * valid UTF-8 counts as a character of Latin-1: old texts are often that. */
uint32_t im_utf8_next(const char **at, const char *end);

enum { IM_UTF8_MOST = 4 }; /* bytes of a character */

/* Write a character, below U+110000; returns how many bytes it has. */
size_t im_utf8_put(char out[IM_UTF8_MOST], uint32_t character);

#endif
