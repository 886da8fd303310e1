/* SPDX-License-Identifier: MIT
 * The words of a text; see tokens.h. */
#include "features/tokens.h"

#include "core/utf8.h"
#include "features/unicode.h"

#include <string.h>

enum { LEAST_CHARACTERS = 2 };

void im_tokens_start(im_tokens *tokens, const char *text, size_t size)
{
    *tokens = (im_tokens){.at = text, .end = text + size};
}

/* Put the lower case of a character behind the word; false: it does not fit. */
static bool append(im_tokens *tokens, uint32_t character)
{
    char bytes[IM_UTF8_MOST];
    const size_t size = im_utf8_put(bytes, im_unicode_lower(character));
    if (tokens->size + size > IM_TOKEN_MOST)
        return false;
    memcpy(tokens->word + tokens->size, bytes, size);
    tokens->size += size;
    return true;
}

bool im_tokens_next(im_tokens *tokens)
{
    size_t characters = 0;
    bool fits = true;
    tokens->size = 0;
    while (tokens->at < tokens->end) {
        const uint32_t character = im_utf8_next(&tokens->at, tokens->end);
        if (im_unicode_in_word(character)) {
            fits = fits && append(tokens, character);
            characters++;
            continue;
        }
        if (fits && characters >= LEAST_CHARACTERS)
            return true;
        tokens->size = characters = 0;
        fits = true;
    }
    return fits && characters >= LEAST_CHARACTERS;
}
