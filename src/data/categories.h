/* SPDX-License-Identifier: MIT
 *
 * The different words of a column of text. They are numbered as they come while a file is
 * read, and in the order of their bytes once all are known, so that the order of the rows
 * does not matter.
 */
#ifndef IM_DATA_CATEGORIES_H
#define IM_DATA_CATEGORIES_H

#include "core/status.h"
#include "data/csv_split.h"

/* A column of more words than these is refused: it is a name or a remark, no category. */
enum { IM_CATEGORIES_MOST = 1000 };

/* Zeroed is empty. */
typedef struct im_categories {
    char **words;  /* (count) owned, in the order of their bytes */
    size_t *codes; /* (count) owned; the number that each got when it came */
    size_t count;
    size_t unknown; /* words that were looked for in vain since the last note on it, and */
    char first_unknown[IM_WORD_ROOM]; /* the first of them */
} im_categories;

/* The number of a word: size bytes without 0. False: it is none of them, which is counted. */
bool im_categories_find(size_t *code, im_categories *categories, const char *word,
                        size_t size);

/* The same; a new word is added. *code is IM_CATEGORIES_MOST when there are too many. */
imsat_status im_categories_add(size_t *code, im_categories *categories, const char *word,
                               size_t size, imsat_error *err);

void im_categories_clear(im_categories *categories);

#endif
