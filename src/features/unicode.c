/* SPDX-License-Identifier: MIT
 * Characters; see unicode.h. ASCII, which most texts are, is not looked up. */
#include "features/unicode.h"

#include "features/unicode_table.h"

#include <stddef.h>

enum {
    RANGES = sizeof word_ranges / sizeof *word_ranges,
    RUNS = sizeof lower_runs / sizeof *lower_runs
};

bool im_unicode_in_word(uint32_t character)
{
    if (character < 0x80)
        return (character >= '0' && character <= '9') || character == '_' ||
               ((character | 0x20) >= 'a' && (character | 0x20) <= 'z');
    size_t low = 0, high = RANGES; /* the first range that does not end before it */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (word_ranges[middle].last < character)
            low = middle + 1;
        else
            high = middle;
    }
    return low < RANGES && word_ranges[low].first <= character;
}

uint32_t im_unicode_lower(uint32_t character)
{
    if (character < 0x80)
        return character >= 'A' && character <= 'Z' ? character | 0x20 : character;
    size_t low = 0, high = RUNS; /* behind the last run that does not begin after it */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (lower_runs[middle].first <= character)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return character;
    const struct run *run = &lower_runs[low - 1];
    if (character > run->last || (character - run->first) % run->step != 0)
        return character;
    return (uint32_t)((int32_t)character + run->difference);
}
