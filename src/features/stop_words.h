/* SPDX-License-Identifier: MIT
 * English words that say little of what a text is about. */
#ifndef IM_FEATURES_STOP_WORDS_H
#define IM_FEATURES_STOP_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a word of im_tokens_next() is one of them. */
bool im_stop_words_has(const char *word, size_t size);

/* Word i of the list, which is sorted; NULL past the last. */
const char *im_stop_words_at(size_t i);

#endif
