/* SPDX-License-Identifier: MIT
 * See text.h. */
#define _GNU_SOURCE
#include "data/text.h"

#include "core/alloc.h"

/* The window, which grows where a line does not fit, up to a size beyond that of any table. */
enum { FIRST_ROOM = 1 << 20, LAST_ROOM = 1 << 28 };

static imsat_status grow(im_text *text, imsat_error *err)
{
    const char *path = im_unpack_path(text->bytes->stream);
    if (text->room == LAST_ROOM)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: a line, or all before the second line of data, takes more than %d "
                       "MiB; if that is meant to be, decompress the file",
                       path, LAST_ROOM >> 20);
    char *window = im_alloc_unset(2 * text->room, 1);
    if (!window)
        return im_fail_memory(err, path);
    memcpy(window, text->window, text->filled);
    im_free(text->window);
    text->window = window;
    text->room *= 2;
    return IMSAT_OK;
}

/* Fill the window up; it grows until it has a whole line. */
static imsat_status fill(im_text *text, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *newline = NULL;
    for (;;) {
        size_t got = 0;
        IM_TRY(im_bytes_read(text->bytes, text->window + text->filled,
                             text->room - text->filled, &got, err));
        text->filled += got;
        newline = memrchr(text->window, '\n', text->filled);
        if (newline || !text->bytes->stream)
            break;
        IM_TRY(grow(text, err));
    }
    text->at = text->window;
    text->end = text->bytes->stream ? newline + 1 : text->window + text->filled;

cleanup:
    return st;
}

imsat_status im_text_begin(im_text *text, im_bytes *bytes, imsat_error *err)
{
    const char *first = (const char *)bytes->data;
    *text = (im_text){.bytes = bytes, .at = first, .end = first + bytes->size};
    if (!bytes->stream)
        return IMSAT_OK;
    text->room = FIRST_ROOM;
    text->window = im_alloc_unset(text->room, 1);
    if (!text->window)
        return im_fail_memory(err, im_unpack_path(bytes->stream));
    text->filled = bytes->size;
    memcpy(text->window, first, text->filled);
    return fill(text, err);
}

imsat_status im_text_next(im_text *text, imsat_error *err)
{
    text->at = text->end;
    if (!text->window)
        return IMSAT_OK;
    text->filled -= (size_t)(text->end - text->window);
    memmove(text->window, text->end, text->filled);
    return fill(text, err);
}

imsat_status im_text_widen(im_text *text, bool *more, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t before = text->filled;
    *more = false;
    if (!text->window || !text->bytes->stream)
        return IMSAT_OK;
    IM_TRY(grow(text, err));
    IM_TRY(fill(text, err));
    *more = text->filled > before;

cleanup:
    return st;
}

imsat_status im_text_line(im_text *text, const char **line, size_t *size, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    *line = NULL;
    if (text->at == text->end)
        IM_TRY(im_text_next(text, err));
    if (text->at == text->end)
        return IMSAT_OK;
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    const char *end = newline ? newline : text->end;
    *line = text->at;
    *size = (size_t)(end - text->at);
    im_bytes_touched(text->bytes, text->at, *size + 1);
    if (*size > 0 && end[-1] == '\r')
        --*size;
    text->at = newline ? newline + 1 : text->end;
    text->line++;

cleanup:
    return st;
}

void im_text_clear(im_text *text)
{
    im_free(text->window);
    *text = (im_text){0};
}
