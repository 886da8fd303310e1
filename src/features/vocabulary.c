/* SPDX-License-Identifier: MIT
 * Words and their numbers, by a hash table of which at most half is filled; see vocabulary.h.
 */
#include "features/vocabulary.h"

#include "core/alloc.h"
#include "core/checksum.h"

enum { FIRST_ROOM = 256, FIRST_TEXT = 4096 };

const char *im_vocabulary_word(const im_vocabulary *words, size_t number, size_t *size)
{
    const size_t end =
        number + 1 < words->count ? words->starts[number + 1] : words->text_used;
    *size = end - words->starts[number];
    return words->texts + words->starts[number];
}

/* The slot that holds the word, or the free one where it belongs. There is one. */
static size_t find_slot(const im_vocabulary *words, const char *word, size_t size)
{
    const size_t mask = words->slot_count - 1;
    size_t slot = im_checksum_of(word, size) & mask;
    for (; words->slots[slot]; slot = (slot + 1) & mask) {
        size_t other_size;
        const char *other = im_vocabulary_word(words, words->slots[slot] - 1, &other_size);
        if (other_size == size && memcmp(other, word, size) == 0)
            break;
    }
    return slot;
}

uint32_t im_vocabulary_find(const im_vocabulary *words, const char *word, size_t size)
{
    if (words->count == 0)
        return IM_VOCABULARY_NONE;
    return words->slots[find_slot(words, word, size)] - 1; /* of a free one: NONE */
}

/* Room for one more word, in the arrays and in the table. */
static bool reserve(im_vocabulary *words, size_t size)
{
    if (words->text_room - words->text_used < size) {
        const size_t room = 2 * words->text_room + size + FIRST_TEXT;
        char *texts = im_grow(words->texts, words->text_used, room, 1);
        if (!texts)
            return false;
        words->texts = texts;
        words->text_room = room;
    }
    if (words->count < words->room)
        return true;
    const size_t room = words->room ? 2 * words->room : FIRST_ROOM;
    size_t *starts = im_grow(words->starts, words->count, room, sizeof *starts);
    if (starts)
        words->starts = starts;
    uint32_t *slots = starts ? im_alloc(2 * room, sizeof *slots) : NULL;
    if (!slots)
        return false;
    im_free(words->slots);
    words->slots = slots;
    words->room = room;
    words->slot_count = 2 * room;
    for (uint32_t i = 0; i < words->count; i++) {
        size_t length;
        const char *word = im_vocabulary_word(words, i, &length);
        words->slots[find_slot(words, word, length)] = i + 1;
    }
    return true;
}

imsat_status im_vocabulary_add(im_vocabulary *words, uint32_t *number, const char *word,
                               size_t size, imsat_error *err)
{
    *number = im_vocabulary_find(words, word, size);
    if (*number != IM_VOCABULARY_NONE)
        return IMSAT_OK;
    if (words->count == IM_VOCABULARY_MOST)
        return im_fail(err, IMSAT_EINVAL, "the texts have more than %d different words",
                       IM_VOCABULARY_MOST);
    if (!reserve(words, size))
        return im_fail_memory(err, "the words of the texts");
    *number = (uint32_t)words->count;
    words->slots[find_slot(words, word, size)] = *number + 1;
    words->starts[words->count++] = words->text_used;
    memcpy(words->texts + words->text_used, word, size);
    words->text_used += size;
    return IMSAT_OK;
}

void im_vocabulary_clear(im_vocabulary *words)
{
    im_free(words->texts);
    im_free(words->starts);
    im_free(words->slots);
    *words = (im_vocabulary){0};
}
