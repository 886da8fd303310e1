/* SPDX-License-Identifier: MIT
 *
 * The words of any bytes: each is of two characters or more, valid UTF-8, and the one word of
 * itself. */
#include "features/tokens.h"

#include "core/utf8.h"
#include "fuzz.h"

#include <string.h>

enum { MOST = 2048 };

static void begin(void)
{
    fuzz_seed_text("The quick brown fox; don't x 12 _a");
    fuzz_seed_text("\xc3\x89t\xc3\xa9 \xce\x95\xce\xbb \xd0\x9c\xd0\x98\xd0\xa0 e\xcc\x81t");
    fuzz_seed_text("na\xefve \xc8\xba\xc8\xba \xc4\xb0z");
}

static bool run(const uint8_t *input, size_t size)
{
    im_tokens tokens;
    size_t total = 0;
    im_tokens_start(&tokens, (const char *)input, size);
    while (im_tokens_next(&tokens)) {
        char word[IM_TOKEN_MOST + 1];
        im_tokens again;
        REQUIRE(tokens.size >= 2 && tokens.size <= IM_TOKEN_MOST, "a word of %zu bytes",
                tokens.size);
        memcpy(word, tokens.word, tokens.size);
        word[tokens.size] = '\0';
        REQUIRE(im_utf8_valid(word), "a word is not UTF-8");
        im_tokens_start(&again, tokens.word, tokens.size);
        REQUIRE(im_tokens_next(&again) && again.size == tokens.size &&
                    memcmp(again.word, tokens.word, again.size) == 0,
                "the word '%s' is another word", word);
        REQUIRE(!im_tokens_next(&again), "the word '%s' is two", word);
        total++;
    }
    REQUIRE(total <= size / 2, "%zu words of %zu bytes", total, size);
    return total > 0;
}

const fuzz_target fuzz_this = {"tokens", MOST, begin, run, NULL};
