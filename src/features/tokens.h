/* SPDX-License-Identifier: MIT
 *
 * The words of a text: runs of at least two characters that words are made of (unicode.h), in
 * lower case. With ASCII text they are those of scikit-learn's "\b\w\w+\b". A run of more than
 * IM_TOKEN_MOST bytes is no word but data in the text, and left out. Languages that put no
 * blanks between words have long ones.
 */
#ifndef IM_FEATURES_TOKENS_H
#define IM_FEATURES_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum { IM_TOKEN_MOST = 255 };

typedef struct im_tokens {
    const char *at, *end;     /* what is left of the text */
    char word[IM_TOKEN_MOST]; /* the word, UTF-8, without an end */
    size_t size;              /* bytes of it */
} im_tokens;

void im_tokens_start(im_tokens *tokens, const char *text, size_t size);

/* The next word; false: there is none. */
bool im_tokens_next(im_tokens *tokens);

#endif
