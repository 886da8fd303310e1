/* SPDX-License-Identifier: MIT
 * The words of a column; see categories.h. */
#include "data/categories.h"

#include "core/alloc.h"

#include <string.h>

/* As strcmp() of the words, one of which does not end in 0. */
static int compare(const char *word, const char *text, size_t size)
{
    const int order = strncmp(word, text, size);
    return order ? order : word[size] != '\0';
}

/* Where a word is, or where it would be. */
static size_t search(const im_categories *c, const char *word, size_t size, bool *found)
{
    size_t low = 0, high = c->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare(c->words[middle], word, size) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = low < c->count && compare(c->words[low], word, size) == 0;
    return low;
}

bool im_categories_find(size_t *code, im_categories *categories, const char *word, size_t size)
{
    bool found;
    const size_t at = search(categories, word, size, &found);
    if (found)
        *code = categories->codes[at];
    else if (categories->unknown++ == 0)
        im_csv_word(categories->first_unknown, (im_span){word, size});
    return found;
}

imsat_status im_categories_add(size_t *code, im_categories *categories, const char *word,
                               size_t size, imsat_error *err)
{
    im_categories *c = categories;
    bool found;
    const size_t at = search(c, word, size, &found);
    if (found || c->count == IM_CATEGORIES_MOST) {
        *code = found ? c->codes[at] : IM_CATEGORIES_MOST;
        return IMSAT_OK;
    }
    char *copy = im_alloc(size + 1, 1);
    char **words = im_grow(c->words, c->count, c->count + 1, sizeof *words);
    c->words = words ? words : c->words;
    size_t *codes = im_grow(c->codes, c->count, c->count + 1, sizeof *codes);
    c->codes = codes ? codes : c->codes;
    if (!copy || !words || !codes) {
        im_free(copy);
        return im_fail_memory(err, "the words of a column");
    }
    memcpy(copy, word, size);
    memmove(words + at + 1, words + at, (c->count - at) * sizeof *words);
    memmove(codes + at + 1, codes + at, (c->count - at) * sizeof *codes);
    words[at] = copy;
    *code = codes[at] = c->count++;
    return IMSAT_OK;
}

void im_categories_clear(im_categories *categories)
{
    for (size_t i = 0; i < categories->count; i++)
        im_free(categories->words[i]);
    im_free(categories->words);
    im_free(categories->codes);
    *categories = (im_categories){0};
}
