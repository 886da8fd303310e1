/* SPDX-License-Identifier: MIT
 *
 * Radix sort from the lowest byte; bytes in which all keys agree cost nothing. Codes of
 * several words are sorted by their first word, then runs that agree in it by the next one. */
#include "search/sort.h"

#include <stdbool.h>
#include <string.h>

enum {
    BYTES = 8,
    DIGITS = 256,
    FEW = 96 /* so few are sorted by insertion: the radix sort first adds up 2048 counts */
};

static void insert(im_sort_pair *pairs, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const im_sort_pair moved = pairs[i];
        size_t j = i;
        for (; j > 0 && pairs[j - 1].key > moved.key; j--)
            pairs[j] = pairs[j - 1];
        pairs[j] = moved;
    }
}

/* Counts of a digit become places; false if all keys have the same. */
static bool places(size_t count[DIGITS], size_t n)
{
    size_t place = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t here = count[d];
        if (here == n)
            return false;
        count[d] = place;
        place += here;
    }
    return true;
}

void im_sort_pairs(im_sort_pair *pairs, im_sort_pair *scratch, size_t n)
{
    if (n < FEW) {
        insert(pairs, n);
        return;
    }
    size_t count[BYTES][DIGITS] = {{0}};
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0; b < BYTES; b++)
            count[b][pairs[i].key >> 8 * b & 255]++;
    im_sort_pair *from = pairs, *to = scratch;
    for (size_t b = 0; b < BYTES; b++) {
        if (!places(count[b], n))
            continue;
        for (size_t i = 0; i < n; i++)
            to[count[b][from[i].key >> 8 * b & 255]++] = from[i];
        im_sort_pair *other = from;
        from = to;
        to = other;
    }
    if (from != pairs)
        memcpy(pairs, from, n * sizeof *pairs);
}

static void sort_by_word(im_sort_pair *pairs, im_sort_pair *scratch, size_t n,
                         const uint64_t *codes, size_t words, size_t word)
{
    for (size_t i = 0; i < n; i++)
        pairs[i].key = codes[pairs[i].row * words + word];
    im_sort_pairs(pairs, scratch, n);
    if (word + 1 == words)
        return;
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && pairs[end].key == pairs[first].key;)
            end++;
        if (end - first > 1)
            sort_by_word(pairs + first, scratch, end - first, codes, words, word + 1);
    }
}

void im_sort_codes(im_sort_pair *pairs, im_sort_pair *scratch, size_t n, const uint64_t *codes,
                   size_t words)
{
    sort_by_word(pairs, scratch, n, codes, words, 0);
}
