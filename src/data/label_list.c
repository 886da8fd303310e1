/* SPDX-License-Identifier: MIT
 * Labels, collected and numbered; see label_list.h. */
#include "data/label_list.h"

#include "core/alloc.h"
#include "data/number.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { FIRST_ROOM = 1024, DECIMAL_ROOM = 16 };

/* Room for one more label, in the form the list has. */
static imsat_status reserve(im_label_list *list, imsat_error *err)
{
    if (list->count < list->room)
        return IMSAT_OK;
    const size_t room = list->room ? 2 * list->room : FIRST_ROOM;
    if (list->starts) {
        size_t *starts = im_grow(list->starts, list->room, room, sizeof *starts);
        if (!starts)
            return im_fail_memory(err, "labels");
        list->starts = starts;
    } else {
        int32_t *values = im_grow(list->values, list->room, room, sizeof *values);
        if (!values)
            return im_fail_memory(err, "labels");
        list->values = values;
    }
    list->room = room;
    return IMSAT_OK;
}

/* Copy a text behind the others; *start says where it is. */
static imsat_status put_text(im_label_list *list, size_t *start, const char *text, size_t size,
                             imsat_error *err)
{
    if (list->text_room - list->text_used <= size) {
        const size_t room = 2 * list->text_room + size + FIRST_ROOM;
        char *texts = im_grow(list->texts, list->text_used, room, 1);
        if (!texts)
            return im_fail_memory(err, "labels");
        list->texts = texts;
        list->text_room = room;
    }
    *start = list->text_used;
    memcpy(list->texts + *start, text, size);
    list->texts[*start + size] = '\0';
    list->text_used += size + 1;
    return IMSAT_OK;
}

static imsat_status put_decimal(im_label_list *list, size_t *start, int32_t value,
                                imsat_error *err)
{
    char text[DECIMAL_ROOM];
    const int size = snprintf(text, sizeof text, "%ld", (long)value);
    return put_text(list, start, text, (size_t)size, err);
}

/* From values to texts, when the first label comes that is no whole number. */
static imsat_status turn_to_texts(im_label_list *list, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t room = list->room ? list->room : FIRST_ROOM;
    size_t *starts = im_alloc(room, sizeof *starts);
    if (!starts)
        return im_fail_memory(err, "labels");
    for (size_t i = 0; i < list->count; i++)
        IM_TRY(put_decimal(list, &starts[i], list->values[i], err));
    im_free(list->values);
    list->values = NULL;
    list->starts = starts;
    list->room = room;
    starts = NULL;

cleanup:
    im_free(starts);
    return st;
}

imsat_status im_label_list_add(im_label_list *list, int32_t value, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(reserve(list, err));
    if (list->starts)
        IM_TRY(put_decimal(list, &list->starts[list->count], value, err));
    else
        list->values[list->count] = value;
    list->count++;

cleanup:
    return st;
}

imsat_status im_label_list_add_text(im_label_list *list, const char *text, size_t size,
                                    imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    double number;
    int32_t whole;
    const im_number kind = im_number_parse(&number, text, size);
    if (kind == IM_NUMBER_FINITE && im_number_whole(&whole, number))
        return im_label_list_add(list, whole, err);

    if (!list->starts)
        IM_TRY(turn_to_texts(list, err));
    IM_TRY(reserve(list, err));
    IM_TRY(put_text(list, &list->starts[list->count], text, size, err));
    if (kind == IM_NUMBER_NONE)
        list->words = true;
    if (kind == IM_NUMBER_NONFINITE && !list->missing) {
        list->missing = true;
        list->missing_at = list->count;
    }
    list->count++;

cleanup:
    return st;
}

/* While an array doubles there are the old one and the new one. */
size_t im_label_list_memory(const im_label_list *list)
{
    const size_t element = list->starts ? sizeof *list->starts : sizeof *list->values;
    return 3 * (list->room * element + list->text_room);
}

typedef struct entry {
    const char *text;
    size_t place; /* in the list */
} entry;

static int compare_texts(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return strcmp(x->text, y->text);
}

static bool differs(const entry *entries, size_t i)
{
    return i == 0 || strcmp(entries[i - 1].text, entries[i].text) != 0;
}

static imsat_status number_texts(int32_t *labels, const entry *entries, size_t count,
                                 const char *name, imsat_error *err)
{
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++) {
        distinct += differs(entries, i);
        if (distinct > INT32_MAX)
            return im_fail(err, IMSAT_EFORMAT, "%s: more than 2^31 different labels", name);
        labels[entries[i].place] = (int32_t)(distinct - 1);
    }
    return IMSAT_OK;
}

/* Room for so many words of so many bytes, their 0 bytes included, in one block. */
static char **new_words(size_t count, size_t bytes)
{
    size_t size;
    return im_size_mul(&size, count + 1, sizeof(char *)) && size <= SIZE_MAX - bytes
               ? im_alloc(size + bytes, 1)
               : NULL;
}

/* A word at a place, where it has room; returns the place behind it. */
static char *put_word(char **word, char *at, const char *text)
{
    const size_t size = strlen(text) + 1;
    memcpy(at, text, size);
    *word = at;
    return at + size;
}

static imsat_status list_words(char ***out, const entry *entries, size_t count,
                               imsat_error *err)
{
    size_t distinct = 0, bytes = 0;
    for (size_t i = 0; i < count; i++)
        if (differs(entries, i)) {
            distinct++;
            bytes += strlen(entries[i].text) + 1;
        }
    char **words = new_words(distinct, bytes);
    if (!words)
        return im_fail_memory(err, "the words of labels");
    char *at = (char *)(words + distinct + 1);
    for (size_t i = 0, w = 0; i < count; i++)
        if (differs(entries, i))
            at = put_word(&words[w++], at, entries[i].text);
    *out = words;
    return IMSAT_OK;
}

imsat_status im_label_list_copy_words(char ***out, char *const *words, imsat_error *err)
{
    size_t count = 0, bytes = 0;
    *out = NULL;
    if (!words)
        return IMSAT_OK;
    for (; words[count]; count++)
        bytes += strlen(words[count]) + 1;
    char **copy = new_words(count, bytes);
    if (!copy)
        return im_fail_memory(err, "the words of labels");
    char *at = (char *)(copy + count + 1);
    for (size_t w = 0; w < count; w++)
        at = put_word(&copy[w], at, words[w]);
    *out = copy;
    return IMSAT_OK;
}

static imsat_status take_texts(int32_t *labels, char ***words, const im_label_list *list,
                               const char *name, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    entry *entries = im_alloc(list->count, sizeof *entries);
    if (!entries)
        return im_fail_memory(err, name);
    for (size_t i = 0; i < list->count; i++)
        entries[i] = (entry){list->texts + list->starts[i], i};
    qsort(entries, list->count, sizeof *entries, compare_texts);
    IM_TRY(number_texts(labels, entries, list->count, name, err));
    if (words)
        IM_TRY(list_words(words, entries, list->count, err));

cleanup:
    im_free(entries);
    return st;
}

imsat_status im_label_list_number(int32_t **labels, char ***words, const im_label_list *list,
                                  const char *name, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (list->missing && !list->words)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: label %zu (from 0) is %s; every row needs a label", name,
                       list->missing_at, list->texts + list->starts[list->missing_at]);
    int32_t *numbered = im_alloc(list->count, sizeof *numbered);
    if (!numbered)
        return im_fail_memory(err, name);
    if (words)
        *words = NULL;
    if (list->starts)
        IM_TRY(take_texts(numbered, words, list, name, err));
    else if (list->count)
        memcpy(numbered, list->values, list->count * sizeof *numbered);
    *labels = numbered;
    numbered = NULL;

cleanup:
    im_free(numbered);
    return st;
}

bool im_label_is_title(const char *first, size_t first_size, const char *second,
                       size_t second_size)
{
    static const char *const titles[] = {"label", "labels", "class", "classes", "target", "y"};
    double ignored;
    if (im_number_parse(&ignored, first, first_size) != IM_NUMBER_NONE)
        return false;
    if (im_number_parse(&ignored, second, second_size) != IM_NUMBER_NONE)
        return true;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (strlen(titles[i]) == first_size && strncasecmp(first, titles[i], first_size) == 0)
            return true;
    return false;
}

void im_label_list_clear(im_label_list *list)
{
    im_free(list->values);
    im_free(list->starts);
    im_free(list->texts);
    *list = (im_label_list){0};
}
