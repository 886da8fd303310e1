/* SPDX-License-Identifier: MIT
 *
 * Characters: which of them words are made of, and their lower case. The table is our own, of
 * one version of Unicode, and not a library's: what the words of a text are must not depend on
 * the machine that a model came from or goes to.
 */
#ifndef IM_FEATURES_UNICODE_H
#define IM_FEATURES_UNICODE_H

#include <stdbool.h>
#include <stdint.h>

/* Letters, marks (accents), digits and other numbers, and '_': what "\w" stands for in regular
 * expressions. (Python's leaves out the marks, and so cuts the words of Hindi.) */
bool im_unicode_in_word(uint32_t character);

/* Its lower case, if that is one character that does not depend on the ones around it; else
 * the character. */
uint32_t im_unicode_lower(uint32_t character);

#endif
