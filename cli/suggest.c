/* SPDX-License-Identifier: MIT
 *
 * "did you mean": the nearest word by the number of single-letter slips, where a slip is
 * a letter added, dropped or changed, or two neighbors swapped.
 */
#include "cli.h"

#include <string.h>

enum { LONGEST = 40 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The optimal string alignment distance; LONGEST if a word is too long to be one of ours. */
static size_t slips(const char *a, const char *b)
{
    size_t row[3][LONGEST + 1];
    const size_t na = strlen(a), nb = strlen(b);
    if (na > LONGEST || nb > LONGEST)
        return LONGEST;

    size_t *before = row[0], *above = row[1], *now = row[2];
    for (size_t j = 0; j <= nb; j++) {
        before[j] = 0; /* not read before the third row */
        above[j] = j;
    }
    for (size_t i = 1; i <= na; i++) {
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            now[j] = smaller(smaller(above[j], now[j - 1]) + 1,
                             above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = above;
        above = now;
        now = oldest;
    }
    return above[nb];
}

const char *cli_nearest(const char *word, const char *const *choices, size_t count)
{
    const size_t length = strlen(word);
    const char *nearest = NULL;
    size_t least = length / 3 + 1; /* a third of the letters may be wrong */
    for (size_t i = 0; i < count; i++) {
        const size_t distance = slips(word, choices[i]);
        if (distance <= least && distance < strlen(choices[i]) &&
            (!nearest || distance < least)) {
            least = distance;
            nearest = choices[i];
        }
    }
    /* A word that was not finished. */
    for (size_t i = 0; !nearest && length >= 2 && i < count; i++)
        if (strncmp(word, choices[i], length) == 0)
            nearest = choices[i];
    return nearest;
}

int cli_find_choice(cli_choice *choice, const char *word, const char *noun, imsat_error *why)
{
    const char *choices[32];
    char list[512] = "";
    size_t count = 0;
    for (; count < 32 && choice(count); count++) {
        choices[count] = choice(count);
        if (strcmp(word, choices[count]) == 0)
            return (int)count;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", count ? ", " : "", choices[count]);
    }
    const char *nearest = cli_nearest(word, choices, count);
    if (nearest)
        return cli_refuse(why, "no such %s; did you mean '%s'?", noun, nearest);
    return cli_refuse(why, "no such %s; there are: %s", noun, list);
}
