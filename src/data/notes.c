/* SPDX-License-Identifier: MIT
 * Notes on what was read; see notes.h. */
#include "data/notes.h"

#include "core/alloc.h"

#include <stdarg.h>
#include <stdio.h>

imsat_status im_notes_add(im_notes *notes, imsat_error *err, const char *format, ...)
{
    char text[sizeof(imsat_error)];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    char **items = im_grow(notes->items, notes->count, notes->count + 1, sizeof *items);
    if (!items)
        return im_fail_memory(err, "a note");
    notes->items = items;
    items[notes->count] = im_strdup(text);
    if (!items[notes->count])
        return im_fail_memory(err, "a note");
    notes->count++;
    return IMSAT_OK;
}

void im_notes_clear(im_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        im_free(notes->items[i]);
    im_free(notes->items);
    *notes = (im_notes){0};
}
