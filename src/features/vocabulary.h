/* SPDX-License-Identifier: MIT
 *
 * Words and their numbers, 0, 1, ... in the order in which they were added.
 */
#ifndef IM_FEATURES_VOCABULARY_H
#define IM_FEATURES_VOCABULARY_H

#include "core/status.h"

#include <stdint.h>

enum { IM_VOCABULARY_MOST = 1 << 30 }; /* words */

#define IM_VOCABULARY_NONE UINT32_MAX

/* Zeroed is empty. */
typedef struct im_vocabulary {
    size_t count;
    char *texts;    /* (text_room) owned; the words, one behind the other */
    size_t *starts; /* (room) owned; where each begins; the next one is its end */
    uint32_t
        *slots; /* (slot_count) owned; one more than a word's number by its hash; 0: free */
    size_t text_used, text_room, room, slot_count;
} im_vocabulary;

/* The number of a word, or IM_VOCABULARY_NONE. */
uint32_t im_vocabulary_find(const im_vocabulary *words, const char *word, size_t size);

/* The number of a word, which is added if it is new. */
imsat_status im_vocabulary_add(im_vocabulary *words, uint32_t *number, const char *word,
                               size_t size, imsat_error *err);

/* Word `number`, *size bytes. */
const char *im_vocabulary_word(const im_vocabulary *words, size_t number, size_t *size);

void im_vocabulary_clear(im_vocabulary *words);

#endif
