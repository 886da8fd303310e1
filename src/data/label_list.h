/* SPDX-License-Identifier: MIT
 *
 * Labels as they are collected, over one or several files, and the one place where they
 * become numbers:
 *
 *   - if every label is a whole number that fits int32, the numbers are kept;
 *   - else every label is a text, and gets the place of its text in the sorted list of the
 *     distinct texts (0, 1, ...; bytes compared, so "10" comes before "9"). A whole number
 *     among texts counts as its decimal text, so "7", "07" and "7.0" are one label.
 *
 * NaN and infinities among numbers are missing labels, and refused.
 */
#ifndef IM_DATA_LABEL_LIST_H
#define IM_DATA_LABEL_LIST_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Zeroed is empty. */
typedef struct im_label_list {
    int32_t *values; /* (room) owned; the labels while all are whole numbers */
    size_t *starts;  /* (room) owned; where each text starts, once one is not; else NULL */
    char *texts;     /* (text_room) owned; the texts, each with its 0 byte */
    size_t count, room;
    size_t text_used, text_room;
    bool words;        /* some label is neither a number nor NaN nor infinite */
    bool missing;      /* some label is NaN or infinite */
    size_t missing_at; /* which label was the first such one */
} im_label_list;

imsat_status im_label_list_add(im_label_list *list, int32_t value, imsat_error *err);

/* text: size bytes, not 0-terminated, without 0 bytes. */
imsat_status im_label_list_add_text(im_label_list *list, const char *text, size_t size,
                                    imsat_error *err);

/* Bytes that the list takes, at the most, when it grows for one more label. */
size_t im_label_list_memory(const im_label_list *list);

/* *labels (list->count) is freed with im_free(); the list stays. `name` begins messages.
 *
 * words    may be NULL; receives the texts of the labels 0, 1, ... and a NULL behind the last,
 *          all one block for im_free(); NULL if labels are numbers. */
imsat_status im_label_list_number(int32_t **labels, char ***words, const im_label_list *list,
                                  const char *name, imsat_error *err);

/* A copy of such words, which may be NULL. */
imsat_status im_label_list_copy_words(char ***out, char *const *words, imsat_error *err);

/* Whether a column's first entry is its title: the second is a number and the first is not,
 * or the first is one of the usual words (label, class, target, ...). */
bool im_label_is_title(const char *first, size_t first_size, const char *second,
                       size_t second_size);

void im_label_list_clear(im_label_list *list);

#endif
